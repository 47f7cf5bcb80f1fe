"""Models that a discovery has found, shown by Explore under the settings found.

A discovery tries many starts, so that a fit of the same settings may end elsewhere:
what it found is put in the place of that fit.
"""

from collections.abc import Mapping
from typing import Any

from pages.shared.fits import certainty, live
from pages.shared.fits.certainty import SelectionStability
from pages.shared.state.choices import (
    Choices,
    SolverChoice,
    choices,
    control_values,
    not_shown,
)
from vstg.jobs import Run, Store
from vstg.jobs.kinds.discovery import FoundModel, read_found


def key(chosen: Choices) -> tuple[object, ...]:
    """Where the memory has what was found."""
    return ("found", *chosen.fit_key)


def known(chosen: Choices) -> FoundModel | None:
    """What was found, if the controls stand at the settings found."""
    found: FoundModel | None = live.memory_of(chosen.data).get(key(chosen))
    return found


def adopt(store: Store, run: Run, values: Mapping[str, Any]) -> dict[str, Any]:
    """Put what a run has found in the place of the fit; the controls that show it.

    ``values`` are the controls of its data.
    """
    found = read_found(store, run)
    if found is None:
        return {}
    moved = control_values(found.result.settings) | control_values(SolverChoice())
    chosen = choices({**values, **moved})
    memory = live.memory_of(chosen.data)
    memory.put(chosen.fit_key, found.result)
    memory.put(key(chosen), found)
    if found.n_halves:
        sure = SelectionStability(found.variables, found.together, found.n_halves)
        certainty.keep(chosen, sure)
    return moved


def lost(found: FoundModel) -> list[str]:
    """What the controls cannot show of the settings found."""
    return not_shown(found.result.settings)
