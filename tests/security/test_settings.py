"""The settings that docs/security.md promises, where they are written."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

from streamlit import net_util
from streamlit.web.server.server_util import is_url_from_allowed_origins

from pages.shared.app import server
from vstg.jobs.queue.limits import WorkLimits
from vstg.tables import DEFAULT_LIMITS
from vstg.tables.prepare import HUGE
from vstg.tables.tasks import MAX_TASKS

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")


def test_the_server_is_local_and_guarded():
    server = SETTINGS["server"]
    assert server["address"] == "127.0.0.1"
    assert set(server["allowedHosts"]) == {"localhost", "127.0.0.1"}
    assert server["enableXsrfProtection"] is True
    assert server["enableCORS"] is True
    assert server["enableStaticServing"] is False
    assert server["enableAgentApi"] is False
    assert SETTINGS["browser"]["gatherUsageStats"] is False
    assert SETTINGS["client"]["showErrorDetails"] == "type"
    assert SETTINGS["client"]["toolbarMode"] == "viewer"


def test_nobody_is_asked_for_our_address_when_another_site_knocks(monkeypatch):
    asked = []
    monkeypatch.setattr(
        net_util, "_make_blocking_http_get", lambda url, **_: asked.append(url)
    )
    monkeypatch.setattr(net_util, "get_external_ip", net_util.get_external_ip)
    assert not is_url_from_allowed_origins("https://evil.invalid")
    assert asked  # so Streamlit does, left alone
    asked.clear()
    server.disable_external_ip_lookup()
    assert not is_url_from_allowed_origins("https://evil.invalid")
    assert not asked


def test_the_server_does_so_before_it_answers(monkeypatch):
    done = []
    for step in ("prepare", "disable_external_ip_lookup"):
        monkeypatch.setattr(server, step, lambda step=step: done.append(step))
    monkeypatch.setattr(server.cli, "main", lambda **_: done.append("answer"))
    monkeypatch.setattr(server.sys, "argv", [])
    monkeypatch.setattr(server.sys, "path", [])
    server.main([])
    assert done == ["prepare", "disable_external_ip_lookup", "answer"]


def test_uploads_end_where_tables_are_refused():
    assert SETTINGS["server"]["maxUploadSize"] * 2**20 == DEFAULT_LIMITS.max_bytes


def test_the_page_of_data_names_the_limits_of_tables():
    page = " ".join((ROOT / "docs" / "data.md").read_text("utf-8").split())
    limits, mb = DEFAULT_LIMITS, 2**20
    for words in (
        f"more than {limits.max_bytes // mb} MB, {limits.max_cells:,} cells",
        f"{limits.max_columns:,} columns or {MAX_TASKS:,} tasks",
        f"more than {limits.max_expanded // mb} MB, or to more than "
        f"{limits.max_ratio:.0f} times their size",
        f"over {limits.free_expanded // mb} MB",
        f"Values above {HUGE:g}".replace("+", ""),
    ):
        assert words in page


def test_every_setting_that_the_page_names_is_set():
    named = re.findall(r"`(server|browser|client)\.(\w+)", PAGE)
    assert len(named) >= 8
    assert all(name in SETTINGS[section] for section, name in named)


def test_the_page_lists_every_limit_with_its_default():
    listed = dict(re.findall(r"^\| `VSTG_MAX_(\w+)` \| (\d+) \|", PAGE, re.M))
    assert listed == {one.name.upper(): str(one.default) for one in fields(WorkLimits)}
