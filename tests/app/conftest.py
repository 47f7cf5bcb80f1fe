"""The dashboard without a browser."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.fits import curves

APP = Path(__file__).parents[2] / "app.py"


@pytest.fixture(autouse=True)
def without_curves(monkeypatch):
    """No curves below the sliders, which would be seventy fits for every setting."""
    monkeypatch.setattr(curves, "is_quick", lambda choices: False)


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
