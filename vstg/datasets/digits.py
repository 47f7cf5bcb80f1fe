"""The paper's handwritten digits, MNIST and USPS, and scikit-learn's: one task a digit.

Keywords for the files as in :mod:`vstg.datasets.regression`.
"""

from collections.abc import Callable
from io import BytesIO
from typing import Any, Literal, Unpack

import numpy as np
import numpy.typing as npt
from scipy.linalg import eigh

from vstg.data import Array, MultiTaskData
from vstg.datasets.cache import DataFile, Form, Places, Where, find_file, read_file
from vstg.datasets.download import FetchError
from vstg.datasets.real import RealDataset, finish, with_bias

DIGITS = tuple(range(10))
CHUNK = 8192  # rows at a time: all of MNIST in doubles would take 0.4 GB
PcaOn = Literal["training set", "drawn"]
Images = npt.NDArray[Any]
Labels = npt.NDArray[np.int64]
Sets = tuple[Images, Labels, Images, Labels]  # training and test, each with labels

MNIST_HOSTS = (
    "https://ossci-datasets.s3.amazonaws.com/mnist",
    "https://storage.googleapis.com/cvdf-datasets/mnist",
)
LIBSVM = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/multiclass"


def _idx(name: str, n_bytes: int, sha256: str) -> DataFile:
    urls = tuple(f"{host}/{name}.gz" for host in MNIST_HOSTS)
    return DataFile(
        "mnist", (Form(f"{name}.gz", urls, "gzip"), Form(name)), n_bytes, sha256
    )


MNIST = (
    _idx(
        "train-images-idx3-ubyte",
        47040016,
        "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
    ),
    _idx(
        "train-labels-idx1-ubyte",
        60008,
        "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
    ),
    _idx(
        "t10k-images-idx3-ubyte",
        7840016,
        "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
    ),
    _idx(
        "t10k-labels-idx1-ubyte",
        10008,
        "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
    ),
)
USPS = tuple(
    DataFile("usps", (Form(name, (f"{LIBSVM}/{name}",), "bz2", md5),), 2**26)
    for name, md5 in (
        ("usps.bz2", "ec16c51db3855ca6c91edd34d0e9b197"),
        ("usps.t.bz2", "8ea070ee2aca1ac39742fdd1ef5ed118"),
    )
)
USPS_ARRAYS = DataFile("usps", (Form("usps.npz"),), 2**26)
USPS_COUNTS = (
    (1194, 1005, 731, 658, 652, 556, 664, 645, 542, 644),
    (359, 264, 198, 166, 200, 160, 170, 147, 166, 177),
)


def fetch_mnist(
    *,
    random_state: int = 0,
    n_components: int = 64,
    pca_on: PcaOn = "training set",
    scale: bool = True,
    bias: bool = False,
    **where: Unpack[Where],
) -> RealDataset:
    """MNIST as in the paper: 10 one-vs-rest tasks on 64 principal components.

    1000 rows of the training set are drawn for training, and 500 and 500 of the test
    set, none twice, for validation and for testing.

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
        Divide the components by their training maximum, as the paper says.
    bias : bool
        Add a constant column. The classes are unbalanced, so a model without an
        intercept needs it.
    **where
        See :class:`vstg.datasets.cache.Where`.
    """
    places = Places.of(**where)
    images, labels, test_images, test_labels = (
        _read_idx(read_file(file, places)) for file in MNIST
    )
    sets = (
        images.reshape(len(images), -1),
        labels.astype(np.int64),
        test_images.reshape(len(test_images), -1),
        test_labels.astype(np.int64),
    )
    return _draw(
        sets,
        random_state=random_state,
        n_components=n_components,
        pca_on=pca_on,
        scale=scale,
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
    bias: bool = False,
    **where: Unpack[Where],
) -> RealDataset:
    """USPS as in the paper: 10 one-vs-rest tasks on 87 principal components.

    Rows are drawn and parameters meant as in :func:`fetch_mnist`; the training set
    has 7291 images of 16 x 16 pixels and the test set 2007.
    """
    sets = _read_usps(Places.of(**where))
    return _draw(
        sets,
        random_state=random_state,
        n_components=n_components,
        pca_on=pca_on,
        scale=scale,
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
) -> RealDataset:
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
        kind="classification",
        source="sklearn.datasets.load_digits",
        citation="Alpaydin and Kaynak (1998), UCI, optical recognition of digits",
        options={"random_state": random_state, "test_size": test_size, "bias": bias},
    )


