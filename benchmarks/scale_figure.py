"""The figure of docs/scaling.md: seconds of a fit against each size."""

import numpy as np
import pandas as pd


def exponent(table: pd.DataFrame, along: str) -> float:
    """Slope of log time against log size."""
    part = table[table["along"] == along]
    return float(np.polyfit(np.log(part[along]), np.log(part["seconds"]), 1)[0])


def panel(table: pd.DataFrame, along: str, x0: int) -> list[str]:
    """One log-log panel of the figure."""
    part = table[table["along"] == along]
    x, y = np.log10(part[along].to_numpy(float)), np.log10(part["seconds"].to_numpy())
    low, high = np.floor(np.log10(table["seconds"].min())), np.ceil(y.max() + 0.01)
    high = max(high, np.ceil(np.log10(table["seconds"].max())))
    px = x0 + 30 + 150 * (x - x[0]) / (x[-1] - x[0])
    py = 190 - 160 * (y - low) / (high - low)
    lines = [f'<rect x="{x0 + 30}" y="30" width="150" height="160" class="frame"/>']
    for power in range(int(low), int(high) + 1):
        at = 190 - 160 * (power - low) / (high - low)
        lines.append(f'<path d="M{x0 + 30} {at:.1f}h150" class="grid"/>')
        lines.append(
            f'<text x="{x0 + 26}" y="{at + 3:.1f}" class="end">10^{power}</text>'
        )
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(px, py, strict=True))
    lines.append(f'<polyline points="{points}"/>')
    for a, b, value in zip(px, py, part[along], strict=True):
        lines.append(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3"/>')
        lines.append(f'<text x="{a:.1f}" y="204" class="mid">{value:,}</text>')
    title = f"{along} (exponent {exponent(table, along):.2f})"
    return [*lines, f'<text x="{x0 + 105}" y="20" class="mid">{title}</text>']


def svg(table: pd.DataFrame) -> str:
    """Seconds of a fit against each size."""
    style = (
        "text{font:9px sans-serif;fill:#555}.mid{text-anchor:middle}"
        ".end{text-anchor:end}.frame{fill:none;stroke:#999}.grid{stroke:#ddd}"
        "polyline{fill:none;stroke:#1f6feb;stroke-width:1.5}circle{fill:#1f6feb}"
    )
    parts = [
        part
        for i, name in enumerate(pd.unique(table["along"]))
        for part in panel(table, name, 200 * i)
    ]
    title = "<title>Processor seconds of one fit against D, T, N and K</title>"
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 810 215" role="img">'
    body = "\n".join([f"<style>{style}</style>", *parts])
    return f"{head}\n{title}\n{body}\n</svg>\n"
