"""A synthetic problem on disk, and the command line as a function."""

import pytest

from vstg.__main__ import main


@pytest.fixture
def vstg(capsys, tmp_path, monkeypatch):
    """Run a command in a folder of its own; returns code, output and complaints."""
    monkeypatch.chdir(tmp_path)

    def run(line):
        try:
            code = main(line.split() if isinstance(line, str) else line)
        except SystemExit as stop:  # argparse ends so
            code = stop.code
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


@pytest.fixture
def syn(vstg):
    """A small Syn1 in the folder syn."""
    sizes = "--n-features 10 --n-tasks 4 --n-latent 2 --n-train 30 --n-test 40"
    assert vstg(f"generate 1 -o syn {sizes}")[0] == 0
