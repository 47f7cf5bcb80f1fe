"""The factor scheme, as a plotly figure and as values for the browser."""

import base64
import json

import numpy as np
import pytest

from vstg.plots import VIEWS, scheme_figure, scheme_payload


def matrix(payload):
    values = np.frombuffer(base64.b64decode(payload["z"]), dtype="<f4")
    return values.reshape(payload["shape"])


@pytest.mark.parametrize("view", VIEWS)
def test_figure_of_any_result(factors, make_scheme, view):
    U, V = factors
    data = make_scheme(U, V, truth=(U, V), view=view, focus=("x0", "task0"))
    figure = scheme_figure(data)
    maps = {trace.name: trace for trace in figure.data if trace.type == "heatmap"}
    assert maps["W"].z.shape == (len(U), V.shape[1])
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]  # downwards
    np.testing.assert_array_equal(np.isnan(maps["W"].z), (U @ V) == 0)
    assert maps["W"].coloraxis == maps["W true"].coloraxis
    json.loads(figure.to_json())


def test_figure_without_truth_has_one_scheme(make_scheme):
    data = make_scheme(np.eye(3), np.eye(3))
    names = [trace.name for trace in scheme_figure(data).data]
    assert names == ["U", "V", "W", "groups", "importance"]


def test_focus_frames_the_row_of_U_and_the_column_of_V(make_scheme):
    data = make_scheme(np.ones((4, 2)), np.ones((2, 3)), focus=("x2", "task1"))
    boxes = {
        shape.xref: (shape.x0, shape.x1, shape.y0, shape.y1)
        for shape in scheme_figure(data).layout.shapes
        if shape.type == "rect"
    }
    assert boxes["x"] == (-0.5, 1.5, 1.5, 2.5)
    assert boxes["x2"] == (0.5, 1.5, -0.5, 1.5)
    assert boxes["x3"] == (0.5, 1.5, 1.5, 2.5)


def test_unknown_focus_is_ignored(make_scheme):
    data = make_scheme(np.ones((4, 2)), np.ones((2, 3)), focus=("x9", "task1"))
    assert data.focus_position is None
    assert scheme_payload(data)["cell"] is None


def test_payload_of_any_result(factors, make_scheme):
    U, V = factors
    payload = scheme_payload(make_scheme(U, V, truth=(2 * U, V)))
    W = matrix(payload["estimate"]["W"])
    np.testing.assert_allclose(W, U @ V, rtol=1e-6)
    np.testing.assert_array_equal(W == 0, (U @ V) == 0)
    assert payload["limits"]["U"] == pytest.approx(2 * np.abs(U).max() or 1.0)
    assert len(payload["groups"]) == V.shape[1]
    assert len(payload["importance"]) == len(payload["status"]) == len(U)
    json.dumps(payload)


def test_payload_is_small(make_scheme):
    rng = np.random.default_rng(0)
    U, V = rng.normal(size=(500, 10)), rng.normal(size=(10, 200))
    assert len(json.dumps(scheme_payload(make_scheme(U, V)))) < 700_000


def test_number_too_small_for_the_browser_is_no_zero(make_scheme):
    payload = scheme_payload(make_scheme(np.full((1, 1), 1e-60), np.ones((1, 1))))
    assert matrix(payload["estimate"]["W"])[0, 0] > 0


def test_digest_follows_W(make_scheme):
    one, two = (
        scheme_payload(make_scheme(np.eye(2), s * np.eye(2)))["digest"] for s in (1, 2)
    )
    again = scheme_payload(make_scheme(np.eye(2), np.eye(2), view="pattern"))["digest"]
    assert one != two
    assert one == again
