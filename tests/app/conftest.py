"""The dashboard without a browser."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.runs.manager import run_manager

APP = Path(__file__).parents[2] / "app.py"


@pytest.fixture
def open_app():
    """Open the page with a query, and fail on any exception it shows."""

    def opened(**query):
        app = AppTest.from_file(str(APP), default_timeout=60)
        for key, value in query.items():
            app.query_params[key] = str(value)
        app.run()
        assert not app.exception
        return app

    return opened


@pytest.fixture
def managers():
    """A list for the managers of the stores that a test opens: closed at its end."""
    opened = []
    yield opened
    for manager in opened:
        manager.close()
    run_manager.clear()
