"""The figure of docs/scaling.md: time and memory of a fit against each size."""

import numpy as np
import pandas as pd

ROWS = {"seconds": "processor seconds", "MB in all": "largest memory, MB"}
WIDTH, HEIGHT = 150, 130
STYLE = (
    "text{font:9px sans-serif;fill:#777}.mid{text-anchor:middle}.end{text-anchor:end}"
    ".frame{fill:none;stroke:#999}.grid{stroke:#8884}"
    "polyline{fill:none;stroke:#1f6feb;stroke-width:1.5}circle{fill:#1f6feb}"
)


def slopes(table: pd.DataFrame, along: str, what: str) -> np.ndarray:
    """Slopes of log ``what`` against log size, from each point to the next."""
    part = table[table["along"] == along]
    return np.diff(np.log(part[what])) / np.diff(np.log(part[along].astype(float)))


def exponent(table: pd.DataFrame, along: str, what: str = "seconds") -> float:
    """Slope of log ``what`` against log size, over all points; NaN below two."""
    part = table[table["along"] == along]
    if len(part) < 2:
        return float("nan")
    return float(np.polyfit(np.log(part[along]), np.log(part[what]), 1)[0])


def panel(table: pd.DataFrame, along: str, what: str, x0: int, y0: int) -> list[str]:
    """One log-log panel of the figure."""
    part = table[table["along"] == along]
    x, y = (np.log10(part[name].to_numpy(float)) for name in (along, what))
    every = np.log10(table[what].to_numpy(float))
    low, high = int(np.floor(every.min())), int(np.ceil(every.max()))
    base = y0 + HEIGHT
    px = x0 + WIDTH * (x - x[0]) / (x[-1] - x[0])
    py = base - HEIGHT * (y - low) / max(high - low, 1)
    lines = [
        f'<rect x="{x0}" y="{y0}" width="{WIDTH}" height="{HEIGHT}" class="frame"/>'
    ]
    for power in range(low, high + 1):
        at = base - HEIGHT * (power - low) / max(high - low, 1)
        lines.append(f'<path d="M{x0} {at:.1f}h{WIDTH}" class="grid"/>')
        lines.append(
            f'<text x="{x0 - 4}" y="{at + 3:.1f}" class="end">10^{power}</text>'
        )
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(px, py, strict=True))
    lines.append(f'<polyline points="{points}"/>')
    for a, b, value in zip(px, py, part[along], strict=True):
        lines.append(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3"/>')
        lines.append(f'<text x="{a:.1f}" y="{base + 14}" class="mid">{value:,}</text>')
    title = f"{along} (exponent {exponent(table, along, what):.2f})"
    middle = x0 + WIDTH / 2
    return [*lines, f'<text x="{middle}" y="{y0 - 8}" class="mid">{title}</text>']


def svg(table: pd.DataFrame) -> str:
    """Time above, memory below; a column for each size."""
    parts = []
    for row, (what, words) in enumerate(ROWS.items()):
        y0 = 34 + 186 * row
        middle = y0 + HEIGHT / 2
        turned = f'transform="rotate(-90 10 {middle})"'
        parts.append(f'<text x="10" y="{middle}" class="mid" {turned}>{words}</text>')
        for i, name in enumerate(pd.unique(table["along"])):
            parts += panel(table, name, what, 50 + 198 * i, y0)
    title = "<title>Time and memory of one fit against D, T, N and K</title>"
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 810 372" role="img">'
    return "\n".join([head, title, f"<style>{STYLE}</style>", *parts, "</svg>", ""])
