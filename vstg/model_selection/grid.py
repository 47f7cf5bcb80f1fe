"""Grids of settings, and the chains in which a search fits them."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from vstg.model_selection.methods import Method, get_method, vstg_settings
from vstg.objective import check_share

PAPER_STRENGTHS = tuple(2.0**e for e in range(-10, 4))  # {2^-10, …, 2^3}
PAPER_N_LATENT = (3, 5, 7, 9, 11, 13)
PAPER_K = (1, 3, 5, 7)
# What the refitted method tries after each fit of the paper's grid, chosen with it.
REFIT_CUTS, REFIT_SHARES = (0.0, 0.1, 0.2, 0.3), (0.0, 1.0)
ALPHAS = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the pretrained LASSO, as its authors try

AFTER = ("cut", "relax")  # of a setting, what follows its fit
OPTIONAL = ("mu", *AFTER)  # parameters of VSTG-MTL that a grid may leave out

Grid = Mapping[str, Sequence[Any]]
After = tuple[tuple[str, Any], ...]  # some of AFTER with their values


def paper_grid(method: str | Method = "vstg", *, k: Sequence[int] = PAPER_K) -> Grid:
    """The paper's grid for a method; ``k`` is (1,) or (3,) on its synthetic data."""
    values = {
        "n_latent": PAPER_N_LATENT,
        "k": tuple(k),
        "gamma1": PAPER_STRENGTHS,
        "gamma2": PAPER_STRENGTHS,
        "cut": REFIT_CUTS,
        "relax": REFIT_SHARES,
        "alpha": ALPHAS,
    }
    return {name: values[name] for name in get_method(method).parameters}


@dataclass(frozen=True)
class Chain:
    """Settings fitted one after another with warm starts: only one parameter varies.

    The unit of parallel work and of storage: it begins cold, so its rows do not
    depend on what else was run or in which order. One fit serves all the cuts and
    refits that follow it: ``after`` has them for each value, and is empty if a grid
    has neither.
    """

    fixed: tuple[tuple[str, Any], ...]
    parameter: str
    values: tuple[Any, ...]
    after: tuple[tuple[After, ...], ...] = ()

    def fits(self) -> list[tuple[dict[str, Any], tuple[After, ...]]]:
        """The settings to fit in order, each with what follows it."""
        after = self.after or (((),),) * len(self.values)
        return [
            (dict(self.fixed) | {self.parameter: value}, follows)
            for value, follows in zip(self.values, after, strict=True)
        ]

    def settings(self) -> list[dict[str, Any]]:
        """The settings in the order of their fits."""
        return [fit | dict(one) for fit, after in self.fits() for one in after]

    def __len__(self) -> int:
        """The number of settings."""
        return sum(map(len, self.after)) if self.after else len(self.values)


def check_grid(method: Method, grid: Grid) -> dict[str, tuple[Any, ...]]:
    """The grid with every value checked; extra or missing parameters are rejected."""
    optional = OPTIONAL if method.needs_k else ()
    allowed = {*method.parameters, *optional}
    names = list(dict.fromkeys((*method.parameters, *optional)))
    names = [name for name in names if name in grid or name in method.parameters]
    if set(grid) - allowed or set(method.parameters) - set(grid):
        msg = (
            f"the grid has the parameters {sorted(grid)}; "
            f"{method.label} takes {list(method.parameters)}"
        )
        raise ValueError(msg)
    checked = {name: tuple(dict.fromkeys(grid[name])) for name in names}
    for name, values in checked.items():
        if not values:
            msg = f"the grid has no value for {name}; give at least one"
            raise ValueError(msg)
        for value in values:
            _check_value(name, value)
    if method.needs_k and min(checked["k"]) > max(checked["n_latent"]):
        msg = (
            f"every k in {list(checked['k'])} exceeds every n_latent in "
            f"{list(checked['n_latent'])}; k must be at most n_latent"
        )
        raise ValueError(msg)
    useless = [k for k in checked.get("k", ()) if k > max(checked["n_latent"])]
    if useless:
        msg = (
            f"k={useless[0]} exceeds every n_latent in {list(checked['n_latent'])}; "
            "leave it out or add a larger n_latent"
        )
        raise ValueError(msg)
    return checked


def _check_value(name: str, value: Any) -> None:
    sample = {"n_latent": 10**6, "k": 1, "gamma1": 1.0, "gamma2": 1.0, "mu": 1.0}
    if value is None and name == "mu":
        return
    if name == "alpha":
        check_share(alpha=value)
        return
    vstg_settings(sample | {name: value})  # raises a sentence that names the value


def expand(method: Method, grid: Grid) -> list[dict[str, Any]]:
    """All settings of a checked grid; those with k above n_latent are left out."""
    names = list(grid)
    found = [
        dict(zip(names, values, strict=True)) for values in product(*grid.values())
    ]
    return [s for s in found if not method.needs_k or s["k"] <= s["n_latent"]]


def count_settings(method: Method, grid: Grid) -> int:
    """How many settings a checked grid has, without listing them."""
    sizes = {name: len(set(values)) for name, values in grid.items()}
    if not method.needs_k:
        return prod(sizes.values())
    smaller = sorted(set(grid["k"]))
    pairs = sum(bisect_right(smaller, K) for K in set(grid["n_latent"]))
    return pairs * prod(sizes.values()) // (sizes["k"] * sizes["n_latent"])


def chains(method: Method, settings: Iterable[Mapping[str, Any]]) -> list[Chain]:
    """Group settings into chains along the method's last parameter, weakest first.

    Weak to strong, because a basis or row that has become zero does not return.
    """
    parameter = method.parameters[-1]
    groups: dict[tuple, dict[Any, list[After]]] = {}
    for setting in settings:
        moving = {parameter, *AFTER}
        fixed = tuple((n, v) for n, v in setting.items() if n not in moving)
        after = tuple((n, setting[n]) for n in AFTER if n in setting)
        fits = groups.setdefault(fixed, {})
        fits.setdefault(setting[parameter], []).append(after)
    found = []
    for fixed, fits in groups.items():
        values = tuple(sorted(fits))
        follows = tuple(tuple(fits[value]) for value in values)
        plain = all(after == ((),) for after in follows)
        found.append(Chain(fixed, parameter, values, () if plain else follows))
    return found
