"""The widgets, drawn from the registry; each is bound to its place in the URL."""

from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared import words
from pages.shared.data.catalogue import OwnData, names
from pages.shared.state import exact, keys
from pages.shared.state.choices import (
    basis_limit,
    data_choice,
    settings_choice,
    wrongly_typed,
)
from pages.shared.state.parameters import EXPONENTS, PARAMS, SIZES, Interval, OneOf
from pages.shared.state.presets import PRESETS, Preset
from pages.shared.ui.display import side_heading
from pages.shared.ui.markdown import plain
from vstg.datasets import make_syn
from vstg.notation import counted, setting_text
from vstg.plots import data_uri, matrix_png

RARE = (keys.SOLVER, keys.STARTS, keys.EXACT)  # out of sight until they are used
LONGEST_NUMBER = 18  # characters of a number in a link


def values() -> dict[str, Any]:
    """The state of all widgets of this run; one left empty counts as untouched."""
    found = {key: st.session_state.get(key) for key in PARAMS}
    return {k: PARAMS[k].default if v is None else v for k, v in found.items()}


def slider(key: str, **options: Any) -> Any:
    """A slider over the span of a parameter."""
    param = PARAMS[key]
    assert isinstance(param.allowed, Interval)
    label, help_text = words.CONTROLS[key]
    kind = type(param.default)
    return st.slider(
        label, kind(param.allowed.low), kind(param.allowed.high), param.default,
        kind(param.allowed.step), key=key, help=help_text, bind="query-params",
        **options,
    )  # fmt: skip


def count(key: str, **options: Any) -> Any:
    """A number to type or to step."""
    param = PARAMS[key]
    assert isinstance(param.allowed, Interval)
    label, help_text = words.CONTROLS[key]
    # Streamlit reads a number of hundreds of digits as infinite, and fails.
    readable = len(st.query_params.get(key, "")) <= LONGEST_NUMBER
    return st.number_input(
        label, int(param.allowed.low), int(param.allowed.high), param.default, 1,
        key=key, help=help_text, bind="query-params" if readable else None, **options,
    )  # fmt: skip


def switch(key: str, **options: Any) -> bool:
    """A toggle."""
    label, help_text = words.CONTROLS[key]
    return st.toggle(
        label, PARAMS[key].default, key=key, help=help_text, bind="query-params",
        **options,
    )  # fmt: skip


def segments(key: str, **options: Any) -> Any:
    """A row of buttons of which one is down."""
    param = PARAMS[key]
    assert isinstance(param.allowed, OneOf)
    label, help_text = words.CONTROLS[key]
    allowed = names() if key == keys.DATA else param.allowed.options
    return st.segmented_control(
        label, allowed, default=param.default, required=True,
        format_func=param.allowed.label, key=key, help=help_text,
        bind="query-params", **options,
    )  # fmt: skip


def select(key: str, **options: Any) -> Any:
    """A list to choose from."""
    param = PARAMS[key]
    assert isinstance(param.allowed, OneOf)
    label, help_text = words.CONTROLS[key]
    return st.selectbox(
        label, param.allowed.options, param.allowed.options.index(param.default),
        format_func=param.allowed.label, key=key, help=help_text,
        bind="query-params", **options,
    )  # fmt: skip


@st.cache_resource(show_spinner=False)
def thumbnail_style() -> str:
    """The true W of every synthetic problem behind its button."""
    rules = []
    for number in range(1, 5):  # beside the shops, which are the first
        picture = data_uri(
            matrix_png(make_syn(number, n_train=1, n_test=1, random_state=0).W)
        )
        rules.append(
            f".st-key-data button[role=radio]:nth-of-type({number + 1})"
            f"{{background-image:url({picture})}}"
        )
    return f"<style>{''.join(rules)}</style>"


def draw_again() -> None:
    """Move on to the next seed."""
    seeds = PARAMS[keys.SEED].allowed
    assert isinstance(seeds, Interval)
    seed = int(st.session_state[keys.SEED]) + 1
    st.session_state[keys.SEED] = seed % (int(seeds.high) + 1)


def follow_size() -> None:
    """Larger problems are made of more bases: K follows, where there is a K."""
    if keys.N_LATENT in st.session_state:
        st.session_state[keys.N_LATENT] = SIZES[st.session_state[keys.SIZE]][2]


def data_controls() -> None:
    """Which data."""
    side_heading(words.SECTIONS["data"])
    st.html(thumbnail_style())
    segments(keys.DATA, label_visibility="collapsed", width="stretch")
    chosen = data_choice(values())
    if isinstance(chosen, OwnData):  # nothing of them can be drawn again
        variables, tasks = chosen.shape
        st.caption(
            words.YOURS.format(
                name=plain(chosen.name),
                variables=counted(variables, "variable"),
                tasks=counted(tasks, "task"),
            )
        )
        return
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        count(keys.SEED)
    with right:
        st.button(
            words.DRAW_AGAIN, key="draw_again", help=words.DRAW_AGAIN_HELP,
            on_click=draw_again, width="stretch",
        )  # fmt: skip
    left, right = st.columns(2)
    with left:
        slider(keys.N_TRAIN)
    with right:
        slider(keys.NOISE)
    select(keys.SIZE, on_change=follow_size)


def let_mu_go() -> None:
    """μ begins where γ1 stands when it is let go."""
    st.session_state[keys.MU] = st.session_state[keys.GAMMA1]


