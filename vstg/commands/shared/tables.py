"""Read tables for the commands, and write files completely or not at all."""

from argparse import Namespace
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from vstg.data import DataError

if TYPE_CHECKING:
    from vstg.tables import Table

MISSING = ("", "nan", "NaN")
SEPARATORS = {".csv": ",", ".tsv": "\t"}
PARQUET = (".parquet", ".pq")
SUFFIXES = (*SEPARATORS, *PARQUET)


def parts_of(args: Namespace) -> dict[str, Any]:
    """Return the chosen sheet or arrays of a file, as :func:`read_table` takes them."""
    given = {name: getattr(args, name, None) for name in ("sheet", "variables")}
    return {name: value for name, value in given.items() if value is not None}


def open_table(path: str, **options: Any) -> "Table":
    """Read any table that :func:`vstg.tables.read_table` reads.

    In text only empty cells and ``nan`` are missing: ``NA`` may well be a task.
    """
    from vstg.tables import read_table as read
    from vstg.tables.limits import OWN_FILES

    return read(path, name=path, limits=OWN_FILES, missing=MISSING, **options)


def read_table(path: str, **options: Any) -> pd.DataFrame:
    """Read the rows of a table."""
    return open_table(path, **options).frame.reset_index(drop=True)


def table_bytes(frame: pd.DataFrame, path: str | Path) -> bytes:
    """Return the content of a table file."""
    suffix = check_suffix(path)
    if suffix in PARQUET:
        _need_pyarrow(path)
        buffer = BytesIO()
        frame.to_parquet(buffer, engine="pyarrow", index=False)
        return buffer.getvalue()
    return frame.to_csv(index=False, sep=SEPARATORS[suffix]).encode()


def write_files(contents: dict[Path, bytes]) -> None:
    """Write files so that no reader ever sees half of one."""
    from vstg.prediction.archive import write

    for path, content in contents.items():
        write(content, path)


def check_suffix(path: str | Path) -> str:
    """Return the suffix of a table's name; raise an error if we cannot write it."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        msg = f"{path}: the name of a table must end in {', '.join(SUFFIXES)}"
        raise DataError(msg)
    return suffix


def check_output(path: str | Path, *, force: bool) -> Path:
    """Raise an error if the path cannot be written to, before any work is done."""
    target = Path(path)
    if target.is_dir():
        msg = f"{target} is a folder: give the name of a file"
        raise DataError(msg)
    if not target.parent.is_dir():
        msg = f"the folder {target.parent} does not exist: create it first"
        raise DataError(msg)
    if target.exists() and not force:
        msg = f"{target} exists: choose another name, or give --force to replace it"
        raise DataError(msg)
    return target


def check_columns(
    frame: pd.DataFrame, wanted: Sequence[str], path: str, *, shown: int = 20
) -> None:
    """Raise an error if the table lacks one of these columns, and list its columns."""
    unknown = [name for name in wanted if name not in frame.columns]
    if unknown:
        there = ", ".join(repr(str(name)) for name in frame.columns[:shown])
        n_more = frame.shape[1] - shown
        more = f", … and {n_more} more" if n_more > 0 else ""
        msg = f"columns {unknown} are not in {path}; its columns are [{there}{more}]"
        raise DataError(msg)


def checked_roles(
    args: Namespace, frame: pd.DataFrame, path: str, features: list[str] | None = None
) -> list[str]:
    """Return task and targets; reject columns that are missing or have two roles."""
    roles = [*args.target] if args.task is None else [args.task, *args.target]
    if len(set(roles)) < len(roles):
        msg = f"columns {roles} cannot have two roles at once"
        raise DataError(msg)
    if args.task is not None and len(args.target) > 1:
        msg = "several targets are several tasks: leave --task out"
        raise DataError(msg)
    whole = [n for n in (args.together, args.order, args.weight) if n is not None]
    if (whole or args.task_weights) and args.as_is:
        msg = (
            "--together, --order, --weight and --task-weights belong to the "
            "preparation: leave --as-is out"
        )
        raise DataError(msg)
    others = [*(args.drop or []), *(args.features or features or []), *whole]
    check_columns(frame, [*roles, *others], path)
    leaking = [name for name in args.features or [] if name in roles]
    if leaking:
        msg = f"columns {leaking} are the task or a target: they cannot be features"
        raise DataError(msg)
    return roles


def _need_pyarrow(path: str | Path) -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        msg = f"{path}: Parquet needs pyarrow: pip install pyarrow, or use a .csv file"
        raise DataError(msg) from error
