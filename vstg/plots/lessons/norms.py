"""Lesson 3: unit balls in the plane and in space, a loss that meets one, twins."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from vstg.data import Array
from vstg.lessons.norms import CORRELATIONS, Contact, Twins
from vstg.notation import decimal_text
from vstg.plots.layout import dots, fixed_axis, legend_above, line, margins, title
from vstg.plots.lessons.player import Words, columns, played, told
from vstg.plots.palette import BLUE, GREY, ORANGE, PURPLE, TEAL

WEIGHT_COLOURS = (TEAL, ORANGE, BLUE, GREY)
WEIGHT_DASHES = ("solid", "dash", "dot", "dashdot")
SPAN = ((-1.7, 2.6), (-1.5, 1.7))  # of the plane: the level sets are seen whole
ANGLES = tuple(range(40, 400, 20))  # from which the balls in space are seen


def contact_figure(
    balls: dict[str, Array], chosen: str, met: Contact, words: Words, *, height: int
) -> go.Figure:
    """All unit balls as outlines, the chosen one filled, level sets up to contact."""
    traces = [_levels(met, words)]
    for name, points in balls.items():
        on = name == chosen
        outline = line(
            points[:, 0], points[:, 1], words[name],
            colour=TEAL if on else GREY, width=3.5 if on else 1.2,
            fill="toself" if on else "none", fillcolor="rgba(42,145,135,0.22)",
            showlegend=on,
        )  # fmt: skip
        traces.append(outline)
    traces.append(_point(met.centre, words["centre"], "x", GREY, 12))
    traces.append(_point(met.point, words["contact"], "circle", ORANGE, 15))
    x, y = ({"range": list(ends), "zeroline": True} for ends in SPAN)
    layout = {
        "height": height,
        "margin": margins(36),
        "legend": legend_above(1.01),
        "hovermode": "closest",
        "xaxis": fixed_axis("w₁", **x, constrain="domain"),
        "yaxis": fixed_axis("w₂", **y, scaleanchor="x", scaleratio=1),
    }
    text = words["said_plane"].format(norm=words[chosen], **_coordinates(met))
    return told(go.Figure({"data": traces, "layout": layout}), text)


def _coordinates(met: Contact) -> dict[str, str]:
    at = {"w": met.point, "c": met.centre}
    return {
        f"{n}{i + 1}": decimal_text(float(p[i])) for n, p in at.items() for i in (0, 1)
    }


def _levels(met: Contact, words: Words) -> dict[str, Any]:
    at_x, at_y = np.linspace(*SPAN[0], 87), np.linspace(*SPAN[1], 65)
    grid = np.stack(np.meshgrid(at_x, at_y), axis=-1)
    touch = float(met.loss(met.point))
    size = touch / 3 if touch > 1e-9 else 0.25
    return {
        "type": "contour",
        "name": words["levels"],
        "x": at_x,
        "y": at_y,
        "z": met.loss(grid).astype(np.float32),
        "contours": {
            "start": size, "end": size * 3.0001, "size": size, "coloring": "none",
        },
        "line": {"color": ORANGE, "width": 1.6},
        "showscale": False,
        "showlegend": True,
        "hoverinfo": "skip",
    }  # fmt: skip


def _point(at: Array, name: str, symbol: str, colour: str, size: int) -> dict[str, Any]:
    return dots(
        [at[0]], [at[1]], name, colour=colour, size=size, marker={"symbol": symbol},
        hover="(%{x:.2f}, %{y:.2f})<extra></extra>",
    )  # fmt: skip


def ball_figure(balls: dict[str, Array], words: Words, *, height: int) -> go.Figure:
    """Unit balls in space, two in a row; the frames walk around them."""
    layout: dict[str, Any] = {
        "height": height, "margin": {"l": 0, "r": 0, "t": 34, "b": 0, "pad": 0}
    }  # fmt: skip
    traces, notes = [], []
    places = [(x, y) for y in ((0.53, 0.97), (0.0, 0.44)) for x in columns(2)]
    for number, ((name, surface), (share, level)) in enumerate(
        zip(balls.items(), places, strict=False), start=1
    ):
        scene = "scene" if number == 1 else f"scene{number}"
        axis = {"range": [-1.1, 1.1], "nticks": 4, "backgroundcolor": "rgba(0,0,0,0)"}
        layout[scene] = {
            "domain": {"x": list(share), "y": list(level)},
            "aspectmode": "cube",
            "dragmode": "turntable",
            "camera": _camera(ANGLES[0]),
            **{f"{d}axis": {**axis, "title": {"text": f"w{s}"}}
               for d, s in zip("xyz", "₁₂₃", strict=True)},
        }  # fmt: skip
        traces.append(_surface(surface, words[name], scene))
        notes.append(title(words[name], share[0], level[1], 14))
    scenes = [name for name in layout if name.startswith("scene")]
    frames = [
        {
            "data": [],
            "traces": [],
            "layout": {s: {"camera": _camera(a)} for s in scenes},
        }
        for a in ANGLES
    ]
    reach = ", ".join(f"{words[n]} {_diagonal(ball)}" for n, ball in balls.items())
    labels = [f"{angle % 360}°" for angle in ANGLES]
    texts = [words["said_space"].format(angle=label, reach=reach) for label in labels]
    whole = layout | {"annotations": notes}
    return played(traces, whole, frames, labels, texts, milliseconds=400)


def _camera(angle: float) -> dict[str, Any]:
    """A place on a circle around the origin, in degrees from the first axis."""
    turn = np.radians(angle)
    return {"eye": {"x": 2.3 * np.cos(turn), "y": 2.3 * np.sin(turn), "z": 1.0}}


def _diagonal(surface: Array) -> str:
    """How far a ball reaches along (1, 1, 1): the entry of its point there."""
    points = surface.reshape(3, -1)
    uneven = np.ptp(points, axis=0) + np.where(points[0] > 0, 0.0, np.inf)
    return decimal_text(float(points[0, int(np.nanargmin(uneven))]))


def _surface(surface: Array, name: str, scene: str) -> dict[str, Any]:
    """Triangles over the lattice of every face; rows of NaN part the faces."""
    rows, count = surface.shape[1:]
    number = np.arange(rows * count).reshape(rows, count)
    whole = ~np.isnan(surface[0, :, 0])
    upper = number[:-1][whole[:-1] & whole[1:]]
    corner = upper[:, :-1].ravel()
    beside, below, across = corner + 1, corner + count, corner + count + 1
    x, y, z = np.nan_to_num(surface).reshape(3, -1).astype(np.float32)
    return {
        "type": "mesh3d", "name": name, "x": x, "y": y, "z": z, "scene": scene,
        "i": np.concatenate([corner, across]), "j": np.concatenate([beside, below]),
        "k": np.concatenate([below, beside]), "flatshading": True,
        "intensity": np.sqrt(x**2 + y**2 + z**2),
        "cmin": 0.55, "cmax": 1.75, "showscale": False,
        "colorscale": [[0, "#7fc0b8"], [1, "#0f6b6b"]],
        "lighting": {
            "ambient": 0.66, "diffuse": 0.6, "specular": 0.1,
            "facenormalsepsilon": 0, "vertexnormalsepsilon": 0,
        },
        "hovertemplate": "(%{x:.2f}, %{y:.2f}, %{z:.2f})<extra></extra>",
    }  # fmt: skip


def _weights(twins: Twins, words: Words, axis: str) -> list[dict[str, Any]]:
    """One line a weight; the first panel has the legend."""
    return [
        line(
            list(CORRELATIONS), twins.weights[:, i], f"{words['weight']} v{'₁₂₃₄'[i]}",
            colour=colour, width=3, dash=WEIGHT_DASHES[i], hover="%{y:.2f}",
            xaxis=f"x{axis}", yaxis=f"y{axis}", showlegend=not axis,
        )
        for i, colour in enumerate(WEIGHT_COLOURS)
    ]  # fmt: skip


def twins_figure(
    plain: Twins, mixed: Twins, words: Words, rho: float, *, height: int
) -> go.Figure:
    """Weights against the twins' correlation, for k = 1 and for the chosen k."""
    layout: dict[str, Any] = {
        "height": height,
        "margin": margins(64),
        "hovermode": "x unified",
        "legend": legend_above(1.09),
    }
    traces: list[dict[str, Any]] = []
    notes = []
    for number, (twins, share) in enumerate(
        zip((plain, mixed), columns(2, 0.08), strict=True), start=1
    ):
        axis = "" if number == 1 else "2"
        traces += _weights(twins, words, axis)
        layout[f"xaxis{axis}"] = fixed_axis(
            words["correlation"], domain=list(share), anchor=f"y{axis}"
        )
        layout[f"yaxis{axis}"] = fixed_axis(
            words["weights"] if not axis else "",
            anchor=f"x{axis}", range=[-0.03, 0.85], automargin=True,
        )  # fmt: skip
        notes.append(title(words["panel"].format(k=twins.k), share[0], 1.005, 14))
    lines = [
        {
            "type": "line", "x0": rho, "x1": rho, "y0": 0, "y1": 1, "xref": f"x{axis}",
            "yref": f"y{axis} domain", "line": {"color": PURPLE, "width": 1.5},
        }
        for axis in ("", "2")
    ]  # fmt: skip
    figure = go.Figure(
        {"data": traces, "layout": layout | {"annotations": notes, "shapes": lines}}
    )
    at = int(np.abs(np.array(CORRELATIONS) - rho).argmin())
    weights = {
        name: ", ".join(decimal_text(float(w)) for w in twins.weights[at])
        for name, twins in (("plain", plain), ("mixed", mixed))
    }
    return told(
        figure, words["said_twins"].format(rho=f"{rho:g}", k=mixed.k, **weights)
    )