def _read_idx(content: bytes) -> npt.NDArray[np.uint8]:
    """An array in LeCun's format: two zeros, the type, the sizes, the values."""
    sizes = np.frombuffer(content, dtype=">i4", count=content[3], offset=4)
    values = np.frombuffer(content, dtype=np.uint8, offset=4 + 4 * content[3])
    return values.reshape(sizes)


def _read_usps(places: Places) -> Sets:
    """Training and test set, from LIBSVM's files or an archive of arrays."""
    path = find_file(USPS_ARRAYS, places)
    if path is not None and not _has_libsvm_files(places):
        with np.load(path, allow_pickle=False) as arrays:
            X, y = arrays["X_train"], arrays["y_train"].astype(np.int64)
            X_test, y_test = arrays["X_test"], arrays["y_test"].astype(np.int64)
        origin = str(path)
    else:
        (X, y), (X_test, y_test) = (_read_svmlight(f, places) for f in USPS)
        origin = "usps.bz2"
    counts = tuple(tuple(np.bincount(v, minlength=10).tolist()) for v in (y, y_test))
    if counts != USPS_COUNTS or X.shape[1:] != (256,) or X_test.shape[1:] != (256,):
        msg = (
            f"{origin} has {counts} images of each digit for training and testing, "
            f"and USPS has {USPS_COUNTS}: replace the file"
        )
        raise FetchError(msg)
    return X, y, X_test, y_test


def _has_libsvm_files(places: Places) -> bool:
    return all(find_file(file, places) is not None for file in USPS)


def _read_svmlight(file: DataFile, places: Places) -> tuple[Images, Labels]:
    from sklearn.datasets import load_svmlight_file  # slow to import, rarely needed

    X, y = load_svmlight_file(BytesIO(read_file(file, places)), n_features=256)
    return X.toarray(), y.astype(np.int64) - 1  # the labels are digit + 1


def _draw(
    sets: Sets,
    *,
    random_state: int,
    n_components: int,
    pca_on: PcaOn,
    scale: bool,
    bias: bool,
    **record: Any,
) -> RealDataset:
    """Draw 1000, 500 and 500 rows and reduce them; see :func:`fetch_mnist`."""
    X, y, X_test, y_test = sets
    rng = np.random.default_rng(random_state)
    train_rows = rng.choice(len(y), 1000, replace=False)
    rows = rng.choice(len(y_test), 1000, replace=False)
    if pca_on not in ("training set", "drawn"):
        msg = f"pca_on={pca_on!r} must be 'training set' or 'drawn'"
        raise ValueError(msg)
    if not 1 <= n_components <= X.shape[1]:
        msg = f"n_components={n_components} must be between 1 and {X.shape[1]}"
        raise ValueError(msg)
    reduce = principal_components(
        X if pca_on == "training set" else X[train_rows], n_components
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
        scale=scale,
        kind="classification",
        options={
            "random_state": random_state,
            "n_components": n_components,
            "pca_on": pca_on,
            "bias": bias,
        },
        **record,
    )


def principal_components(
    X: Images, n_components: int
) -> Callable[[npt.ArrayLike], Array]:
    """Return the map onto the leading principal components of the rows of X.

    Signs are fixed by making the largest loading of each component positive.
    """
    mean = X.mean(axis=0, dtype=np.float64)
    gram = np.zeros((X.shape[1], X.shape[1]))
    for start in range(0, len(X), CHUNK):
        centred = X[start : start + CHUNK] - mean
        gram += centred.T @ centred
    last = X.shape[1] - 1
    _, vectors = eigh(gram, subset_by_index=[last - n_components + 1, last])
    loadings = vectors[:, ::-1]
    largest = loadings[np.abs(loadings).argmax(axis=0), np.arange(n_components)]
    directions = loadings * np.where(largest < 0, -1.0, 1.0)

    def reduce(rows: npt.ArrayLike) -> Array:
        return (np.asarray(rows, dtype=np.float64) - mean) @ directions

    return reduce