def show_tied_mu() -> None:
    """The slider of μ where γ1 holds it: in its place, not to be moved."""
    label, help_text = words.CONTROLS[keys.MU]
    low, high = EXPONENTS
    st.session_state[keys.EXPLORE_MU_TIED] = st.session_state[keys.GAMMA1]
    st.slider(
        label,
        low,
        high,
        key=keys.EXPLORE_MU_TIED,
        format="2^%d",
        disabled=True,
        help=help_text,
    )


def model_controls(below: Callable[[str], None]) -> None:
    """Which model; an impossible combination is said where it is set.

    ``below`` is called with the key of each slider, where it is drawn.
    """
    place_typed()
    typed = st.container()
    left, right = st.columns([2, 3])
    with left:
        slider(keys.N_LATENT)
        below(keys.N_LATENT)
    with right:
        slider(keys.K_SUPPORT)
        below(keys.K_SUPPORT)
    limits = st.container()
    for key in (keys.GAMMA1, keys.GAMMA2):
        slider(key, format="2^%d")
        below(key)
    if switch(keys.TIE, on_change=let_mu_go):
        show_tied_mu()
    else:
        slider(keys.MU, format="2^%d")
    below(keys.MU)
    left, right = st.columns([4, 3], vertical_alignment="center")
    with left:
        slider(keys.CUT, format="%d%%")
        below(keys.CUT)
    with right:
        switch(keys.REFIT)
    switch(keys.CURVES)
    below(keys.CURVES)
    with st.expander(words.MORE, expanded=any(map(is_moved, RARE))):
        segments(keys.SOLVER)
        select(keys.STARTS)
        type_values()
    with typed:
        say_typed()
    with limits:
        say_limits()


def is_moved(key: str) -> bool:
    """Whether a control is elsewhere than by default, or will be by the address."""
    return key in st.query_params or values()[key] != PARAMS[key].default


def say_limits() -> None:
    """What of K and k is impossible, and what is used instead."""
    now, typed = values(), exact.in_force(values())
    limit = basis_limit(data_choice(now))
    n_latent = typed.get("n_latent", now[keys.N_LATENT])
    if "n_latent" not in typed and n_latent > limit:
        st.caption(f":orange[{words.K_NEEDS.format(limit=limit)}]")
        n_latent = limit
    if typed.get("k", now[keys.K_SUPPORT]) > n_latent:
        st.caption(f":orange[{words.MIXING_NEEDS.format(limit=n_latent)}]")


def place_typed() -> None:
    """Before the sliders are drawn: let typed values whose sliders were moved go.

    Those of a new link put the sliders where they are shown.
    """
    if keys.EXACT in st.session_state:
        text = st.session_state[keys.EXACT]
        if not exact.read(text)[1]:
            st.session_state[keys.EXACT] = exact.write(exact.in_force(values()))
        return
    typed, _ = exact.read(st.query_params.get(keys.EXACT, ""))
    for key, position in exact.positions(typed).items():
        if key not in st.query_params:
            st.session_state.setdefault(key, position)


def move_to_typed() -> None:
    """Put the sliders where they come closest to what was typed."""
    typed, _ = exact.read(st.session_state[keys.EXACT])
    for key, position in exact.positions(typed).items():
        st.session_state[key] = position


def type_values() -> None:
    """Values that no slider has."""
    label, help_text = words.CONTROLS[keys.EXACT]
    st.text_input(
        label, key=keys.EXACT, help=help_text, max_chars=exact.MOST_CHARACTERS,
        bind="query-params", on_change=move_to_typed, placeholder="K=20 g1=0.3",
    )  # fmt: skip


def say_typed() -> None:
    """Which typed values are used, and which are not and why."""
    wrong, typed = wrongly_typed(values()), exact.in_force(values())
    used = settings_choice(values())
    if wrong:
        reasons = plain("; ".join(wrong))
        st.caption(f":orange[{words.NOT_TYPED.format(reasons=reasons)}]")
    if typed and all(getattr(used, name) == typed[name] for name in typed):
        st.caption(words.TYPED.format(settings=setting_text(typed)))


def model_heading() -> None:
    """Above the controls of the model, and what stands between."""
    side_heading(words.SECTIONS["model"])


def view_controls(
    *, has_truth: bool, on_names: Callable[[], None] | None = None
) -> DeltaGenerator:
    """How to show it: one row above the matrices, which has room for more.

    ``on_names`` is what to do when names and numbers are exchanged, where there are
    names.
    """
    row = st.container(key="toolbar", horizontal=True, gap="small")
    with row:
        segments(keys.VIEW, label_visibility="collapsed")
        with st.popover(words.ARRANGE, type="tertiary"):
            switch(keys.BY_GROUP)
            switch(keys.BY_SIZE)
            if on_names is not None:
                switch(keys.PAPER, on_change=on_names)
        if has_truth:
            switch(keys.TRUTH)
        if st.session_state.get(keys.ZERO) or keys.ZERO in st.query_params:
            select(keys.ZERO, label_visibility="collapsed", width=235)
    return row


def apply(preset: Preset) -> None:
    """Set the controls of a preset; those it does not name go to their defaults."""
    for key in preset.resets:
        st.session_state[key] = preset.values.get(key, PARAMS[key].default)


def preset_row() -> None:
    """Worked examples to start from."""
    with st.container(
        key="presets", horizontal=True, gap="small", vertical_alignment="center"
    ):
        st.html(f'<span class="vstg-label">{words.PRESETS}</span>', width="content")
        for name in PRESETS:
            preset_button(name)


def preset_button(name: str, label: str | None = None) -> None:
    """One of them."""
    preset = PRESETS[name]
    st.button(
        label or preset.label, key=f"preset_{name}", help=preset.help,
        on_click=apply, args=(preset,),
    )  # fmt: skip
