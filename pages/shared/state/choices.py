"""From controls to records and back: the only place that maps one to the other.

``choices`` turns the state of the controls into data, settings, effort and view;
``control_values`` turns a record into the state of the controls.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from pages.shared.data.catalogue import (
    DataChoice,
    OwnData,
    SharedTable,
    SyntheticData,
    own_data,
    shops,
)
from pages.shared.state import exact, keys
from pages.shared.state.parameters import (
    DATA_KEYS,
    MAX_BASES,
    PARAMS,
    SHOPS,
    SYN,
    YOURS,
    Param,
)
from vstg.notation import SYMBOLS, value_text
from vstg.objective import Settings
from vstg.plots import View

Values = Mapping[str, Any]

FIELDS = [field.name for field in fields(Settings)]


@dataclass(frozen=True)
class SolverChoice:
    """How hard a fit tries; the settings say which fit it is."""

    solver: str = "fast"
    n_init: int = 1


@dataclass(frozen=True)
class ViewChoice:
    """How to show it."""

    view: View
    by_group: bool
    by_size: bool
    truth: bool
    zero: float
    variable: str | None
    task: str | None
    curves: bool = True
    paper: bool = False
    top: int = 60
    vpage: int = 1
    find: str = ""
    group: str = ""
    tpage: int = 1


@dataclass(frozen=True)
class Choices:
    """All controls together; all but the view name a fit."""

    data: DataChoice
    settings: Settings
    effort: SolverChoice
    view: ViewChoice

    @property
    def fit_key(self) -> tuple[DataChoice, Settings, SolverChoice]:
        """What a result belongs to."""
        return self.data, self.settings, self.effort


def params_of(record: str) -> list[Param]:
    """The controls that fill a record."""
    return [param for param in PARAMS.values() if param.record == record]


def fields_of(record: str, values: Values) -> dict[str, Any]:
    """The fields of a record as the controls have them; a missing one by default."""
    fields = {}
    for param in params_of(record):
        control = values.get(param.key)
        control = param.default if control is None else control
        if param.field:
            fields[param.field] = param.allowed.value(control)
    return fields


def basis_limit(data: DataChoice) -> int:
    """The largest K that makes sense: W has no more than min(D, T) bases."""
    return min(MAX_BASES, *data.shape)


def data_choice(values: Values) -> DataChoice:
    """The data that a state asks for; the default where own data are gone."""
    own = own_data()
    if values.get(keys.DATA) == SHOPS:
        return shops()
    if values.get(keys.DATA) == YOURS:
        if own is not None:
            return own
        values = {**values, keys.DATA: PARAMS[keys.DATA].default}
    return SyntheticData(**fields_of("data", values))


def settings_choice(values: Values, limit: int = MAX_BASES) -> Settings:
    """The settings that a state asks for, K and k brought within their limits.

    Typed values that do not go together are left out; ``wrongly_typed`` says so.
    """
    try:
        return _settings(values, limit, exact.in_force(values))
    except ValueError:
        return _settings(values, limit, {})


def _settings(values: Values, limit: int, typed: Values) -> Settings:
    fields = fields_of("settings", values)
    fields["n_latent"] = min(fields["n_latent"], limit)
    fields |= typed
    fields["k"] = min(fields["k"], fields["n_latent"])
    if values.get(keys.TIE, PARAMS[keys.TIE].default):
        del fields["mu"]  # follows gamma1
    return Settings.from_mapping(fields)


def wrongly_typed(values: Values) -> list[str]:
    """What is wrong with the typed values, in words."""
    _, wrong = exact.read(values.get(keys.EXACT) or "")
    try:
        _settings(values, MAX_BASES, exact.in_force(values))
    except ValueError as error:
        wrong.append(str(error))
    return wrong


def choices(values: Values) -> Choices:
    """All of it; what a state lacks has its default."""
    data = data_choice(values)
    return Choices(
        data,
        settings_choice(values, basis_limit(data)),
        SolverChoice(**fields_of("effort", values)),
        ViewChoice(**fields_of("view", values)),
    )


def control_values(record: DataChoice | Settings | SolverChoice) -> dict[str, Any]:
    """The state of the controls that shows a record, or comes closest to it."""
    if isinstance(record, OwnData):
        return {keys.DATA: SHOPS if isinstance(record, SharedTable) else YOURS}
    fields = asdict(record)
    values = {
        param.key: param.allowed.nearest(fields[param.field])
        for param in PARAMS.values()
        if param.field in fields and param.record == record_name(record)
    }
    if isinstance(record, Settings):
        values[keys.TIE] = record.mu == record.gamma1
        if values[keys.TIE]:
            del values[keys.MU]
        values[keys.EXACT] = exact.write(
            {name: getattr(record, name) for name in between(record, values)}
        )
    return values


def between(settings: Settings, values: Values) -> list[str]:
    """The settings that the sliders cannot stand at."""
    shown = _settings(values, MAX_BASES, {})
    changed = different(shown, settings)
    tied = settings.mu == settings.gamma1
    return [name for name in changed if not (tied and name == "mu")]


def record_name(record: DataChoice | Settings | SolverChoice) -> str:
    """What the registry calls a kind of record."""
    if isinstance(record, SyntheticData | OwnData):
        return "data"
    return "settings" if isinstance(record, Settings) else "effort"


def data_values(stored: Values) -> dict[str, Any]:
    """The controls of the data that a run was made of, as far as there are any.

    A run file may come from elsewhere, so that every value is checked.
    """
    if stored.get(keys.DATA) in (SHOPS, YOURS):
        return {keys.DATA: stored[keys.DATA]}
    found = {key: stored[key] for key in DATA_KEYS if key in stored}
    return {key: value for key, value in found.items() if PARAMS[key].accepts(value)}


def synthetic_of(stored: Values) -> SyntheticData | None:
    """The synthetic data that a run was made of; None if it was other data."""
    values = data_values(stored)
    if values.get(keys.DATA) not in SYN:
        return None
    return SyntheticData(**fields_of("data", values))


def different(shown: Settings, settings: Settings) -> list[str]:
    """The names of the settings that differ."""
    return [name for name in FIELDS if getattr(shown, name) != getattr(settings, name)]


def not_shown(settings: Settings) -> list[str]:
    """What the controls cannot show of some settings, and what they show instead."""
    shown = settings_choice(control_values(settings))
    names = different(shown, settings)
    return [
        f"{SYMBOLS[name]} = {value_text(name, getattr(settings, name))} "
        f"(shown: {value_text(name, getattr(shown, name))})"
        for name in names
    ]
