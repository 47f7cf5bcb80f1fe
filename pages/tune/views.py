"""A finished search: its choices and eight ways to look at it."""

from collections.abc import Callable, Mapping
from functools import partial
from math import isfinite
from typing import Any

import pandas as pd
import streamlit as st

from pages.shared.runs.grids import is_vstg
from pages.shared.runs.opening import open_in_explore
from pages.shared.ui.display import CONFIG, QUIET, aligned, tile
from pages.shared.ui.downloads import download
from pages.tune import words
from pages.tune.edges import Edge, edges
from pages.tune.filter import choices_shown, filtered, setting_at
from pages.tune.found import FoundChoice, found_choice
from pages.tune.maps import fixed_names, pick_combination, show_maps
from pages.tune.path import path_view
from pages.tune.run_frames import result_of
from pages.tune.stability import stability_view
from vstg.jobs import Run, Store
from vstg.model_selection import SearchResult
from vstg.model_selection.methods import get_method
from vstg.notation import (
    STRENGTHS,
    counted,
    duration,
    measure_text,
    number_text,
    setting_text,
)
from vstg.plots.runs.tuning import (
    error_curve,
    error_range,
    parallel_figure,
    pareto_figure,
    shares_figure,
)
from vstg.plots.runs.tuning_frames import error_by, parameter_importance, pareto_front


def headline(
    run: Run, result: SearchResult, summary: pd.DataFrame, found: FoundChoice | None
) -> None:
    """Show what was chosen, also by "Find the settings", and the cost."""
    chosen = choices_shown(result, summary)
    best, sparse = chosen["best"], chosen["one_se"]
    spread = f" <small>± {number_text(best['se'])}</small>" if best["se"] > 0 else ""
    before = run.done - run.fitted
    tiles = [
        tile(
            words.BEST_TILE.format(measure=measure_text(result.measure)),
            f"{number_text(best['error'])}{spread}",
            setting_text(result.best),
        ),
        tile(
            words.ONE_SE_TILE,
            f"{number_text(sparse['error'])} "
            f"<small>{sparse['n_variables']:.1f} variables</small>",
            setting_text(result.one_se),
            term="one standard error",
        ),
        *found_tile(found),
        tile(words.FITS_TILE, f"{run.done:,}", f"{len(summary):,} settings"),
        tile(
            words.TIME_TILE,
            duration(run.seconds),
            words.FROM_BEFORE.format(count=f"{before:,}") if before else "",
        ),
    ]
    kind = "vstg-head-wide" if found is None else "vstg-head-wide vstg-head-five"
    st.html(f'<dl class="vstg-head {kind}">{"".join(tiles)}</dl>')
    if found is not None:
        st.caption(words.FOUND_NOTE)


def found_tile(found: FoundChoice | None) -> list[str]:
    """What was found in the same data, if anything."""
    if found is None:
        return []
    value = (
        f"{number_text(found.error)} "
        f"<small>{counted(found.n_variables, 'variable')}</small>"
        if isfinite(found.error)
        else "–"
    )
    return [tile(f"◇ {words.FOUND_TILE}", value, setting_text(found.setting))]


def say_edges(store: Store, run: Run, result: SearchResult) -> None:
    """Warn where a choice lies on the edge of what was tried."""
    data = store.data(run.data)
    most = min(data.n_features, data.n_tasks)
    tried = {name: set(result.frame[name]) for name in result.parameters}
    said = set()
    for key, setting in (("best", result.best), ("one_se", result.one_se)):
        reached = edges(setting, tried, most)
        if reached and tuple(reached) not in said:
            said.add(tuple(reached))
            st.caption(f":orange[{edge_words(words.EDGES[key], reached)}]")


def edge_words(choice: str, reached: list[Edge]) -> str:
    """Which axis, which end, and what to try."""

    def joined(texts: Mapping[bool, str]) -> str:
        found = [
            texts[e.largest].format(symbol=e.symbol, value=e.text) for e in reached
        ]
        return " and ".join(filter(None, (", ".join(found[:-1]), found[-1])))

    return words.ON_EDGE.format(
        choice=choice,
        edges=joined(words.EDGE),
        advice=joined(words.BEYOND),
        where="" if {edge.name for edge in reached} == {"cut"} else words.CUSTOM,
    )


