"""The paper's real regression problems: School, Parkinson's disease, Computer survey.

Every fetcher takes, besides its own options, the keywords of
:class:`vstg.datasets.cache.Where`: ``data_home``, ``data_dir``,
``download_if_missing``, ``n_retries``, ``delay`` and ``progress``. Files are verified
by their checksums; :class:`vstg.datasets.FetchError` says what to do without a network.
"""

from io import BytesIO
from typing import Any, Literal, Unpack

import numpy as np
import pandas as pd
from scipy.io import loadmat

from vstg.data import Array, Dataset, MultiTaskData
from vstg.datasets.cache import DataFile, Form, Places, Where, find_file, read_file
from vstg.datasets.download import FetchError
from vstg.datasets.scaling import finish, with_bias

TEST_SIZE = 0.25
GITHUB = "https://raw.githubusercontent.com"
UCI = "https://archive.ics.uci.edu"

SCHOOL = DataFile(
    "school",
    (Form("school.mat", (f"{GITHUB}/jiayuzhou/MALSAR/master/data/school.mat",)),),
    max_bytes=2**20,
    sha256="57fb3238fdd03a9aa17276e2ce18d9bbb5d128c3261e794fe6233b58b6909068",
)
SCHOOL_SPLIT = DataFile(
    "school",
    (
        Form(
            "schoo_rep1.mat",  # as published
            (f"{GITHUB}/JunYongJeong/VSTG-MTL/master/schoo_rep1.mat",),
        ),
    ),
    max_bytes=2**20,
    sha256="3db60d71abd764e6a631ce88e2966fd1ef359ec31a82f1f33ad374c232f50960",
)
PARKINSONS = DataFile(
    "parkinsons",
    (
        Form("parkinsons_updrs.csv"),
        Form(
            "parkinsons_updrs.data",
            (
                f"{UCI}/ml/machine-learning-databases/parkinsons/telemonitoring/"
                "parkinsons_updrs.data",
            ),
        ),
        Form(
            "parkinsons+telemonitoring.zip",
            (f"{UCI}/static/public/189/parkinsons+telemonitoring.zip",),
            packing="zip:parkinsons_updrs.data",
        ),
    ),
    max_bytes=2**21,
    sha256="f2c7d5025dec4e92e7feae367a5f7ccf58789a10ac6b54bdf15976c599f9dd39",
)
COMPUTER = DataFile(
    "computer",
    (
        Form(
            "conjointAnalysisComputerBuyers.mat",
            (
                f"{GITHUB}/probml/pmtk3/master/data/conjointAnalysisComputerBuyers/"
                "conjointAnalysisComputerBuyers.mat",
            ),
        ),
    ),
    max_bytes=2**20,
    sha256="6e6b5f98f438c7d15ed6c7adab44322c9345f52263a4f3026322019f184679b5",
)

# The same as two tables, for those who have them so: 20 computers x 13 properties, and
# 190 persons x 20 computers.
COMPUTER_TABLES = tuple(
    DataFile("computer", (Form(name),), 2**20)
    for name in ("computer_design.csv", "computer_ratings.csv")
)

SCHOOL_FEATURES = (
    *(f"year_{i}" for i in (1, 2, 3)),
    "free_meals_percent",
    "vr_band_1_percent",
    *(f"gender_{i}" for i in (1, 2)),
    *(f"vr_band_{i}" for i in (1, 2, 3)),
    *(f"ethnic_group_{i}" for i in range(1, 12)),
    *(f"school_gender_{i}" for i in (1, 2, 3)),
    *(f"school_denomination_{i}" for i in (1, 2, 3)),
    "bias",
)
COMPUTER_FEATURES = (
    "hot_line",
    "ram",
    "screen_size",
    "cpu_speed",
    "hard_disk",
    "cd_rom",
    "cache",
    "color_of_unit",
    "availability",
    "warranty",
    "software",
    "guarantee",
    "price",
)


def fetch_school(
    *,
    random_state: int = 0,
    split: Literal["random", "authors"] = "random",
    scale: bool = True,
    bias: bool = True,
    **where: Unpack[Where],
) -> Dataset:
    """The examination scores of 15362 pupils in 139 schools; tasks s1 to s139.

    Parameters
    ----------
    random_state : int
        The repetition: which rows are drawn.
    split : {"random", "authors"}
        75 % of the rows of each school for training, drawn at random, or the first
        of the paper's own splits as its authors published it (11472 + 3890 rows).
    scale : bool
        Divide by the training maximum, as the paper says. The authors' published
        split is not scaled.
    bias : bool
        Keep the constant column of the file. The paper counts 26 variables, which
        fits neither file: they have 2 numbers, 25 indicators and this column.
    **where
        See :class:`vstg.datasets.cache.Where`.
    """
    places = Places.of(**where)
    if split == "authors":
        parts = _authors_split(loadmat(BytesIO(read_file(SCHOOL_SPLIT, places))))
    elif split == "random":
        cells = loadmat(BytesIO(read_file(SCHOOL, places)))
        parts = _school(cells["X"], cells["Y"]).split(
            TEST_SIZE, random_state=random_state
        )
    else:
        msg = f"split={split!r} must be 'random' or 'authors'"
        raise ValueError(msg)
    if not bias:
        train, test = (part.subset(features=SCHOOL_FEATURES[:-1]) for part in parts)
        parts = train, test
    return finish(
        parts,
        scale=scale,
        name="School exam",
        source=SCHOOL.forms[0].urls[0],
        citation=(
            "Goldstein (1991), Multilevel modelling of survey data; Argyriou, Evgeniou "
            "and Pontil (2008), Convex multi-task feature learning"
        ),
        options={"random_state": random_state, "split": split, "bias": bias},
    )


