"""The report is one file that needs nothing else."""

import re

import numpy as np
import pandas as pd

from vstg.plots import scheme_figure
from vstg.plots.report import MAX_ROWS, Section, report_html


def test_report_asks_the_network_for_nothing(make_scheme):
    figure = scheme_figure(make_scheme(np.eye(3), np.eye(3)))
    html = report_html("title", [Section("U, V, W", figures={"a caption": figure})])
    body = html.partition("</script>")[2]
    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=", html[:2000])
    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=", body)
    assert "a caption" in body


def test_report_escapes_what_others_wrote():
    table = pd.DataFrame({"<b>": ["<script>alert(1)</script>"]})
    html = report_html("<i>", [Section("<u>", "<p>", table=table, listing="<pre>")])
    body = html.partition("</head>")[2]
    for tag in ("<i>", "<u>", "<script>alert", "<b>"):
        assert tag not in body


def test_long_tables_are_cut_and_say_so():
    table = pd.DataFrame({"a": range(MAX_ROWS + 3)})
    assert "and 3 more rows" in report_html("t", [Section("s", table=table)])