def open_buttons(
    store: Store, run: Run, result: SearchResult, found: FoundChoice | None
) -> None:
    """Leave for Explore with one of the choices."""
    if not is_vstg(result.method):
        label = get_method(result.method).label
        st.caption(words.NOT_EXPLORABLE.format(method=label))
        return
    for key, label, setting in (
        ("open_best", words.OPEN_BEST, result.best),
        ("open_one_se", words.OPEN_ONE_SE, result.one_se),
    ):
        if st.button(label, key=key):
            open_in_explore(run, setting)
    if found is not None and st.button(words.OPEN_FOUND, key="open_found"):
        found.open(store)


def note(result: SearchResult, text: str, way: str) -> None:
    """What a view shows, and the way to Explore where there is one."""
    st.caption(f"{text} {way}" if is_vstg(result.method) else text)


def signs(text: str, found: FoundChoice | None) -> str:
    """What the signs of a figure mean."""
    return text if found is None else f"{text}{words.FOUND_SIGN}"


def marks(
    result: SearchResult, kept: pd.DataFrame, found: FoundChoice | None
) -> dict[str, pd.Series]:
    """The choices that a figure marks."""
    shown = choices_shown(result, kept)
    if found is not None and isfinite(found.error):
        shown["found"] = found.mark
    return shown


def maps_view(
    run: Run, result: SearchResult, kept: pd.DataFrame, found: FoundChoice | None
) -> None:
    """A map for every K."""
    note(result, signs(words.MAP_NOTE, found), words.CLICK_CELL)
    names = fixed_names(result.parameters)
    free = [name for name in names if name != "n_latent"]
    fixed = pick_combination(result, "maps", free, kept)
    combinations = {"": fixed}
    if "n_latent" in names:
        combinations = {
            f"K = {value}": {**fixed, "n_latent": value}
            for value in sorted(set(kept["n_latent"]))
            if value >= fixed.get("k", 0)
        }
    show_maps(run, result, combinations, key="maps", summary=kept, found=found)


def values_view(
    run: Run, result: SearchResult, kept: pd.DataFrame, found: FoundChoice | None
) -> None:
    """Error against each parameter, K and k first."""
    st.caption(signs(words.VALUES_NOTE, found))
    varied = [n for n in result.parameters if n != "mu" and kept[n].nunique() > 1]
    names = varied or list(result.parameters[:1])
    tables = {name: error_by(kept, name) for name in names}
    shown = marks(result, kept, found)
    marked_errors = pd.DataFrame(
        [{"error": m["error"], "se": 0.0} for m in shown.values()]
    )
    limits = error_range([*tables.values(), marked_errors])
    measure = measure_text(result.measure)
    # A figure each, so that they stand below one another where there is no room.
    for (name, table), place in zip(
        tables.items(), st.columns(len(tables)), strict=True
    ):
        figure = error_curve(name, table, shown, measure=measure, limits=limits)
        place.plotly_chart(
            figure, key=f"values_{name}", config=QUIET, alt=words.VALUES_ALT
        )


def parallel_view(run: Run, result: SearchResult, kept: pd.DataFrame) -> None:
    """Every setting as a line."""
    st.caption(words.PARALLEL_NOTE)
    shown = kept.sort_values("error", ascending=False)
    figure = parallel_figure(
        shown, result.parameters, measure=measure_text(result.measure)
    )
    st.plotly_chart(figure, key="parallel", config=CONFIG, alt=words.PARALLEL_ALT)


def importance_view(run: Run, result: SearchResult, kept: pd.DataFrame) -> None:
    """Show which parameter matters."""
    st.caption(words.IMPORTANCE_NOTE)
    table = parameter_importance(kept, result.parameters)
    st.plotly_chart(
        shares_figure(table), key="shares", config=QUIET, alt=words.IMPORTANCE_ALT
    )


