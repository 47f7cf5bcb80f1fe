"""The tables in ``sample_data/``: made up, small, and each with a story."""

from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from vstg.data import Array, Dataset, MultiTaskData
from vstg.data.dataset import ProblemKind
from vstg.tables import Recipe, prepare, read_table
from vstg.tables.roles import Layout

PACKAGE = Path(__file__).parents[1]
INSTALLED = PACKAGE / "_dashboard" / "sample_data"  # where the wheel has them
FOLDER = INSTALLED if INSTALLED.is_dir() else PACKAGE.parent / "sample_data"


@dataclass(frozen=True, eq=False)
class Sample:
    """A sample table and what its columns are for.

    Attributes
    ----------
    name, title : str
        The name it is loaded by, and one line about it.
    frame : DataFrame
        As in the file; the stories have missing values and categories on purpose.
    layout : {"long", "wide"}
        One row per observation with its task in a column, or one column per task.
    task : str or None
        The task column of a long table.
    targets : tuple of str
    problem : {"regression", "classification"}
    U, V : array or None
        The truth of a synthetic problem, (D, K) and (K, T).
    """

    name: str
    title: str
    frame: pd.DataFrame
    layout: Layout
    task: str | None
    targets: tuple[str, ...]
    problem: ProblemKind
    path: Path
    U: Array | None = None
    V: Array | None = None

    def to_data(self) -> MultiTaskData:
        """Return the data of a table of numbers without gaps, such as ``syn1``.

        The stories need choices first: see :meth:`to_dataset`.
        """
        if self.layout == "long":
            return MultiTaskData.from_frame(
                self.frame, task=self.task, target=self.targets[0]
            )
        features = [name for name in self.frame.columns if name not in self.targets]
        return MultiTaskData.from_multioutput(
            self.frame[features], self.frame[list(self.targets)]
        )

    @property
    def recipe(self) -> Recipe:
        """The roles of the columns, and how the Data page proposes to prepare them."""
        return Recipe(
            self.layout,
            self.task,
            self.targets,
            problem=self.problem,
            missing="median",
            scaling="standard",
        )

    def to_dataset(self, *, random_state: int = 0) -> Dataset:
        """Prepare the table by its recipe; ``random_state`` draws the test rows."""
        recipe = replace(self.recipe, seed=random_state)
        prepared = prepare(read_table(self.path), recipe)
        return prepared.to_dataset(STORIES[self.name].title)


@dataclass(frozen=True)
class _Story:
    title: str
    about: str
    file: str
    layout: Layout = "long"
    task: str | None = "task"
    targets: tuple[str, ...] = ("target",)
    problem: ProblemKind = "regression"


STORIES = {
    "shops": _Story(
        "Shops",
        "Weekly sales of 24 shops under promotions",
        "shops.csv",
        task="shop",
        targets=("units_sold",),
    ),
    "wards": _Story(
        "Wards",
        "Hours to discharge in 30 wards of unequal size",
        "wards.csv",
        task="ward",
        targets=("hours_to_discharge",),
    ),
    "machines": _Story(
        "Machines",
        "Which of 16 machines fail within a week",
        "machines.csv",
        task="machine",
        targets=("fails_within_a_week",),
        problem="classification",
    ),
    "wines": _Story(
        "Wines",
        "Points of 18 tasters for the same 60 wines",
        "wines.csv",
        layout="wide",
        task=None,
        targets=tuple(f"taster_{j + 1}" for j in range(18)),
    ),
    **{
        f"syn{n}": _Story(f"Syn{n}", f"Syn{n} of the paper", f"syn/syn{n}.csv")
        for n in (1, 2, 3, 4)
    },
}
SAMPLES = tuple(STORIES)


def load_sample(name: str) -> Sample:
    """Return a table of ``sample_data/`` by its name.

    Parameters
    ----------
    name : {"shops", "wards", "machines", "wines", "syn1", "syn2", "syn3", "syn4"}
    """
    if name not in STORIES:
        msg = f"there is no sample {name!r}; there are {', '.join(SAMPLES)}"
        raise ValueError(msg)
    entry = STORIES[name]
    path = FOLDER / entry.file
    if not path.is_file():
        msg = (
            f"{entry.file} is not in {FOLDER}: the samples come with the wheel and the "
            "sources of vstg; scripts/make_sample_data.py writes them again"
        )
        raise FileNotFoundError(msg)
    return Sample(
        name,
        entry.about,
        pd.read_csv(path),
        entry.layout,
        entry.task,
        entry.targets,
        entry.problem,
        path,
        U=_truth(path, "U"),
        V=_truth(path, "V"),
    )


def _truth(path: Path, letter: str) -> Array | None:
    file = path.with_name(f"{path.stem}_{letter}.csv")
    return pd.read_csv(file, index_col=0).to_numpy() if file.is_file() else None
