"""The marks of a static picture: curves, points, bars, heat maps, levels, surfaces."""

import base64
import re
import struct
import zlib
from html import escape
from typing import Any

import numpy as np

from vstg.data import Array
from vstg.plots.palette import DIVERGING, GREY, SEQUENTIAL

NO_LEGEND = ("heatmap", "mesh3d")
DASHES = {"dash": "7 4", "dot": "2 3", "dashdot": "7 3 2 3"}


def numbers(values: Any) -> Array:
    """Values as one row of floats, NaN for None."""
    flat = [np.nan if v is None else float(v) for v in np.ravel(values)]
    return np.array(flat, dtype=np.float64)


def path(
    way: str, colour: Any, width: float, dash: Any = None, fill: str = "none"
) -> str:  # fmt: skip
    """A <path>."""
    dashed = f' stroke-dasharray="{DASHES[dash]}"' if dash in DASHES else ""
    pen = f' stroke="{colour or GREY}" stroke-width="{width:g}"' if width else ""
    return f'<path d="{way}" fill="{fill}"{pen}{dashed}/>'


def text(
    x: float, y: float, words: str, *, size: float = 12, anchor: str = "start",
    turn: bool = False,
) -> str:  # fmt: skip
    """Words at a place; <br> begins a line, <b> is bold, other tags are left out."""
    lines = []
    for number, line in enumerate(str(words).split("<br>")):
        bold = ' font-weight="700"' if "<b>" in line else ""
        plain = escape(re.sub(r"<[^>]*>", "", line), quote=False).replace("&amp;", "&")
        dy = f' dy="{1.25 * size:.0f}"' if number else ""
        lines.append(f'<tspan x="{x:.1f}"{dy}{bold}>{plain}</tspan>')
    spin = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turn else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}"'
        f"{spin}>{''.join(lines)}</text>"
    )


def draw(
    trace: dict[str, Any], x: Any, y: Any, layout: dict[str, Any],
    bottom: dict[Any, Array],
) -> str:  # fmt: skip
    """One trace; ``bottom`` keeps how high the stacked areas have come."""
    kind = trace["type"]
    if kind == "heatmap":
        return _heat(trace, x, y, layout)
    if kind == "bar":
        return _bars(trace, x, y)
    if kind == "contour":
        return _levels(trace, x, y)
    return _scatter(trace, x, y, bottom)


def _scatter(trace: dict[str, Any], x: Any, y: Any, bottom: dict[Any, Array]) -> str:
    values = numbers(trace["y"])
    pen, mode = trace.get("line", {}), trace.get("mode", "lines")
    parts, fill = [], "none"
    px = x(trace["x"])
    group = trace.get("stackgroup")
    if group:
        below = bottom.get(group, np.zeros_like(values))
        bottom[group] = values = values + below
        edge = np.concatenate([y(values), y(below)[::-1]])
        way = _way(np.concatenate([px, px[::-1]]), edge)
        shade = (
            f'<g opacity="0.5">{path(way, None, 0, fill=pen.get("color", GREY))}</g>'
        )
        parts.append(shade)
    py = y(values)
    if trace.get("fill") == "toself":
        fill = trace.get("fillcolor", "none")
    if "lines" in mode:
        way = _way(px, py)
        parts.append(
            path(way, pen.get("color"), pen.get("width", 2), pen.get("dash"), fill)
        )
    if "markers" in mode:
        parts.append(_points(trace, px, py))
    if "text" in mode:
        parts.append(_words(trace, px, py))
    return "".join(parts)


def _way(px: Array, py: Array) -> str:
    """Straight lines from point to point, interrupted at NaN."""
    parts, down = [], False
    for a, b in zip(px, py, strict=True):
        if not (np.isfinite(a) and np.isfinite(b)):
            down = False
            continue
        parts.append(f"{'L' if down else 'M'}{a:.1f} {b:.1f}")
        down = True
    return "".join(parts)


def _each(value: Any, count: int, usual: Any) -> list[Any]:
    if isinstance(value, (list, tuple, np.ndarray)):
        return list(value)
    return [usual if value is None else value] * count


