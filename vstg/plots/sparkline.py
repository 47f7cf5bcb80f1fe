"""A curve of errors as small as a slider: an HTML span that a page puts below it."""

from collections.abc import Sequence
from html import escape
from urllib.parse import quote

WIDTH, HEIGHT, MARGIN = 100.0, 20.0, 3.0
FLAT = 0.05  # differences below this share of the least error do not fill the height


def curve_html(
    places: Sequence[float],
    errors: Sequence[float],
    *,
    span: tuple[float, float],
    now: float | None,
    least: float | None,
    label: str,
    stale: bool = False,
    key: str = "",
    play: str = "",
) -> str:
    """The curve over the span of a slider, low error low.

    Parameters
    ----------
    places : (n,) increasing, where each error belongs on the slider
    span : the ends of the slider
    now, least : the places to mark; None marks nothing
    label : what is said instead of the picture
    stale : whether the curve belongs to other settings
    key : of the slider; with it, the curve can be dragged along
    play : what the button is called that runs along the curve
    """
    low, high = span
    across = [WIDTH * (place - low) / (high - low) for place in places]
    points = list(zip(across, scaled(errors), strict=True))
    at = dict(zip(places, points, strict=True))
    marks = [
        _mark(name, at[place])
        for name, place in (("least", least), ("now", now))
        if place in at
    ]
    drawn = _line(points) + "".join(marks)
    name = f'class="vstg-curve{" stale" if stale else ""}"'
    said = f'aria-label="{escape(label)}" title="{escape(label)}"'
    if not key or now is None:
        return f'<span {name} role="img" {said}>{drawn}</span>'
    heights = ",".join(f"{p:.6g} {100 * at[p][1] / HEIGHT:.2f}" for p in places)
    return (
        f'<span {name} data-key="{key}" data-points="{heights}">{drawn}'
        f'<span class="scrub" role="slider" tabindex="0" {said} '
        f'aria-valuemin="{low:g}" aria-valuemax="{high:g}" aria-valuenow="{now:g}">'
        f'</span><button class="play" type="button" title="{escape(play)}" '
        f'aria-label="{escape(play)}">▸</button></span>'
    )


def _line(points: Sequence[tuple[float, float]]) -> str:
    """A mask, so that the page decides on the colour: Streamlit removes inline SVG."""
    if not points:
        return ""
    path = "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" '
        f'preserveAspectRatio="none"><path d="{path}" fill="none" stroke="#000" '
        'stroke-width="1.5" vector-effect="non-scaling-stroke"/></svg>'
    )
    url = f"url(data:image/svg+xml,{quote(svg, safe='')})"
    return f'<i class="line" style="-webkit-mask-image:{url};mask-image:{url}"></i>'


def _mark(name: str, point: tuple[float, float]) -> str:
    left, top = point[0], 100 * point[1] / HEIGHT
    return f'<i class="{name}" style="left:{left:.2f}%;top:{top:.2f}%"></i>'


def scaled(errors: Sequence[float]) -> list[float]:
    """Heights on the page: the least error at the bottom, roots of what is above it.

    The root shows differences close to the least beside errors many times as large.
    """
    if not errors:
        return []
    least = min(errors)
    most = max(max(errors) - least, FLAT * least) or 1.0
    room = HEIGHT - 2 * MARGIN
    return [HEIGHT - MARGIN - room * ((e - least) / most) ** 0.5 for e in errors]
