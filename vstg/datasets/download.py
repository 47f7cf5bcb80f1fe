"""Download a file: in parts if need be, again if it breaks, never half of one.

The file grows under the name ``NAME.part`` and gets its own name when its content has
been checked, so that nobody meets an incomplete file, and a download that broke off
goes on where it stopped.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from socket import gaierror
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

CHUNK = 1 << 16
TIMEOUT = 30.0  # seconds without any byte

Progress = Callable[[str, int, int | None], None]  # name, bytes so far, bytes in all


class FetchError(OSError):
    """A data set cannot be had; the message says which file and what to do."""


class _TryAgainError(Exception):
    """The transfer broke; what has arrived stays."""


class _GiveUpError(Exception):
    """This address will not do, however often it is asked."""


def download(
    urls: Sequence[str],
    target: Path,
    *,
    check: Callable[[Path], None],
    max_bytes: int,
    retries: int = 3,
    delay: float = 1.0,
    progress: Progress | None = None,
) -> None:
    """Fetch ``target`` from the first of ``urls`` that gives the right content.

    Parameters
    ----------
    urls : sequence of str
        Addresses of the same content, best first.
    target : Path
        Where the file shall be. Its folder is created.
    check : callable
        Called with the path of a complete download; raises ValueError if its
        content is wrong.
    max_bytes : int
        A longer answer is refused.
    retries : int
        How often each address is asked again after a broken transfer.
    delay : float
        Seconds before the first retry; doubled at each further one.
    progress : callable, optional
        ``progress(name, n_done, n_total)`` after every chunk; ``n_total`` is None
        while it is unknown.

    Raises
    ------
    FetchError
        No address gave the file.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    troubles = []
    with _alone(target):
        if target.exists():  # another process was faster
            return
        for url in urls:
            try:
                _fetch(url, target, check, max_bytes, retries, delay, progress)
            except _GiveUpError as trouble:
                troubles.append(f"{url}: {trouble}")
            else:
                return
    raise FetchError("; ".join(troubles))


def _fetch(
    url: str,
    target: Path,
    check: Callable[[Path], None],
    max_bytes: int,
    retries: int,
    delay: float,
    progress: Progress | None,
) -> None:
    """Fetch from one address, checked and in place."""
    if urlsplit(url).scheme not in ("http", "https"):
        msg = "only http and https addresses are downloaded"
        raise _GiveUpError(msg)
    part = target.with_name(f"{target.name}.part")
    for attempt in range(retries + 1):
        try:
            _transfer(url, part, max_bytes, target.name, progress)
            check(part)
        except _TryAgainError as trouble:
            reason = str(trouble)
        except ValueError as trouble:
            # Parts of two versions may have been joined: begin anew.
            part.unlink(missing_ok=True)
            reason = str(trouble)
        else:
            part.replace(target)
            return
        if attempt < retries:
            time.sleep(delay * 2**attempt)
    raise _GiveUpError(reason)


def _transfer(
    url: str, part: Path, max_bytes: int, name: str, progress: Progress | None
) -> None:
    """Append to ``part`` what is missing; raise unless it is then complete."""
    start = part.stat().st_size if part.exists() else 0
    headers = {"User-Agent": "vstg"} | ({"Range": f"bytes={start}-"} if start else {})
    try:
        request = Request(url, headers=headers)
        with urlopen(request, timeout=TIMEOUT) as answer:  # nosec B310
            if answer.status != 206 or not _continues(answer, start):
                start = 0  # the server sends the whole file
            length = answer.headers.get("Content-Length", "")
            total = start + int(length) if length.isdigit() else None
            if total is not None and total > max_bytes:
                msg = f"it has {total} bytes, more than the {max_bytes} expected"
                raise _GiveUpError(msg)
            with part.open("ab" if start else "wb") as file:
                done = start
                for chunk in iter(lambda: answer.read(CHUNK), b""):
                    done += len(chunk)
                    if done > max_bytes:
                        msg = f"it goes on after the {max_bytes} bytes expected"
                        raise _GiveUpError(msg)
                    file.write(chunk)
                    if progress is not None:
                        progress(name, done, total)
    except HTTPError as error:
        _judge_status(error.code, part)
    except (HTTPException, URLError, TimeoutError, ConnectionError) as error:
        reason = getattr(error, "reason", None) or error
        words = str(reason) or type(error).__name__
        if isinstance(reason, gaierror):  # no name service: no connection
            raise _GiveUpError(words) from error
        raise _TryAgainError(words) from error
    if total is not None and done < total:
        msg = f"the transfer stopped after {done} of {total} bytes"
        raise _TryAgainError(msg)


def _continues(answer: object, start: int) -> bool:
    """Whether a partial answer begins where it was asked to."""
    declared = answer.headers.get("Content-Range", "")  # type: ignore[attr-defined]
    return declared.startswith(f"bytes {start}-")


def _judge_status(code: int, part: Path) -> None:
    """Turn the refusal of a server into another try, or into none."""
    if code == 416:  # more was asked for than there is
        part.unlink(missing_ok=True)
        msg = "the server has fewer bytes than arrived before"
        raise _TryAgainError(msg)
    if code in (408, 425, 429) or code >= 500:
        msg = f"the server answered {code}"
        raise _TryAgainError(msg)
    msg = f"the server answered {code}"
    raise _GiveUpError(msg)


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Let one process download a file while others wait, where locks exist."""
    try:
        import fcntl
    except ImportError:  # Windows: the check of the content still protects
        yield
        return
    lock = target.with_name(f".{target.name}.lock")
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
