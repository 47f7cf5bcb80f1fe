"""What the controls ask for, as frozen records: the data, the model, the view."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pages.shared.data.sources import DataChoice
from pages.shared.state.parameters import PARAMS

MAX_BASES = 13


@dataclass(frozen=True)
class ModelChoice:
    """Which fit; ``mu`` is None where it follows gamma1."""

    n_latent: int
    k: int
    gamma1: float
    gamma2: float
    mu: float | None
    solver: str
    n_init: int


@dataclass(frozen=True)
class ViewChoice:
    """How to show it."""

    view: str
    by_group: bool
    by_size: bool
    truth: bool
    zero: float
    variable: str | None
    task: str | None
    top: int = 60
    vpage: int = 1
    find: str = ""
    group: str = ""
    tpage: int = 1


@dataclass(frozen=True)
class Choices:
    """All controls together; ``data`` and ``model`` name a fit."""

    data: DataChoice
    model: ModelChoice
    view: ViewChoice

    @property
    def fit_key(self) -> tuple[DataChoice, ModelChoice]:
        """What a result belongs to."""
        return self.data, self.model


def basis_limit(choice: DataChoice) -> int:
    """The largest K that makes sense: W has no more than min(D, T) bases."""
    return min(MAX_BASES, *choice.shape)


def data_choice(values: Mapping[str, Any]) -> DataChoice:
    """The data that a state asks for."""
    return DataChoice(
        values["data"],
        values["size"],
        int(values["seed"]),
        int(values["n"]),
        float(values["noise"]),
    )


def model_choice(values: Mapping[str, Any], limit: int) -> ModelChoice:
    """The model that a state asks for, K and k brought within their limits."""
    n_latent = min(int(values["K"]), limit)
    return ModelChoice(
        n_latent,
        min(int(values["k"]), n_latent),
        2.0 ** int(values["g1"]),
        2.0 ** int(values["g2"]),
        None if values["tie"] else 2.0 ** int(values["mu"]),
        values["solver"],
        int(values["starts"]),
    )


def view_choice(values: Mapping[str, Any]) -> ViewChoice:
    """The view that a state asks for."""
    return ViewChoice(
        values["view"],
        values["by_group"],
        values["by_size"],
        values["truth"],
        float(values["zero"]),
        values["var"],
        values["task"],
        int(values["top"]),
        int(values["vpage"]),
        values["find"] or "",
        values["group"] or "",
        int(values["tpage"]),
    )


def choices(values: Mapping[str, Any]) -> Choices:
    """All of it; what a state lacks has its default."""
    state = {key: values.get(key, param.default) for key, param in PARAMS.items()}
    data = data_choice(state)
    return Choices(data, model_choice(state, basis_limit(data)), view_choice(state))
