"""A search that has ended: its choices and eight ways to look at it."""

from typing import Any

import pandas as pd
import streamlit as st

from pages.shared.runs.opening import open_in_explore
from pages.shared.ui.display import CONFIG, QUIET, aligned, tile
from pages.shared.ui.downloads import download
from pages.tune import words
from pages.tune.filter import choices_shown, filtered, setting_at
from pages.tune.maps import fixed_names, pick_combination, show_maps
from pages.tune.path import path_view
from pages.tune.run_frames import result_of
from pages.tune.stability import stability_view
from vstg.jobs import Run, Store
from vstg.model_selection import SearchResult
from vstg.model_selection.methods import get_method
from vstg.notation import STRENGTHS, duration, measure_text, number_text, setting_text
from vstg.plots.tuning import (
    error_curve,
    error_range,
    parallel_figure,
    pareto_figure,
    shares_figure,
)
from vstg.plots.tuning_frames import error_by, parameter_importance, pareto_front


def headline(run: Run, result: SearchResult, summary: pd.DataFrame) -> None:
    """What was chosen, and the way to Explore."""
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
        tile(words.FITS_TILE, f"{run.done:,}", f"{len(summary):,} settings"),
        tile(
            words.TIME_TILE,
            duration(run.seconds),
            words.FROM_BEFORE.format(count=f"{before:,}") if before else "",
        ),
    ]
    st.html(f'<dl class="vstg-head vstg-head-wide">{"".join(tiles)}</dl>')


def open_buttons(run: Run, result: SearchResult) -> None:
    """Leave for Explore with one of the choices."""
    if result.method != "vstg":
        label = get_method(result.method).label
        st.caption(words.NOT_EXPLORABLE.format(method=label))
        return
    for key, label, setting in (
        ("open_best", words.OPEN_BEST, result.best),
        ("open_one_se", words.OPEN_ONE_SE, result.one_se),
    ):
        if st.button(label, key=key):
            open_in_explore(run, setting)


def note(result: SearchResult, text: str, way: str) -> None:
    """What a view shows, and the way to Explore where there is one."""
    st.caption(f"{text} {way}" if result.method == "vstg" else text)


def maps_view(run: Run, result: SearchResult, kept: pd.DataFrame) -> None:
    """A map for every K."""
    note(result, words.MAP_NOTE, words.CLICK_CELL)
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
    show_maps(run, result, combinations, key="maps", summary=kept)


def values_view(run: Run, result: SearchResult, kept: pd.DataFrame) -> None:
    """Error against each parameter, K and k first."""
    st.caption(words.VALUES_NOTE)
    tables = {name: error_by(kept, name) for name in result.parameters if name != "mu"}
    marks = choices_shown(result, kept)
    limits = error_range(list(tables.values()))
    measure = measure_text(result.measure)
    # A figure each, so that they stand below one another where there is no room.
    for (name, table), place in zip(
        tables.items(), st.columns(len(tables)), strict=True
    ):
        figure = error_curve(name, table, marks, measure=measure, limits=limits)
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
    """Which parameter matters."""
    st.caption(words.IMPORTANCE_NOTE)
    table = parameter_importance(kept, result.parameters)
    st.plotly_chart(
        shares_figure(table), key="shares", config=QUIET, alt=words.IMPORTANCE_ALT
    )


def sparsity_view(run: Run, result: SearchResult, kept: pd.DataFrame) -> None:
    """Error against sparsity; a click opens Explore."""
    note(result, words.PARETO_NOTE, words.CLICK_POINT)
    sparsity = st.segmented_control(
        words.SPARSITY_PICK, list(words.SPARSITY), default="n_variables",
        format_func=words.SPARSITY.__getitem__, key="sparsity", required=True,
    )  # fmt: skip
    marks = choices_shown(result, kept)
    figure = pareto_figure(
        kept, pareto_front(kept, sparsity), marks, sparsity,
        measure=measure_text(result.measure),
    )  # fmt: skip
    event = st.plotly_chart(
        figure, key="pareto", config=QUIET, alt=words.PARETO_ALT, on_select="rerun",
        selection_mode="points",
    )  # fmt: skip
    for point in event.selection.points:
        place = point.get("customdata")
        place = place[0] if isinstance(place, list) else place
        if isinstance(place, int) and result.method == "vstg":
            open_in_explore(run, setting_at(result, kept.loc[[place]].iloc[0]))


def marked(result: SearchResult, kept: pd.DataFrame) -> pd.DataFrame:
    """The table with the best and the one-SE choice marked."""
    signs: dict[Any, str] = dict.fromkeys(kept.index, "")
    for name, row in choices_shown(result, kept).items():
        signs[row.name] += words.SIGNS[name]
    return kept.assign(choice=list(signs.values()))


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
    if event.selection.rows and result.method == "vstg":
        row = kept.iloc[event.selection.rows[0]]
        open_in_explore(run, setting_at(result, row))


def views(store: Store, run: Run) -> None:
    """The headline, the filter and the open tab."""
    result = result_of(store, run)
    if result.frame.empty:
        return
    headline(run, result, result.summary())
    with st.container(horizontal=True, vertical_alignment="center", key="choose"):
        open_buttons(run, result)
        kept = filtered(run, result)
    shown = {
        "maps": maps_view,
        "values": values_view,
        "parallel": parallel_view,
        "importance": importance_view,
        "sparsity": sparsity_view,
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
                else:
                    shown[name](run, result, kept)