def sparsity_view(
    run: Run, result: SearchResult, kept: pd.DataFrame, found: FoundChoice | None
) -> None:
    """Error against sparsity; a click opens Explore."""
    note(result, words.PARETO_NOTE, words.CLICK_POINT)
    sparsity = st.segmented_control(
        words.SPARSITY_PICK, list(words.SPARSITY), default="n_variables",
        format_func=words.SPARSITY.__getitem__, key="sparsity", required=True,
    )  # fmt: skip
    figure = pareto_figure(
        kept, pareto_front(kept, sparsity), marks(result, kept, found), sparsity,
        measure=measure_text(result.measure),
    )  # fmt: skip
    event = st.plotly_chart(
        figure, key="pareto", config=QUIET, alt=words.PARETO_ALT, on_select="rerun",
        selection_mode="points",
    )  # fmt: skip
    for point in event.selection.points:
        place = point.get("customdata")
        place = place[0] if isinstance(place, list) else place
        if isinstance(place, int) and place in kept.index and is_vstg(result.method):
            open_in_explore(run, setting_at(result, kept.loc[[place]].iloc[0]))


def marked(result: SearchResult, kept: pd.DataFrame) -> pd.DataFrame:
    """The table with the best and the one-SE choice marked."""
    shown: dict[Any, str] = dict.fromkeys(kept.index, "")
    for name, row in choices_shown(result, kept).items():
        shown[row.name] += words.SIGNS[name]
    return kept.assign(choice=list(shown.values()))


def table_columns() -> dict[str, Any]:
    """Names and formats; strengths with so many digits that no two look alike."""
    numbers = {
        name: st.column_config.NumberColumn(words.TABLE_COLUMNS[name], format="%.4g")
        for name in STRENGTHS
    }
    return {**aligned(words.TABLE_COLUMNS, "error", "se"), **numbers}


def table_view(run: Run, result: SearchResult, kept: pd.DataFrame) -> None:
    """All settings as numbers; a row opens Explore."""
    note(result, words.TABLE_NOTE, words.TICK_ROW)
    event = st.dataframe(
        marked(result, kept), hide_index=True,
        column_config=table_columns(), column_order=list(words.TABLE_COLUMNS),
        key="settings", on_select="rerun", selection_mode="single-row",
    )  # fmt: skip
    with st.container(horizontal=True):
        download(kept, "settings", "settings_csv", words.DOWNLOAD_SETTINGS)
        download(result.frame, "fits", "fits_csv", words.DOWNLOAD_CELLS)
    if event.selection.rows and is_vstg(result.method):
        row = kept.iloc[event.selection.rows[0]]
        open_in_explore(run, setting_at(result, row))


def views(store: Store, run: Run) -> None:
    """The headline, the filter and the open tab."""
    result = result_of(store, run)
    if result.frame.empty:
        return
    found = found_choice(store, run, result) if is_vstg(result.method) else None
    headline(run, result, result.summary(), found)
    say_edges(store, run, result)
    with st.container(horizontal=True, vertical_alignment="center", key="choose"):
        open_buttons(store, run, result, found)
        kept = filtered(run, result)
    shown: dict[str, Callable[[Run, SearchResult, pd.DataFrame], None]] = {
        "maps": partial(maps_view, found=found),
        "values": partial(values_view, found=found),
        "parallel": parallel_view,
        "importance": importance_view,
        "sparsity": partial(sparsity_view, found=found),
        "path": lambda *_: path_view(store, run, result, kept),
        "stability": lambda *_: stability_view(store, run, result, kept),
        "table": table_view,
    }
    tabs = st.tabs(list(words.TABS.values()), key="tune_tab", on_change="rerun")
    for name, tab in zip(words.TABS, tabs, strict=True):
        if tab.open:
            with tab:
                if kept.empty:
                    st.info(words.FILTER_EMPTY)
                elif name in ("path", "stability") and not is_vstg(result.method):
                    st.info(words.ONLY_VSTG)
                else:
                    shown[name](run, result, kept)