def _school(X: Any, Y: Any) -> MultiTaskData:
    # The cells hold unsigned bytes, which would wrap around: to numbers at once.
    return MultiTaskData(
        [x.astype(np.float64) for x in X.ravel()],
        [y.astype(np.float64).ravel() for y in Y.ravel()],
        [f"s{j + 1}" for j in range(X.size)],
        SCHOOL_FEATURES,
    )


def _authors_split(cells: Any) -> tuple[MultiTaskData, MultiTaskData]:
    def part(name: str) -> MultiTaskData:
        return _school(cells[f"school_{name}_input"], cells[f"school_{name}_output"])

    return part("train"), part("test")


def fetch_parkinsons(
    *,
    random_state: int = 0,
    scale: bool = True,
    bias: bool = False,
    **where: Unpack[Where],
) -> Dataset:
    """The motor UPDRS score of 42 patients from their voice; tasks p1 to p42.

    5875 recordings with 19 variables: age, sex, test time and 16 voice measures. The
    total score, which all but contains the target, is left out.

    Parameters
    ----------
    random_state : int
        The repetition: which 75 % of the rows of each patient are for training.
    scale : bool
        Divide by the training maximum, as the paper says.
    bias : bool
        Add a constant column. The paper has none here; age and sex are constant
        within a patient and act as one.
    **where
        See :class:`vstg.datasets.cache.Where`.
    """
    content = read_file(PARKINSONS, Places.of(**where))
    frame = pd.read_csv(BytesIO(content)).drop(columns="total_UPDRS")
    frame["subject#"] = [f"p{number}" for number in frame["subject#"]]
    if bias:
        frame["bias"] = 1.0
    data = MultiTaskData.from_frame(frame, task="subject#", target="motor_UPDRS")
    return finish(
        data.split(TEST_SIZE, random_state=random_state),
        scale=scale,
        name="Parkinson",
        source=f"{UCI}/dataset/189",
        citation="Tsanas, Little, McSharry and Ramig (2010), IEEE TBME 57(4)",
        options={"random_state": random_state, "bias": bias},
    )


def fetch_computer(
    *,
    random_state: int = 0,
    scale: bool = True,
    bias: bool = True,
    **where: Unpack[Where],
) -> Dataset:
    """How 190 people rate 20 computers on a scale of 0 to 10; tasks p1 to p190.

    All tasks share the 13 properties of the computers, coded -1 and +1. One person
    rates all computers alike, hence ``allow_constant``.

    Parameters
    ----------
    random_state : int
        The repetition: which 15 computers are for training and which 5 for testing.
    scale : bool
        Divide by the training maximum, which changes nothing here: it is 1.
    bias : bool
        Add the constant column that the paper adds.
    **where
        See :class:`vstg.datasets.cache.Where`.
    """
    design, ratings = _read_computer(Places.of(**where))
    names = COMPUTER_FEATURES + (("bias",) if bias else ())
    data = MultiTaskData.from_multioutput(
        with_bias(design) if bias else design,
        ratings.T,
        task_names=[f"p{j + 1}" for j in range(len(ratings))],
        feature_names=names,
    )
    return finish(
        data.split(TEST_SIZE, random_state=random_state),
        scale=scale,
        name="Computer survey",
        source=COMPUTER.forms[0].urls[0],
        citation="Lenk, DeSarbo, Green and Young (1996), Marketing Science 15(2)",
        allow_constant=True,
        options={"random_state": random_state, "bias": bias},
    )


def _read_computer(places: Places) -> tuple[Array, Array]:
    """The properties of the computers (20, 13) and the ratings (190, 20)."""
    paths = [find_file(file, places) for file in COMPUTER_TABLES]
    if all(paths) and find_file(COMPUTER, places) is None:
        design, ratings = (
            pd.read_csv(BytesIO(read_file(file, places))).to_numpy(dtype=np.float64)
            for file in COMPUTER_TABLES
        )
        if design.shape != (20, 13) or ratings.shape != (190, 20):
            msg = (
                f"{paths[0]} is {design.shape[0]} × {design.shape[1]} and {paths[1]} "
                f"{ratings.shape[0]} × {ratings.shape[1]}; the survey has 20 × 13 "
                "properties and 190 × 20 ratings: replace the files"
            )
            raise FetchError(msg)
        return design, ratings
    cells = loadmat(BytesIO(read_file(COMPUTER, places)))
    # [sic]; the first column of the file is constant: the bias, if it is asked for.
    design, ratings = cells["designMarix"][:, 1:], cells["likeBuy"]
    return design.astype(np.float64), ratings.astype(np.float64)
