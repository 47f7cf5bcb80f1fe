"""``vstg app``: the dashboard, from a checkout or from the installed package."""

import errno
import os
import runpy
import socket
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from importlib.util import find_spec
from pathlib import Path

from vstg.commands.shared.command import Command

EXAMPLES = """\
  vstg app --port 8600 --store class.sqlite
  vstg app --data-dir ~/data
  vstg app --host 0.0.0.0 --allow-host vstg.example.org
  vstg app --login --admit @example.org"""

PACKAGE = Path(__file__).parents[1]
HIGHEST_PORT = 65535


def port(text: str) -> int:
    """Read the number of a port."""
    if not text.isdecimal() or not 1 <= int(text) <= HIGHEST_PORT:
        msg = f"{text!r} is not a port: give a number from 1 to {HIGHEST_PORT}"
        raise ArgumentTypeError(msg)
    return int(text)


def admitted(text: str) -> str:
    """Read an e-mail address, or @ followed by a domain."""
    if not text.partition("@")[2] or text.count("@") != 1 or text.split() != [text]:
        msg = f"{text!r} is neither an e-mail address nor a domain as in @example.org"
        raise ArgumentTypeError(msg)
    return text


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options: where to listen, where to keep runs, who may log in."""
    add = parser.add_argument
    add("--port", type=port, help="port to listen on (default 8501)")
    add("--host", help="address to listen on (default 127.0.0.1: this machine only)")
    add(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="host name that visitors may use (default localhost; repeatable)",
    )
    add("--store", metavar="FILE", help="keep runs in this file")
    add("--scheduler", metavar="ADDRESS", help="Dask cluster for searches")
    add(
        "--data-dir",
        metavar="FOLDER",
        help="folder with the paper's data sets (default: $VSTG_DATA_DIR)",
    )
    add(
        "--login",
        action="store_true",
        help="ask every visitor to log in; needs [auth] in .streamlit/secrets.toml",
    )
    add(
        "--admit",
        action="append",
        default=[],
        type=admitted,
        metavar="WHO",
        help="as --login, but admit only this address, or all of @example.org "
        "(repeatable)",
    )


def run(args: Namespace) -> int | None:
    """Serve the dashboard until Ctrl-C, and print its address.

    It listens on this machine only unless --host says otherwise. STREAMLIT_… variables
    change every other setting of the server.
    """
    server = dashboard() / "pages" / "shared" / "app" / "server.py"
    check_installed("the dashboard", ("streamlit", "plotly"), "app")
    if args.login or args.admit:
        check_installed("a login", ("authlib", "httpx"), "login")
    if args.port is not None:
        check_free(args.host or "127.0.0.1", args.port)
    if args.data_dir is not None:
        if not Path(args.data_dir).is_dir():
            msg = f"--data-dir: {args.data_dir!r} is not a folder"
            raise ValueError(msg)
        os.environ["VSTG_DATA_DIR"] = str(Path(args.data_dir).resolve())
    sys.argv = [str(server), *arguments(args)]
    runpy.run_path(str(server), run_name="__main__")
    return None


def check_installed(what: str, packages: tuple[str, ...], extra: str) -> None:
    """Raise an error if packages that the pages need are not installed."""
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        msg = (
            f"{what} needs {' and '.join(missing)}: install them with "
            f"pip install 'vstg[{extra}]'"
        )
        raise ValueError(msg)


def check_free(host: str, port: int) -> None:
    """Raise an error if the port is in use, before everything has been imported."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except PermissionError:
            msg = f"port {port} is for administrators: give one above 1023 with --port"
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                msg = f"port {port} is in use: end that program, or give another --port"
            else:
                msg = f"this machine cannot listen on {host}: {error.strerror or error}"
        else:
            return
    raise ValueError(msg)


def dashboard() -> Path:
    """Find the folder of app.py: in the wheel, or next to the package in a checkout."""
    for folder in (PACKAGE / "_dashboard", PACKAGE.parent):
        if (folder / "pages" / "shared" / "app" / "server.py").is_file():
            return folder
    msg = (
        f"the dashboard is not next to {PACKAGE}: install vstg from its wheel, or run "
        "this in a checkout that has app.py and pages/"
    )
    raise FileNotFoundError(msg)


def arguments(args: Namespace) -> list[str]:
    """Translate the options for Streamlit; its own settings apply to the rest."""
    told = [f"--server.allowedHosts={name}" for name in args.allow_host]
    if args.port is not None:
        told.append(f"--server.port={args.port}")
    if args.host is not None:
        told.append(f"--server.address={args.host}")
    own = [
        f"--{name}={value}"
        for name, value in (("store", args.store), ("scheduler", args.scheduler))
        if value is not None
    ]
    own += ["--login"] * args.login + [f"--admit={who}" for who in args.admit]
    return [*told, "--", *own]


COMMAND = Command("serve the dashboard to a browser", run, add_arguments, EXAMPLES)
