"""``vstg app``: what it asks of Streamlit, and what it says when it cannot start."""

import socket
from argparse import ArgumentParser
from pathlib import Path

import pytest

from vstg.__main__ import main
from vstg.commands import app

ROOT = Path(__file__).parents[2]


def told(*words: str) -> list[str]:
    parser = ArgumentParser()
    app.add_arguments(parser)
    return app.arguments(parser.parse_args(words))


def test_a_checkout_serves_its_own_dashboard():
    assert app.dashboard() == ROOT


def test_without_arguments_the_settings_of_the_project_hold():
    assert told() == ["--"]


def test_every_argument_reaches_streamlit_or_the_pages():
    assert told(
        "--port", "8600", "--host", "0.0.0.0", "--allow-host", "a.org",
        "--allow-host", "b.org", "--store", "s.sqlite", "--scheduler", "tcp://h:1",
    ) == [
        "--server.allowedHosts=a.org", "--server.allowedHosts=b.org",
        "--server.port=8600", "--server.address=0.0.0.0",
        "--", "--store=s.sqlite", "--scheduler=tcp://h:1",
    ]  # fmt: skip


def test_a_login_reaches_the_pages():
    assert told("--login") == ["--", "--login"]
    assert told("--admit", "@a.org", "--admit", "b@c.org") == [
        "--", "--admit=@a.org", "--admit=b@c.org",
    ]  # fmt: skip


@pytest.mark.parametrize("who", ["example.org", "ann@", "a@b@c", "@a b", ""])
def test_who_cannot_be_admitted_is_refused_in_words(capsys, who):
    with pytest.raises(SystemExit) as stop:
        main(["app", f"--admit={who}"])
    assert stop.value.code == 2
    assert "neither an e-mail address nor a domain" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--login", "--admit=@example.org"])
def test_a_login_without_its_packages_does_not_start(monkeypatch, capsys, option):
    monkeypatch.setattr(app, "find_spec", lambda name: name != "authlib" or None)
    assert main(["app", option]) == 2
    error = capsys.readouterr().err
    assert "a login needs authlib" in error and "pip install 'vstg[login]'" in error


@pytest.mark.parametrize("word", ["0", "65536", "-1", "8e3", "http"])
def test_a_port_that_cannot_be_is_refused_in_words(capsys, word):
    with pytest.raises(SystemExit) as stop:
        main(["app", f"--port={word}"])
    assert stop.value.code == 2
    assert f"'{word}' is not a port: give a number from" in capsys.readouterr().err


def test_without_the_packages_of_the_dashboard_the_way_to_them_is_named(
    monkeypatch, capsys
):
    monkeypatch.setattr(app, "find_spec", lambda name: None)
    assert main(["app"]) == 2
    error = capsys.readouterr().err
    assert "needs streamlit and plotly" in error and "pip install 'vstg[app]'" in error


def test_without_the_pages_the_missing_folder_is_named(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(app, "PACKAGE", tmp_path / "vstg")
    assert main(["app"]) == 2
    assert f"is not next to {tmp_path / 'vstg'}" in capsys.readouterr().err


def test_a_port_in_use_is_refused_before_anything_is_imported(capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        assert main(["app", "--port", str(taken)]) == 2
    assert f"port {taken} is in use" in capsys.readouterr().err


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host"])
def test_an_address_of_another_machine_is_refused(capsys, host):
    assert main(["app", "--port", "8600", "--host", host]) == 2
    assert f"cannot listen on {host}" in capsys.readouterr().err
