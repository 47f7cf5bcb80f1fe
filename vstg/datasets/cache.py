"""Where the files of the real data sets are: a local folder, the cache, the network."""

import bz2
import gzip
import hashlib
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedIOBase, BytesIO
from pathlib import Path
from typing import IO, TypedDict, Unpack

from platformdirs import user_cache_path

from vstg.datasets.download import FetchError, Progress, download

HOME_VARIABLE = "VSTG_DATA"
FOLDER_VARIABLE = "VSTG_DATA_DIR"

PathLike = str | os.PathLike[str]


@dataclass(frozen=True)
class Form:
    """One way in which a file is found: its name, addresses and packing.

    ``packing`` is "", "gzip", "bz2" or "zip:" and the name of a member. ``md5`` is that
    of the packed file, for publishers who give no other.
    """

    name: str
    urls: tuple[str, ...] = ()
    packing: str = ""
    md5: str = ""


@dataclass(frozen=True)
class DataFile:
    """One file of a data set, in any of its forms; ``sha256`` is of its content."""

    folder: str
    forms: tuple[Form, ...]
    max_bytes: int  # of the content
    sha256: str = ""


class Where(TypedDict, total=False):
    """What every fetcher takes by keyword, with the names of scikit-learn.

    data_home : path, optional
        The cache; see :func:`get_data_home`.
    data_dir : path, optional
        A folder with the files, looked at before the cache and never written to.
        The variable ``VSTG_DATA_DIR`` by default, if it is set.
    download_if_missing : bool, default=True
        False: raise instead of asking the network.
    n_retries : int, default=3
        How often a broken transfer is taken up again.
    delay : float, default=1.0
        Seconds before the first retry, doubled at each further one.
    progress : callable, optional
        ``progress(name, n_done, n_total)`` while a file arrives.
    """

    data_home: PathLike | None
    data_dir: PathLike | None
    download_if_missing: bool
    n_retries: int
    delay: float
    progress: Progress | None


@dataclass(frozen=True)
class Places:
    """Where to look, and whether to download.

    Attributes
    ----------
    home : Path
        The cache: downloads go here.
    folder : Path or None
        A folder of files that the user has, looked at first and never written to.
    download : bool
        Whether a missing file is fetched.
    retries, delay, progress
        See :func:`vstg.datasets.download.download`.
    """

    home: Path
    folder: Path | None = None
    download: bool = True
    retries: int = 3
    delay: float = 1.0
    progress: Progress | None = None

    @classmethod
    def of(cls, **where: Unpack["Where"]) -> "Places":
        """What the arguments of a fetcher and the environment say."""
        folder = where.get("data_dir") or os.environ.get(FOLDER_VARIABLE) or None
        if folder is not None and not Path(os.path.expanduser(folder)).is_dir():
            msg = f"the data folder {os.fspath(folder)!r} is not a folder"
            raise FetchError(msg)
        return cls(
            get_data_home(where.get("data_home")),
            None if folder is None else Path(os.path.expanduser(folder)),
            where.get("download_if_missing", True),
            where.get("n_retries", 3),
            where.get("delay", 1.0),
            where.get("progress"),
        )

    def candidates(self, file: DataFile) -> Iterator[tuple[Path, Form]]:
        """Every path at which a form of the file may lie, local folder first."""
        roots = [self.home] if self.folder is None else [self.folder, self.home]
        for root in roots:
            for form in file.forms:
                yield root / file.folder / form.name, form
                if root is self.folder:
                    yield root / form.name, form


def get_data_home(data_home: PathLike | None = None) -> Path:
    """Return the folder in which downloads are kept.

    ``data_home`` if given, else the environment variable ``VSTG_DATA``, else
    ``~/.cache/vstg`` if it is there, else the system's folder for caches
    (``~/.cache/vstg`` on Linux). It need not exist yet.
    """
    chosen = data_home or os.environ.get(HOME_VARIABLE)
    if chosen:
        return Path(os.path.expanduser(chosen))
    earlier = Path.home() / ".cache" / "vstg"  # of every system, once
    return earlier if earlier.is_dir() else user_cache_path("vstg", appauthor=False)


