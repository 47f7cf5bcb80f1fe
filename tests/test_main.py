"""The command line as a user meets it: exit codes, and what goes where."""

import subprocess
import sys
import warnings
from argparse import Namespace

import pytest

from vstg.__main__ import COMMANDS, Command, main


def refuse(error):
    def run(args: Namespace) -> None:
        raise error

    return Command("refuse", run)


@pytest.mark.parametrize(
    "error",
    [ValueError("k=9 must lie\nbetween 1 and 5"), FileNotFoundError("no table.csv")],
    ids=["ValueError", "OSError"],
)
def test_bad_input_is_one_line_and_exit_code_2(monkeypatch, capsys, error):
    monkeypatch.setitem(COMMANDS, "refuse", refuse(error))
    assert main(["refuse"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"vstg: {' '.join(str(error).split())}\n"


def test_a_mistake_of_ours_keeps_its_traceback(monkeypatch):
    monkeypatch.setitem(COMMANDS, "refuse", refuse(KeyError("bug")))
    with pytest.raises(KeyError):
        main(["refuse"])


def test_arguments_reach_the_command(monkeypatch, capsys):
    greet = Command(
        "greet",
        lambda args: print("hello", args.name),
        lambda parser: parser.add_argument("name"),
    )
    monkeypatch.setitem(COMMANDS, "greet", greet)
    assert main(["greet", "you"]) == 0
    assert capsys.readouterr().out == "hello you\n"


@pytest.mark.parametrize("argv", [[], ["unknown"]], ids=["none", "unknown"])
def test_without_a_known_command_usage_is_shown(capsys, argv):
    with pytest.raises(SystemExit) as stop:
        main(argv)
    assert stop.value.code == 2
    assert "usage: vstg" in capsys.readouterr().err


def test_help_lists_every_command(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in COMMANDS)


def test_package_runs_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "vstg", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("vstg ")


def test_ctrl_c_is_one_line_and_exit_code_130(monkeypatch, capsys):
    monkeypatch.setitem(COMMANDS, "refuse", refuse(KeyboardInterrupt()))
    assert main(["refuse"]) == 130
    assert capsys.readouterr().err == "vstg: interrupted\n"


def test_a_command_may_choose_its_exit_code(monkeypatch):
    monkeypatch.setitem(COMMANDS, "seven", Command("seven", lambda args: 7))
    assert main(["seven"]) == 7


def test_warnings_are_one_line_without_a_place_in_the_code(monkeypatch, capsys):
    def run(args: Namespace) -> None:
        warnings.warn("mind\nthe gap", UserWarning, stacklevel=1)

    monkeypatch.setitem(COMMANDS, "warn", Command("warn", run))
    assert main(["warn"]) == 0
    assert capsys.readouterr().err == "vstg: warning: mind the gap\n"


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "compile"])
def test_help_of_every_command_has_examples(capsys, name):
    with pytest.raises(SystemExit) as stop:
        main([name, "--help"])
    assert stop.value.code == 0
    assert f"examples:\n  vstg {name} " in capsys.readouterr().out


def test_the_command_does_not_load_what_it_may_not_need():
    code = "import sys, vstg.__main__, vstg.jobs.queue.worker; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"scipy.stats", "sklearn", "streamlit", "plotly", "distributed"}