def _points(trace: dict[str, Any], px: Array, py: Array) -> str:
    marker, n = trace.get("marker", {}), len(px)
    edge = marker.get("line", {})
    colour = marker.get("color", trace.get("line", {}).get("color"))
    rows = zip(
        px, py, _each(colour, n, GREY), _each(marker.get("size"), n, 6),
        _each(marker.get("symbol"), n, "circle"), _each(edge.get("color"), n, None),
        strict=True,
    )  # fmt: skip
    return "".join(
        _symbol(a, b, c, s / 2, shape, pen, edge.get("width", 0) if pen else 0)
        for a, b, c, s, shape, pen in rows
        if np.isfinite(a) and np.isfinite(b)
    )


def _symbol(
    x: float, y: float, colour: str, r: float, shape: str, pen: Any, width: float
) -> str:  # fmt: skip
    fill = "none" if colour == "rgba(0,0,0,0)" or shape.endswith("-open") else colour
    if shape == "x":
        way = f"M{x - r:.1f} {y - r:.1f}l{2 * r} {2 * r}m0 {-2 * r}l{-2 * r} {2 * r}"
        return path(way, colour, 3)
    if shape.endswith("-open"):
        pen, width = colour, 2
    turns = {"diamond": [(1.2, a) for a in range(0, 360, 90)],
             "square": [(1.3, a) for a in range(45, 360, 90)],
             "star": [((1.2, 0.5)[i % 2], 36 * i - 90) for i in range(10)]}  # fmt: skip
    points = turns.get(shape.removesuffix("-open"))
    if points is None:
        line = f' stroke="{pen}" stroke-width="{width:g}"' if width else ""
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{fill}"{line}/>'
    angle = np.deg2rad([a for _, a in points])
    far = r * np.array([f for f, _ in points])
    way = _way(x + far * np.cos(angle), y + far * np.sin(angle)) + "Z"
    return path(way, pen, width, fill=fill)


def _words(trace: dict[str, Any], px: Array, py: Array) -> str:
    n = len(px)
    sides = _each(trace.get("textposition"), n, "top right")
    return "".join(
        text(a + (-9 if "left" in side else 9), b - 9, words,
             anchor="end" if "left" in side else "start")
        for a, b, words, side in zip(px, py, _each(trace["text"], n, ""), sides,
                                     strict=True)
    )  # fmt: skip


def _bars(trace: dict[str, Any], x: Any, y: Any) -> str:
    n = len(trace["x"])
    base = np.asarray(_each(trace.get("base"), n, 0.0), float)
    half = trace.get("width", 0.8) / 2
    middle = np.asarray(trace["x"], float)
    left, right = x(middle - half), x(middle + half)
    low, high = y(base), y(base + np.asarray(trace["y"], float))
    colour = trace["marker"]["color"]
    hatched = bool(trace["marker"].get("pattern", {}).get("shape"))
    fill = f'fill="{colour}" fill-opacity="{0.35 if hatched else 1}" stroke="{colour}"'
    return "".join(
        f'<rect x="{a:.1f}" y="{d:.1f}" width="{b - a:.1f}" '
        f'height="{c - d:.1f}" {fill}/>'
        for a, b, c, d in zip(left, right, low, high, strict=True)
    )


def _heat(trace: dict[str, Any], x: Any, y: Any, layout: dict[str, Any]) -> str:
    """One pixel per entry in a picture that the browser enlarges without blurring."""
    raw = trace["z"]
    z = np.array([[np.nan if v is None else v for v in row] for row in raw], float)
    limits = layout[trace["coloraxis"]]
    low, high = limits["cmin"], limits["cmax"]
    colours = DIVERGING if low < 0 else SEQUENTIAL
    table = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in colours])
    share = np.clip((np.nan_to_num(z) - low) / (high - low), 0, 1) * (len(table) - 1)
    places = np.arange(len(table))
    pixels = np.stack(
        [np.interp(share, places, table[:, i]) for i in range(3)], axis=-1
    )
    pixels[np.isnan(z)] = 255
    (left, right), (top, bottom) = x([-0.5, z.shape[1] - 0.5]), y([-0.5, len(z) - 0.5])
    data = base64.b64encode(png(pixels.round().astype(np.uint8))).decode("ascii")
    return (
        f'<image x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" '
        f'height="{bottom - top:.1f}" preserveAspectRatio="none" '
        f'style="image-rendering:pixelated" href="data:image/png;base64,{data}"/>'
    )


def png(pixels: Any) -> bytes:
    """(rows, columns, 3) bytes as a PNG file."""
    rows, columns, _ = pixels.shape
    lines = b"".join(b"\0" + row.tobytes() for row in pixels)
    head = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data
        + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )  # fmt: skip


