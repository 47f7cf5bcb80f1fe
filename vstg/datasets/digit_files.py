"""The files of MNIST and USPS, and how they are read."""

from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt

from vstg.datasets.cache import DataFile, Form, Places, find_file, read_file
from vstg.datasets.download import FetchError

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
USPS_HDF5 = DataFile("usps", (Form("usps.h5"),), 2**26)
USPS_COUNTS = (
    (1194, 1005, 731, 658, 652, 556, 664, 645, 542, 644),
    (359, 264, 198, 166, 200, 160, 170, 147, 166, 177),
)


def read_mnist(places: Places) -> Sets:
    """Training and test set, one image per row."""
    images, labels, test_images, test_labels = (
        _read_idx(read_file(file, places)) for file in MNIST
    )
    return (
        images.reshape(len(images), -1),
        labels.astype(np.int64),
        test_images.reshape(len(test_images), -1),
        test_labels.astype(np.int64),
    )


def _read_idx(content: bytes) -> npt.NDArray[np.uint8]:
    """An array in LeCun's format: two zeros, the type, the sizes, the values."""
    sizes = np.frombuffer(content, dtype=">i4", count=content[3], offset=4)
    values = np.frombuffer(content, dtype=np.uint8, offset=4 + 4 * content[3])
    return values.reshape(sizes)


def read_usps(places: Places) -> Sets:
    """Training and test set, from LIBSVM's files or an archive of arrays."""
    path = find_file(USPS_ARRAYS, places)
    if path is not None and not _has_libsvm_files(places):
        with np.load(path, allow_pickle=False) as arrays:
            X, y = arrays["X_train"], arrays["y_train"].astype(np.int64)
            X_test, y_test = arrays["X_test"], arrays["y_test"].astype(np.int64)
        origin = str(path)
    else:
        _refuse_hdf5(places)
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


def _refuse_hdf5(places: Places) -> None:
    """A user who has the images as HDF5 is told how to bring them."""
    path = find_file(USPS_HDF5, places)
    if path is not None and not _has_libsvm_files(places):
        msg = (
            f"{path} is an HDF5 file, which is not read: put usps.bz2 and usps.t.bz2 "
            "beside it, or write usps.npz with X_train, y_train, X_test and y_test "
            "(pixels from -1 to 1, labels 0 to 9)"
        )
        raise FetchError(msg)


def _has_libsvm_files(places: Places) -> bool:
    return all(find_file(file, places) is not None for file in USPS)


def _read_svmlight(file: DataFile, places: Places) -> tuple[Images, Labels]:
    from sklearn.datasets import load_svmlight_file  # slow to import, rarely needed

    X, y = load_svmlight_file(BytesIO(read_file(file, places)), n_features=256)
    return X.toarray(), y.astype(np.int64) - 1  # the labels are digit + 1
