"""Write sample_data/: the paper's synthetic problems and four made-up stories.

Every number comes from a random generator with a fixed seed; nothing is taken from a
real shop, ward, machine or glass of wine. ``python scripts/make_sample_data.py``.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from vstg.datasets import make_syn

FOLDER = Path(__file__).parents[1] / "sample_data"
SEED = 2018


@dataclass(frozen=True)
class Measure:
    """A numeric column: its mean, its spread, its decimals, and its limits."""

    name: str
    mean: float
    spread: float
    decimals: int = 1
    low: float = -np.inf
    high: float = np.inf


def draw(
    measures: Sequence[Measure], n_rows: int, rng: np.random.Generator
) -> pd.DataFrame:
    """Return rounded values around the means, within the limits."""
    columns = {}
    for m in measures:
        values = np.clip(m.mean + m.spread * rng.standard_normal(n_rows), m.low, m.high)
        rounded = np.round(values, m.decimals) + 0.0
        columns[m.name] = rounded if m.decimals else rounded.astype(int)
    return pd.DataFrame(columns)


def standard(frame: pd.DataFrame, measures: Sequence[Measure]) -> pd.DataFrame:
    """Return the values in units of their spread."""
    return pd.DataFrame({m.name: (frame[m.name] - m.mean) / m.spread for m in measures})


def names_in_turn(
    kinds: Iterable[str], count: int, marks: Sequence[Any] = range(1, 100)
) -> Iterator[tuple[str, str]]:
    """The kind and name of each task: city 1, suburb 1, …, city 2, suburb 2, …"""
    in_turn = ((kind, f"{kind} {mark}") for mark in marks for kind in kinds)
    return islice(in_turn, count)


def effect(rows: pd.DataFrame, weights: dict[str, float]) -> np.ndarray:
    """Return the sum of weighted columns."""
    return sum(
        (rows[name] * weight for name, weight in weights.items()), 0.0
    ).to_numpy()


def forget(
    frame: pd.DataFrame, columns: Sequence[str], share: float, rng: np.random.Generator
) -> pd.DataFrame:
    """Leave some cells empty, as in real data."""
    frame = frame.copy()
    for name in columns:
        frame[name] = frame[name].astype(object).where(rng.random(len(frame)) > share)
    return frame


SHOP_MEASURES = (
    Measure("price_cut_percent", 10, 6, 0, 0, 40),
    Measure("leaflets_thousand", 4, 2, 1, 0),
    Measure("radio_spots", 12, 5, 0, 0),
    Measure("online_views_thousand", 30, 12, 1, 0),
    Measure("shelf_metres", 6, 1.5, 1, 1),
    Measure("rival_price_cut_percent", 8, 5, 0, 0, 40),
    Measure("temperature", 12, 8, 1),
    Measure("rain_days", 3, 1.5, 0, 0, 7),
    Measure("staff_on_floor", 9, 2, 0, 1),
)
SHOP_BASES = {
    "online": {"online_views_thousand": 9.0, "price_cut_percent": 5.0},
    "leaflet": {
        "leaflets_thousand": 8.0,
        "price_cut_percent": 6.0,
        "shelf_metres": 4.0,
    },
    "weather": {"temperature": 9.0, "holiday": 14.0},
}
SHOP_KINDS = {
    "city": ("online",),
    "suburb": ("leaflet",),
    "resort": ("weather",),
    "station": ("online", "weather"),
}
SEASONS = ("autumn", "spring", "summer", "winter")


def shops(rng: np.random.Generator) -> pd.DataFrame:
    """Weekly sales of 24 shops; how promotions work depends on the kind of shop."""
    parts = []
    for kind, name in names_in_turn(SHOP_KINDS, 24):
        n_weeks = int(rng.integers(30, 105))
        rows = draw(SHOP_MEASURES, n_weeks, rng)
        rows["holiday"] = (rng.random(n_weeks) < 0.15).astype(int)
        rows["season"] = rng.choice(SEASONS, n_weeks)
        units = standard(rows, SHOP_MEASURES).assign(holiday=rows["holiday"])
        sold = 120 + 10 * rng.standard_normal() + 6 * rng.standard_normal(n_weeks)
        for base in SHOP_KINDS[kind]:
            sold += rng.uniform(0.8, 1.2) * effect(units, SHOP_BASES[base])
        rows.insert(0, "shop", name)
        rows["units_sold"] = np.round(sold).astype(int)
        parts.append(rows)
    frame = pd.concat(parts, ignore_index=True)
    return forget(frame, ["temperature", "staff_on_floor"], 0.01, rng)


WARD_MEASURES = (
    Measure("age", 64, 14, 0, 18, 99),
    Measure("heart_rate", 82, 14, 0, 35, 190),
    Measure("systolic", 128, 18, 0, 70, 230),
    Measure("diastolic", 76, 11, 0, 35, 140),
    Measure("breaths_per_minute", 17, 3.5, 0, 8, 45),
    Measure("oxygen_percent", 95.5, 2, 1, 75, 100),
    Measure("temperature", 37, 0.6, 1, 34, 41),
    Measure("pain_score", 3.5, 2, 0, 0, 10),
    Measure("glucose", 6.6, 1.6, 1, 2, 25),
    Measure("creatinine", 92, 25, 0, 20, 500),
    Measure("white_cells", 8.5, 2.5, 1, 0.5, 40),
    Measure("steps_today", 900, 450, 0, 0),
)
WARD_BASES = {
    "circulation": {"heart_rate": 7.0, "systolic": -5.0, "creatinine": 4.0},
    "breathing": {"oxygen_percent": -8.0, "breaths_per_minute": 7.0},
    "wound": {"temperature": 6.0, "white_cells": 6.0, "pain_score": 5.0},
    "mobility": {"steps_today": -9.0, "age": 5.0},
}
WARD_KINDS = {
    "cardiology": ("circulation",),
    "pulmonology": ("breathing",),
    "surgery": ("wound",),
    "geriatrics": ("mobility", "circulation"),
    "orthopaedics": ("wound", "mobility"),
}


def wards(rng: np.random.Generator) -> pd.DataFrame:
    """Hours to discharge in 30 wards of very different sizes, from vital signs."""
    parts = []
    for kind, name in names_in_turn(WARD_KINDS, 30, "ABCDEF"):
        n_patients = int(np.round(20 * 8 ** rng.random()))
        rows = draw(WARD_MEASURES, n_patients, rng)
        units = standard(rows, WARD_MEASURES)
        hours = 70 + 8 * rng.standard_normal() + 6 * rng.standard_normal(n_patients)
        for base in WARD_KINDS[kind]:
            hours += rng.uniform(0.8, 1.3) * effect(units, WARD_BASES[base])
        rows.insert(0, "ward", name)
        rows.insert(2, "sex", rng.choice(["f", "m"], n_patients))
        rows["hours_to_discharge"] = np.round(np.maximum(hours, 4), 1)
        parts.append(rows)
    frame = pd.concat(parts, ignore_index=True)
    return forget(frame, ["glucose", "pain_score", "steps_today"], 0.02, rng)


MACHINE_MEASURES = (
    Measure("vibration_axial", 2.4, 0.7, 2, 0.1),
    Measure("vibration_radial", 3.1, 0.9, 2, 0.1),
    Measure("bearing_temperature", 61, 9, 1),
    Measure("motor_current", 14, 2.5, 1, 0),
    Measure("oil_pressure", 3.9, 0.5, 2, 0.2),
    Measure("noise_decibel", 71, 5, 1),
    Measure("load_percent", 68, 15, 0, 0, 100),
    Measure("speed_rpm", 1450, 90, 0, 0),
    Measure("hall_temperature", 22, 4, 1),
    Measure("hours_since_service", 700, 350, 0, 0),
)
MACHINE_BASES = {
    "bearing": {"vibration_axial": 1.3, "bearing_temperature": 1.1},
    "drive": {"motor_current": 1.3, "load_percent": 0.9, "noise_decibel": 0.7},
    "oil": {"oil_pressure": -1.5, "hours_since_service": 1.0},
}
MACHINE_KINDS = {
    "pump": ("bearing", "oil"),
    "fan": ("bearing",),
    "press": ("drive", "oil"),
    "belt": ("drive",),
}


def machines(rng: np.random.Generator) -> pd.DataFrame:
    """Whether each of 16 machines fails within a week, from its sensors."""
    parts = []
    for kind, name in names_in_turn(MACHINE_KINDS, 16):
        n_weeks = int(rng.integers(60, 160))
        rows = draw(MACHINE_MEASURES, n_weeks, rng)
        units = standard(rows, MACHINE_MEASURES)
        logit = -0.9 + 0.3 * rng.standard_normal() + np.zeros(n_weeks)
        for base in MACHINE_KINDS[kind]:
            logit += rng.uniform(0.8, 1.3) * effect(units, MACHINE_BASES[base])
        fails = rng.random(n_weeks) < 1 / (1 + np.exp(-logit))
        rows.insert(0, "machine", name)
        rows["fails_within_a_week"] = np.where(fails, "yes", "no")
        parts.append(rows)
    return pd.concat(parts, ignore_index=True)


WINE_MEASURES = (
    Measure("acidity", 5.8, 0.9, 1, 2),
    Measure("sugar", 4.0, 2.0, 1, 0),
    Measure("tannin", 2.6, 0.8, 1, 0),
    Measure("alcohol", 13.1, 0.8, 1, 8),
    Measure("oak_months", 8, 5, 0, 0),
    Measure("fruit", 5.5, 1.5, 1, 0, 10),
    Measure("years_in_bottle", 4, 2.5, 0, 0),
    Measure("price", 17, 8, 2, 3),
)
WINE_BASES = {
    "sweet": {"sugar": 7.0, "fruit": 6.0},
    "strong": {"tannin": 7.0, "alcohol": 5.0, "oak_months": 6.0},
    "fresh": {"acidity": 7.0, "years_in_bottle": -6.0, "fruit": 4.0},
}
TASTES = (("sweet",), ("strong",), ("fresh",), ("sweet", "fresh"))


def wines(rng: np.random.Generator) -> pd.DataFrame:
    """Points that 18 tasters give to the same 60 wines: one column per taster."""
    frame = draw(WINE_MEASURES, 60, rng)
    units = standard(frame, WINE_MEASURES)
    names = [f"taster_{j + 1}" for j in range(18)]
    for j, name in enumerate(names):
        points = 60 + 6 * rng.standard_normal() + 4 * rng.standard_normal(60)
        for base in TASTES[j % len(TASTES)]:
            points += rng.uniform(0.8, 1.2) * effect(units, WINE_BASES[base])
        frame[name] = np.round(np.clip(points, 0, 100)).astype(int)
    frame.insert(0, "wine", [f"wine {n + 1}" for n in range(60)])
    return forget(frame, names, 0.02, rng)


STORIES: dict[str, Callable[[np.random.Generator], pd.DataFrame]] = {
    "shops": shops,
    "wards": wards,
    "machines": machines,
    "wines": wines,
}


def synthetic(number: int) -> dict[str, pd.DataFrame]:
    """The training rows of Syn1 to Syn4 and the truth behind them."""
    syn = make_syn(number, random_state=0)
    bases = [f"basis {r + 1}" for r in range(syn.U.shape[1])]
    U = pd.DataFrame(syn.U, index=list(syn.train.feature_names), columns=bases)
    V = pd.DataFrame(syn.V, index=bases, columns=list(syn.train.task_names))
    table = syn.train.to_frame().round(3)
    name = f"syn/syn{number}"
    return {
        name: table,
        f"{name}_U": U.round(6).rename_axis("variable").reset_index(),
        f"{name}_V": V.round(6).rename_axis("basis").reset_index(),
    }


def tables() -> dict[str, pd.DataFrame]:
    """All tables by their names, without the ending."""
    streams = np.random.default_rng(SEED).spawn(len(STORIES))
    made = {
        name: story(stream)
        for (name, story), stream in zip(STORIES.items(), streams, strict=True)
    }
    for number in (1, 2, 3, 4):
        made |= synthetic(number)
    return made


def main() -> None:
    """Write every table as CSV."""
    for name, frame in tables().items():
        path = FOLDER / f"{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        frame.to_csv(path, index=False, lineterminator="\n")
        print(f"{path.relative_to(FOLDER.parent)}: {len(frame)} × {frame.shape[1]}")


if __name__ == "__main__":
    main()
