"""Handwritten digits, one task per digit: MNIST and USPS, and scikit-learn's.

Keywords for the files as in :mod:`vstg.datasets.regression`.
"""

from collections.abc import Callable
from typing import Any, Literal, Unpack, get_args

import numpy as np
import numpy.typing as npt
from scipy.linalg import eigh

from vstg.data import Array, Dataset, MultiTaskData
from vstg.datasets.cache import Places, Where
from vstg.datasets.digit_files import (
    MNIST_HOSTS,
    USPS,
    Images,
    Labels,
    Sets,
    read_mnist,
    read_usps,
)
from vstg.datasets.scaling import divisors, finish, with_bias

DIGITS = tuple(range(10))
CHUNK = 8192  # rows at a time: all of MNIST in doubles would take 0.4 GB
PcaOn = Literal["training set", "drawn"]
Scaled = Literal["pixels", "components"]


def fetch_mnist(
    *,
    random_state: int = 0,
    n_components: int = 64,
    pca_on: PcaOn = "training set",
    scale: bool = True,
    scaled: Scaled = "pixels",
    bias: bool = False,
    **where: Unpack[Where],
) -> Dataset:
    """MNIST as in the paper: 10 one-vs-rest tasks on 64 principal components.

    1000 rows of the training set are drawn for training, and 500 + 500 different
    rows of the test set for validation and for testing.

    Parameters
    ----------
    random_state : int
        The repetition: which rows are drawn.
    n_components : int
        Principal components of the 28 x 28 pixels.
    pca_on : {"training set", "drawn"}
        The components of all 60000 training images, or of the 1000 drawn ones only.
        The paper does not say; neither sees a validation or test image.
    scale : bool
        Divide by the training maximum, as the paper says.
    scaled : {"pixels", "components"}
        What is divided, the pixels or the components made of them. The paper does not
        say, and it matters: components of scaled pixels keep their sizes, so that a
        penalty spares the large ones. This comes nearer to the paper's errors.
    bias : bool
        Add a constant column. The classes are unbalanced, so a model without an
        intercept needs it.
    **where
        See :class:`vstg.datasets.cache.Where`.
    """
    return _draw(
        read_mnist(Places.of(**where)),
        random_state=random_state,
        n_components=n_components,
        pca_on=pca_on,
        scale=scale,
        scaled=scaled,
        bias=bias,
        name="MNIST",
        source=MNIST_HOSTS[0],
        citation="LeCun, Bottou, Bengio and Haffner (1998)",
    )


def fetch_usps(
    *,
    random_state: int = 0,
    n_components: int = 87,
    pca_on: PcaOn = "training set",
    scale: bool = True,
    scaled: Scaled = "pixels",
    bias: bool = False,
    **where: Unpack[Where],
) -> Dataset:
    """USPS as in the paper: 10 one-vs-rest tasks on 87 principal components.

    Rows are drawn and parameters meant as in :func:`fetch_mnist`; the training set
    has 7291 images of 16 x 16 pixels and the test set 2007.
    """
    return _draw(
        read_usps(Places.of(**where)),
        random_state=random_state,
        n_components=n_components,
        pca_on=pca_on,
        scale=scale,
        scaled=scaled,
        bias=bias,
        name="USPS",
        source=USPS[0].forms[0].urls[0],
        citation="Hull (1994), IEEE TPAMI 16(5)",
    )


def load_digits_tasks(
    *,
    random_state: int = 0,
    test_size: float = 0.25,
    scale: bool = True,
    bias: bool = False,
) -> Dataset:
    """scikit-learn's digits as 10 one-vs-rest tasks: real data without a download.

    1797 images of 8 x 8 pixels; each digit keeps its share in the test part.
    """
    from sklearn.datasets import load_digits  # slow to import, rarely needed

    digits = load_digits()
    names = [*digits.feature_names, *(["bias"] if bias else [])]
    X = with_bias(digits.data) if bias else digits.data
    data = MultiTaskData.one_vs_rest(
        X, digits.target, classes=DIGITS, feature_names=names
    )
    return finish(
        data.split(test_size, random_state=random_state, stratify=True),
        scale=scale,
        name="Digits",
        loss="logistic",
        source="sklearn.datasets.load_digits",
        citation="Alpaydin and Kaynak (1998), UCI, optical recognition of digits",
        options={"random_state": random_state, "test_size": test_size, "bias": bias},
    )


def _draw(
    sets: Sets,
    *,
    random_state: int,
    n_components: int,
    pca_on: PcaOn,
    scale: bool,
    scaled: Scaled,
    bias: bool,
    **record: Any,
) -> Dataset:
    """Draw 1000, 500 and 500 rows and reduce them; see :func:`fetch_mnist`."""
    X, y, X_test, y_test = sets
    rng = np.random.default_rng(random_state)
    train_rows = rng.choice(len(y), 1000, replace=False)
    rows = rng.choice(len(y_test), 1000, replace=False)
    _check_options(pca_on, scaled, n_components, X.shape[1])
    seen = X if pca_on == "training set" else X[train_rows]
    pixels = scale and scaled == "pixels"
    reduce = principal_components(
        seen, n_components, divisors(np.abs(seen).max(axis=0)) if pixels else 1.0
    )
    names = [f"pc_{i + 1}" for i in range(n_components)] + (["bias"] if bias else [])

    def part(images: Images, labels: Labels) -> MultiTaskData:
        design = with_bias(reduce(images)) if bias else reduce(images)
        return MultiTaskData.one_vs_rest(
            design, labels, classes=DIGITS, feature_names=names
        )

    return finish(
        [
            part(X[train_rows], y[train_rows]),
            part(X_test[rows[:500]], y_test[rows[:500]]),
            part(X_test[rows[500:]], y_test[rows[500:]]),
        ],
        scale=scale and not pixels,
        loss="logistic",
        options={
            "random_state": random_state,
            "n_components": n_components,
            "pca_on": pca_on,
            "scaled": scaled,
            "bias": bias,
        },
        **record,
    )


def principal_components(
    X: Images, n_components: int, divisor: Array | float = 1.0
) -> Callable[[npt.ArrayLike], Array]:
    """Return the map onto the leading principal components of the rows of X / divisor.

    Signs are fixed by making the largest loading of each component positive.
    """
    mean = X.mean(axis=0, dtype=np.float64) / divisor
    gram = np.zeros((X.shape[1], X.shape[1]))
    for start in range(0, len(X), CHUNK):
        centred = X[start : start + CHUNK] / divisor - mean
        gram += centred.T @ centred
    last = X.shape[1] - 1
    _, vectors = eigh(gram, subset_by_index=[last - n_components + 1, last])
    loadings = vectors[:, ::-1]
    largest = loadings[np.abs(loadings).argmax(axis=0), np.arange(n_components)]
    directions = loadings * np.where(largest < 0, -1.0, 1.0)

    def reduce(rows: npt.ArrayLike) -> Array:
        return (np.asarray(rows, dtype=np.float64) / divisor - mean) @ directions

    return reduce


def _check_options(pca_on: str, scaled: str, n_components: int, most: int) -> None:
    for name, value, known in (
        ("pca_on", pca_on, get_args(PcaOn)),
        ("scaled", scaled, get_args(Scaled)),
    ):
        if value not in known:
            msg = f"{name}={value!r} must be one of {list(known)}"
            raise ValueError(msg)
    if not 1 <= n_components <= most:
        msg = f"n_components={n_components} must be between 1 and {most}"
        raise ValueError(msg)