def read_file(file: DataFile, places: Places) -> bytes:
    """Return the content of a file, downloaded if need be, its checksum verified."""
    for path, form in places.candidates(file):
        if not path.is_file():
            continue
        try:
            return unpack_checked(path, file, form)
        except ValueError as error:
            if places.home in path.parents and places.download:
                path.unlink()  # damaged in the cache: fetch it again
                continue
            msg = f"{path}: {error}; replace the file or delete it"
            raise FetchError(msg) from error
    return _download(file, places)


def find_file(file: DataFile, places: Places) -> Path | None:
    """Return where a form of the file lies, None if it is nowhere."""
    return next((path for path, _ in places.candidates(file) if path.is_file()), None)


def unpack_checked(path: Path, file: DataFile, form: Form) -> bytes:
    """Return the content of a file on disk; ValueError if it is not what it should."""
    packed = path.read_bytes()
    if form.md5 and hashlib.md5(packed, usedforsecurity=False).hexdigest() != form.md5:
        msg = "the checksum (MD5) is not that of the published file"
        raise ValueError(msg)
    content = _unpack(packed, form.packing, file.max_bytes)
    if file.sha256 and hashlib.sha256(content).hexdigest() != file.sha256:
        msg = "the checksum (SHA-256) is not that of the published content"
        raise ValueError(msg)
    return content


def _unpack(packed: bytes, packing: str, max_bytes: int) -> bytes:
    """Return the content of a packed file, refusing more than ``max_bytes``."""
    try:
        with _opened(packed, packing) as stream:
            content = stream.read(max_bytes + 1)
    except (OSError, EOFError, KeyError, zipfile.BadZipFile, ValueError) as error:
        msg = f"it cannot be unpacked ({error})"
        raise ValueError(msg) from error
    if len(content) > max_bytes:
        msg = f"its content has more than the {max_bytes} bytes expected"
        raise ValueError(msg)
    return content


def _opened(packed: bytes, packing: str) -> IO[bytes] | BufferedIOBase:
    raw = BytesIO(packed)
    if packing == "gzip":
        return gzip.open(raw)
    if packing == "bz2":
        return bz2.open(raw)
    if packing.startswith("zip:"):
        return zipfile.ZipFile(raw).open(packing.removeprefix("zip:"))
    return raw


def _download(file: DataFile, places: Places) -> bytes:
    """Fetch the first form that can be had."""
    forms = [form for form in file.forms if form.urls]
    names = " or ".join(form.name for form in forms)
    if not places.download:
        folder = places.home / file.folder
        msg = f"{names} is not in {folder}. {advice(file, forms[0].urls[0])}"
        raise FetchError(msg)
    troubles = []
    for form in forms:
        target = places.home / file.folder / form.name
        try:
            _download_form(file, form, target, places)
        except FetchError as error:
            troubles.append(str(error))
        else:
            return unpack_checked(target, file, form)
    why = "; ".join(troubles)
    msg = f"{names} cannot be downloaded: {why}. {advice(file, forms[0].urls[0])}"
    raise FetchError(msg)


def _download_form(file: DataFile, form: Form, target: Path, places: Places) -> None:
    def check(path: Path) -> None:
        unpack_checked(path, file, form)

    download(
        form.urls,
        target,
        check=check,
        # Packed content is hardly ever longer than unpacked content.
        max_bytes=file.max_bytes + 2**16,
        retries=places.retries,
        delay=places.delay,
        progress=places.progress,
    )


def advice(file: DataFile, url: str) -> str:
    """What to do about a file that is not there."""
    names = " or ".join(dict.fromkeys(form.name for form in file.forms))
    return (
        f"Without a connection, get {url} by other means, put {names} into a "
        f"folder (or its sub-folder {file.folder}) and name that folder by data_dir= "
        f"or the variable {FOLDER_VARIABLE}"
    )
