"""The real data sets by name, with what is known of them: sizes, counts, files."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from vstg.data import MultiTaskData
from vstg.datasets.cache import DataFile, Places, Where, find_file
from vstg.datasets.digit_files import (
    MNIST,
    USPS,
    USPS_ARRAYS,
    Sets,
    read_mnist,
    read_usps,
)
from vstg.datasets.digits import fetch_mnist, fetch_usps
from vstg.datasets.real import RealDataset
from vstg.datasets.regression import (
    COMPUTER,
    COMPUTER_TABLES,
    PARKINSONS,
    SCHOOL,
    fetch_computer,
    fetch_parkinsons,
    fetch_school,
)


@dataclass(frozen=True)
class Known:
    """A real data set and what its publishers and the paper say of it.

    ``files`` are the alternatives, any of which is enough. ``sizes`` are tasks,
    variables, and rows for training, validation and testing; ``source`` is what is
    in the files before anything is drawn, in words.
    """

    title: str
    fetch: Callable[..., RealDataset]
    files: tuple[tuple[DataFile, ...], ...]
    sizes: tuple[str, ...]
    source: str
    read: Callable[[Places], Sets] | None = None

    def where(self, places: Places) -> str:
        """The folder that has its files, "" if there is none."""
        for files in self.files:
            paths = [find_file(file, places) for file in files]
            if paths and all(paths):
                return str(paths[0].parent) if paths[0] is not None else ""
        return ""

    def count_source(self, **where: Unpack[Where]) -> str:
        """What is in the files, in the words of ``source``."""
        if self.read is not None:
            return count_images(self.read(Places.of(**where)))
        return count_rows(self.fetch(scale=False, **where))


def sizes_of(real: RealDataset) -> tuple[str, ...]:
    """Tasks, variables and rows; rows that all tasks share are counted once."""
    return (
        str(real.train.n_tasks),
        str(real.train.n_features),
        *(_rows(part) for part in (real.train, real.validation, real.test)),
    )


def _rows(part: MultiTaskData | None) -> str:
    if part is None:
        return "–"
    return f"{part.n_samples[0]} shared" if part.shared_X else str(part.n_rows)


def count_rows(real: RealDataset) -> str:
    """Rows, rows of a task, and the targets of both parts."""
    sizes = real.train.n_samples + real.test.n_samples
    y = np.concatenate([*real.train.y, *real.test.y])
    words = [
        f"{len(y)} targets, {_span(sizes)} a task",
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


KNOWN: dict[str, Known] = {
    "school": Known(
        "School",
        fetch_school,
        ((SCHOOL,),),
        ("139", "28", "11472", "–", "3890"),
        "15362 targets, 22 to 251 a task; from 1.000 to 70.000; mean 20.597, sd 12.721",
    ),
    "parkinsons": Known(
        "Parkinson",
        fetch_parkinsons,
        ((PARKINSONS,),),
        ("42", "19", "4390", "–", "1485"),
        "5875 targets, 101 to 168 a task; from 5.038 to 39.511; mean 21.296, sd 8.129",
    ),
    "computer": Known(
        "Computer survey",
        fetch_computer,
        ((COMPUTER,), COMPUTER_TABLES),
        ("190", "14", "15 shared", "–", "5 shared"),
        "3800 targets, 20 a task; from 0.000 to 10.000; mean 4.752, sd 2.807",
    ),
    "mnist": Known(
        "MNIST",
        fetch_mnist,
        (MNIST,),
        ("10", "64", "1000 shared", "500 shared", "500 shared"),
        "60000 + 10000 images of 784 pixels; "
        "digits 5923 6742 5958 6131 5842 5421 5918 6265 5851 5949 "
        "+ 980 1135 1032 1010 982 892 958 1028 974 1009",
        read_mnist,
    ),
    "usps": Known(
        "USPS",
        fetch_usps,
        (USPS, (USPS_ARRAYS,)),
        ("10", "87", "1000 shared", "500 shared", "500 shared"),
        "7291 + 2007 images of 256 pixels; "
        "digits 1194 1005 731 658 652 556 664 645 542 644 "
        "+ 359 264 198 166 200 160 170 147 166 177",
        read_usps,
    ),
}