def _levels(trace: dict[str, Any], x: Any, y: Any) -> str:
    """Level sets by marching triangles: two per cell, straight within each."""
    rule = trace["contours"]
    levels = np.arange(rule["start"], rule["end"] + 1e-12, rule["size"])
    z = np.asarray(trace["z"], float)
    gx, gy = np.meshgrid(x(trace["x"]), y(trace["y"]))
    points = np.stack([gx, gy], axis=-1)
    first, second = slice(None, -1), slice(1, None)
    a, b, c, d = (first, first), (first, second), (second, first), (second, second)
    way = []
    for three in ((a, b, c), (d, b, c)):
        at = np.stack([points[s].reshape(-1, 2) for s in three], axis=1)
        high = np.stack([z[s].ravel() for s in three], axis=1)
        for level in levels:
            above = high > level
            mixed = above.any(axis=1) & ~above.all(axis=1)
            for p, h in zip(at[mixed], high[mixed] - level, strict=True):
                ends = [
                    p[i] + (p[j] - p[i]) * h[i] / (h[i] - h[j])
                    for i, j in ((0, 1), (1, 2), (2, 0))
                    if (h[i] > 0) != (h[j] > 0)
                ]
                (s, t), (u, v) = ends
                way.append(f"M{s:.1f} {t:.1f}L{u:.1f} {v:.1f}")
    return path("".join(way), trace["line"]["color"], 1.6)


def surface(
    trace: dict[str, Any], layout: dict[str, Any], box: tuple[float, ...]
) -> str:  # fmt: skip
    """The sides of a convex body around the origin that the camera sees."""
    scene = layout[trace["scene"]]
    eye = np.array([scene["camera"]["eye"][d] for d in "xyz"])
    eye /= np.linalg.norm(eye)
    right = np.cross([0, 0, 1], eye)
    right /= np.linalg.norm(right)
    frame = np.stack([right, np.cross(eye, right), eye])
    points = frame @ np.stack([np.asarray(trace[d], float) for d in "xyz"])
    corners = points.T[np.stack([np.asarray(trace[n]) for n in "ijk"], axis=1)]
    (x0, x1), (y0, y1) = scene["domain"]["x"], scene["domain"]["y"]
    wide, tall = box[2] - box[0], box[3] - box[1]
    unit = min((x1 - x0) * wide, (y1 - y0) * tall) / 3.4
    middle = (box[0] + (x0 + x1) / 2 * wide, box[3] - (y0 + y1) / 2 * tall)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal *= np.sign((normal * corners.mean(axis=1)).sum(axis=1))[:, None]  # outwards
    seen = normal[:, 2] > 1e-12
    corners, normal = corners[seen], normal[seen]
    lit = (normal[:, 1] * 0.6 + normal[:, 2] * 0.8) / np.linalg.norm(normal, axis=1)
    tones: dict[str, list[str]] = {}
    for three, light in zip(corners, lit, strict=True):
        colour = np.array([60, 151, 142]) * (0.55 + 0.5 * round(max(light, 0), 1))
        fill = "#" + "".join(f"{int(min(c, 255)):02x}" for c in colour)
        way = _way(middle[0] + unit * three[:, 0], middle[1] - unit * three[:, 1])
        tones.setdefault(fill, []).append(way + "Z")
    return "".join(path("".join(w), c, 0.6, fill=c) for c, w in tones.items())


def key(trace: dict[str, Any], x: float, y: float) -> str:
    """The sample before a name in the legend."""
    if trace["type"] == "bar":
        colour = trace["marker"]["color"]
        faint = 0.35 if trace["marker"].get("pattern", {}).get("shape") else 1
        return (
            f'<rect x="{x}" y="{y - 5}" width="20" height="10" fill="{colour}" '
            f'fill-opacity="{faint}"/>'
        )
    pen = trace.get("line", {})
    if trace["type"] == "contour" or "lines" in trace.get("mode", "lines"):
        way = f"M{x:.1f} {y:.1f}h22"
        return path(way, pen.get("color"), pen.get("width", 2), pen.get("dash"))
    marker = trace.get("marker", {})
    colour, shape = marker.get("color", GREY), marker.get("symbol", "circle")
    return _symbol(x + 11, y, colour, 5, shape, None, 0)
