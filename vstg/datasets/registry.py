"""Every data set that is known by name: how to load it, and how large it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Unpack

import numpy as np

from vstg.data import Dataset, MultiTaskData
from vstg.datasets.cache import DataFile, Places, Where, find_file
from vstg.datasets.digit_files import (
    MNIST,
    USPS,
    USPS_ARRAYS,
    Sets,
    read_mnist,
    read_usps,
)
from vstg.datasets.digits import fetch_mnist, fetch_usps, load_digits_tasks
from vstg.datasets.regression import (
    COMPUTER,
    COMPUTER_TABLES,
    PARKINSONS,
    SCHOOL,
    fetch_computer,
    fetch_parkinsons,
    fetch_school,
)
from vstg.datasets.samples import STORIES, load_sample
from vstg.datasets.synthetic import make_syn

NO_ROWS = "–"
Origin = Literal["synthetic", "paper", "scikit-learn", "sample"]


@dataclass(frozen=True)
class DatasetEntry:
    """A data set by its name, and what is known of it before it is loaded.

    Attributes
    ----------
    name : str
        The name in commands and in Python.
    title : str
        The label in tables, lists and figures; also the name of the loaded data set.
    about : str
        What it is, in a few words.
    origin : {"synthetic", "paper", "scikit-learn", "sample"}
        Drawn at random, a real data set of the paper, part of scikit-learn, or a table
        in ``sample_data/``.
    loader : callable
        Returns the :class:`vstg.data.Dataset`; see :meth:`load`.
    sizes : tuple of str
        Tasks, variables, and rows for training, validation and testing.
    files : tuple of tuple of DataFile
        The alternatives, any of which is enough; empty if no files are needed.
    contents : str
        A summary of what is in the files before rows are drawn.
    read_images : callable, optional
        Reads the images that ``contents`` counts.
    """

    name: str
    title: str
    about: str
    origin: Origin
    loader: Callable[..., Dataset]
    sizes: tuple[str, ...]
    files: tuple[tuple[DataFile, ...], ...] = ()
    contents: str = ""
    read_images: Callable[[Places], Sets] | None = None

    @property
    def needs_files(self) -> bool:
        """Whether files have to be downloaded, or given in a folder."""
        return bool(self.files)

    @property
    def has_validation(self) -> bool:
        """Whether settings are chosen on validation rows, not by folds."""
        return self.sizes[3] != NO_ROWS

    def load(self, random_state: int = 0, **options: Any) -> Dataset:
        """Load a repetition; ``options`` are those of the function behind it."""
        return self.loader(random_state=random_state, **options)

    def where(self, places: Places) -> str:
        """The folder that has its files, "" if there is none."""
        for files in self.files:
            paths = [find_file(file, places) for file in files]
            if paths and all(paths):
                return str(paths[0].parent) if paths[0] is not None else ""
        return ""

    def count_contents(self, **where: Unpack[Where]) -> str:
        """What is in the files, in the words of ``contents``."""
        if self.read_images is not None:
            return count_images(self.read_images(Places.of(**where)))
        return count_rows(self.loader(scale=False, **where))


def sizes_of(data: Dataset) -> tuple[str, ...]:
    """Tasks, variables and rows; rows that all tasks share are counted once."""
    return (
        str(data.train.n_tasks),
        str(data.train.n_features),
        *(_rows(part) for part in (data.train, data.validation, data.test)),
    )


def _rows(part: MultiTaskData | None) -> str:
    if part is None:
        return NO_ROWS
    return f"{part.n_samples[0]} shared" if part.shared_X else str(part.n_rows)


def count_rows(data: Dataset) -> str:
    """Rows, rows per task, and the targets of both parts."""
    sizes = data.train.n_samples + data.test.n_samples
    y = np.concatenate([*data.train.y, *data.test.y])
    words = [
        f"{len(y)} targets, {_span(sizes)} per task",
        f"from {y.min():.3f} to {y.max():.3f}",
        f"mean {y.mean():.3f}, sd {y.std():.3f}",
    ]
    return "; ".join(words)


def _span(sizes: Sequence[int] | np.ndarray) -> str:
    low, high = int(min(sizes)), int(max(sizes))
    return str(low) if low == high else f"{low} to {high}"


def count_images(sets: Sets) -> str:
    """Images, pixels, and how often each digit is there."""
    X, y, X_test, y_test = sets
    digits = [" ".join(map(str, np.bincount(labels))) for labels in (y, y_test)]
    return (
        f"{len(X)} + {len(X_test)} images of {X.shape[1]} pixels; "
        f"digits {digits[0]} + {digits[1]}"
    )


def _story(name: str, sizes: tuple[str, ...]) -> DatasetEntry:
    def load(random_state: int) -> Dataset:
        return load_sample(name).to_dataset(random_state=random_state)

    title, about = STORIES[name].title, STORIES[name].about
    return DatasetEntry(name, title, about, "sample", load, sizes)


SYN_SIZES = ("20", "25", "1000", "–", "2000")
_ENTRIES = (
    *(
        DatasetEntry(
            f"syn{n}", f"Syn{n}", about, "synthetic", partial(make_syn, n), SYN_SIZES
        )
        for n, about in (
            (1, "orthogonal features, disjoint groups of tasks"),
            (2, "orthogonal features, overlapping groups of tasks"),
            (3, "correlated features, disjoint groups of tasks"),
            (4, "correlated features, overlapping groups of tasks"),
        )
    ),
    DatasetEntry(
        "school",
        "School exam",
        "exam scores in 139 schools",
        "paper",
        fetch_school,
        ("139", "28", "11472", "–", "3890"),
        ((SCHOOL,),),
        "15362 targets, 22 to 251 per task; from 1.000 to 70.000; "
        "mean 20.597, sd 12.721",
    ),
    DatasetEntry(
        "parkinsons",
        "Parkinson",
        "disease scores of 42 patients from their voice",
        "paper",
        fetch_parkinsons,
        ("42", "19", "4390", "–", "1485"),
        ((PARKINSONS,),),
        "5875 targets, 101 to 168 per task; from 5.038 to 39.511; "
        "mean 21.296, sd 8.129",
    ),
    DatasetEntry(
        "computer",
        "Computer survey",
        "ratings of 20 computers by 190 people",
        "paper",
        fetch_computer,
        ("190", "14", "15 shared", "–", "5 shared"),
        ((COMPUTER,), COMPUTER_TABLES),
        "3800 targets, 20 per task; from 0.000 to 10.000; mean 4.752, sd 2.807",
    ),
    DatasetEntry(
        "mnist",
        "MNIST",
        "handwritten digits, one task per digit",
        "paper",
        fetch_mnist,
        ("10", "64", "1000 shared", "500 shared", "500 shared"),
        (MNIST,),
        "60000 + 10000 images of 784 pixels; "
        "digits 5923 6742 5958 6131 5842 5421 5918 6265 5851 5949 "
        "+ 980 1135 1032 1010 982 892 958 1028 974 1009",
        read_mnist,
    ),
    DatasetEntry(
        "usps",
        "USPS",
        "handwritten digits, one task per digit",
        "paper",
        fetch_usps,
        ("10", "87", "1000 shared", "500 shared", "500 shared"),
        (USPS, (USPS_ARRAYS,)),
        "7291 + 2007 images of 256 pixels; "
        "digits 1194 1005 731 658 652 556 664 645 542 644 "
        "+ 359 264 198 166 200 160 170 147 166 177",
        read_usps,
    ),
    DatasetEntry(
        "digits",
        "Digits",
        "small handwritten digits, one task per digit; no download",
        "scikit-learn",
        load_digits_tasks,
        ("10", "64", "1347 shared", "–", "450 shared"),
    ),
    _story("shops", ("24", "14", "1301", "–", "446")),
    _story("wards", ("30", "13", "1445", "–", "496")),
    _story("machines", ("16", "10", "1220", "–", "412")),
    _story("wines", ("18", "8", "796", "–", "263")),
)
DATASETS: dict[str, DatasetEntry] = {entry.name: entry for entry in _ENTRIES}


def get_dataset(name: str) -> DatasetEntry:
    """What is known of a data set; ``get_dataset(name).load()`` loads it."""
    if name not in DATASETS:
        msg = f"there is no data set {name!r}; there are {', '.join(DATASETS)}"
        raise ValueError(msg)
    return DATASETS[name]
