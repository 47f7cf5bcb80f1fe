"""The landing page: every control, every state, through app.py."""

import re
import time

import pytest

from pages.explore import words as explore_words
from pages.shared import words as common
from pages.shared.fits import live
from pages.shared.state.choices import choices
from pages.shared.state.parameters import PARAMS
from pages.shared.state.presets import PRESETS


def html_with(app, start):
    """The first piece of HTML that begins in a certain way, or nothing."""
    pieces = (html.value for html in app.get("html"))
    return next((piece for piece in pieces if piece.startswith(start)), "")


def headline(app):
    return html_with(app, '<dl class="vstg-head">')


def formula(app):
    return html_with(app, '<div class="vstg-formula"')


def by_key(app, kind, key):
    return next(widget for widget in app.get(kind) if widget.key == key)


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """Load the compiled solver once, outside the time limit of a test."""
    live.warm_up()


def test_page_opens_with_a_fitted_model(open_app):
    app = open_app(K=5)
    assert "converged" in headline(app)
    assert "of 25" in headline(app)
    assert not app.warning


CONTROLS = {
    "n": 20, "noise": 0.25, "K": 3, "k": 2, "g1": -3, "g2": -1,
}  # fmt: skip


@pytest.mark.parametrize("key", CONTROLS)
def test_slider_gives_another_model(open_app, key):
    app = open_app(cut=20)
    before = headline(app)
    app.slider(key=key).set_value(CONTROLS[key]).run()
    assert not app.exception
    assert headline(app) != before


def test_mu_moves_only_when_it_is_let_go(open_app):
    app = open_app(g1=-3)
    assert app.slider(key="mu_tied").disabled
    assert app.slider(key="mu_tied").value == -3
    before = headline(app)
    app.toggle(key="tie").set_value(False).run()
    assert app.slider(key="mu").value == -3
    app.slider(key="mu").set_value(-6).run()
    assert headline(app) != before


def test_link_with_its_own_mu(open_app):
    app = open_app(tie="false", mu=-6)
    assert app.slider(key="mu").value == -6


def test_data_seed_and_draw_again(open_app):
    app = open_app()
    seen = {headline(app)}
    by_key(app, "button_group", "data").set_value("Syn3").run()
    assert not app.exception
    assert app.session_state["data"] == "Syn3"
    seen.add(headline(app))
    app.number_input(key="seed").set_value(41).run()
    seen.add(headline(app))
    app.button(key="draw_again").click().run()
    assert app.session_state["seed"] == 42
    seen.add(headline(app))
    assert len(seen) == 4


def test_a_larger_size_brings_as_many_bases_as_it_is_made_of(open_app):
    app = open_app(K=5, solver="Algorithm 1")  # which waits to be asked
    app.selectbox(key="size").set_value("500 × 200").run()
    assert app.slider(key="K").value == 10
    app.selectbox(key="size").set_value("25 × 20").run()
    assert app.slider(key="K").value == 5


def test_draw_again_after_the_last_seed_starts_over(open_app):
    app = open_app(seed=9999)
    app.button(key="draw_again").click().run()
    assert app.session_state["seed"] == 0


@pytest.mark.parametrize("name", PRESETS)
def test_preset_sets_its_controls(open_app, name):
    app = open_app(seed=5, noise=2)
    app.button(key=f"preset_{name}").click().run()
    assert not app.exception
    for key in PRESETS[name].resets:
        expected = PRESETS[name].values.get(key, PARAMS[key].default)
        assert app.session_state[key] == expected


@pytest.mark.parametrize("view", ["magnitude", "pattern"])
def test_views_are_explained(open_app, view):
    app = open_app(view=view)
    assert any(explore_words.LEGENDS[view] in html.value for html in app.get("html"))


@pytest.mark.parametrize("key", ["by_group", "by_size", "truth"])
def test_switches_of_the_view_keep_the_model(open_app, key):
    app = open_app(K=5)
    before = headline(app)
    switch = app.toggle(key=key)
    switch.set_value(not switch.value).run()
    assert not app.exception
    assert headline(app) == before


def test_threshold_changes_the_groups(open_app):
    app = open_app(zero="zero is < 1%")  # a link from before there was a cut
    before = headline(app)
    app.selectbox(key="zero").set_value(0.3).run()
    assert headline(app) != before


def test_a_bare_address_opens_the_shops_and_one_click_the_paper_and_back(open_app):
    app = open_app()
    assert "6 <small>of 14</small>" in headline(app)
    assert "<dd>4</dd>" in headline(app)
    assert "converged" not in headline(app)  # a newcomer has enough to look at
    assert len(app.button) <= 6
    app.button(key="preset_fig2").click().run()
    assert not app.exception
    assert (app.slider(key="cut").value, app.toggle(key="refit").value) == (20, True)
    assert "20 right · 0 wrong · 0 missed" in headline(app)
    groups = explore_words.GROUPS_TRUE.format(true=5, agreement="1.00")
    assert groups in headline(app)
    app.button(key="preset_shops").click().run()
    assert "6 <small>of 14</small>" in headline(app)


def test_names_can_be_those_of_the_paper(open_app):
    app = open_app(data="Shops", var="holiday", task="resort 1")
    assert "holiday, resort 1" in formula(app)
    app.toggle(key="paper").set_value(True).run()
    assert not app.exception
    assert "x9, task2" in formula(app)
    app.toggle(key="paper").set_value(False).run()
    assert "holiday, resort 1" in formula(app)


def test_a_link_says_all_that_differs_from_the_plain_fit(open_app):
    app = open_app(K=5)
    assert (app.slider(key="cut").value, app.toggle(key="refit").value) == (0, False)


@pytest.mark.parametrize(("key", "kind"), [("cut", "slider"), ("refit", "toggle")])
def test_cut_and_refit_change_the_model(open_app, key, kind):
    app = open_app()
    before = headline(app)
    getattr(app, kind)(key=key).set_value(0).run()
    assert not app.exception
    assert headline(app) != before


def test_cut_and_refit_are_in_the_link_and_in_the_python(open_app):
    app = open_app(cut=15, refit="true", tab=explore_words.TABS["share"])
    link, snippet = (code.value for code in app.code)
    assert "cut=15" in link
    assert "refit=true" in link
    assert "cut=0.15, relax=0.0" in snippet.replace("\n" + 20 * " ", " ")


def test_refit_is_told_from_the_descent(open_app):
    app = open_app(cut=20, refit="true", tab=explore_words.TABS["convergence"])
    assert any("cut" in caption.value for caption in app.caption)


def test_overlap_that_is_in_U_is_explained(open_app):
    query = dict(data="Syn2", g1=-2, starts=5, cut=20, refit="true")
    said = [
        any("the overlap is in U" in text.value for text in app.markdown)
        for app in (open_app(**query), open_app(k=2, **query))
    ]
    assert said == [True, False]


def test_cell_can_be_chosen_from_lists(open_app):
    app = open_app(K=5)
    app.selectbox(key="var").set_value("x3").run()
    app.selectbox(key="task").set_value("task7").run()
    assert "x3, task7" in formula(app)


def test_link_restores_everything(open_app):
    app = open_app(data="Syn4", K=7, k=2, g1=-3, view="pattern", var="x3", task="task1")
    assert app.session_state["K"] == 7
    assert app.session_state["data"] == "Syn4"
    assert app.session_state["view"] == "pattern"
    assert "x3, task1" in formula(app)


def test_bad_values_of_a_link_fall_back_with_a_note(open_app):
    app = open_app(K=999, data="Syn9", g1=-5)
    notes = " ".join(warning.value for warning in app.warning)
    assert "K = 999" in notes
    assert "Syn9" in notes
    assert app.session_state["K"] == 5
    assert app.session_state["g1"] == -5


def test_name_that_the_data_lack_is_dropped(open_app):
    app = open_app(var="x400", task="<b>")
    assert app.session_state["var"] is None
    assert "converged" in headline(app)


def test_k_above_K_is_said_at_the_widget(open_app):
    app = open_app(K=3, k=9)
    note = common.MIXING_NEEDS.format(limit=3)
    assert any(note in caption.value for caption in app.caption)
    app.slider(key="K").set_value(9).run()
    assert not any(note in caption.value for caption in app.caption)


ODD = [
    {"K": 1, "k": 13},
    {"g1": 3, "g2": 3},
    {"n": 5, "noise": 0},
    {"K": 13, "k": 13, "g1": -10, "g2": -10},
    {"starts": 5},
]


@pytest.mark.parametrize("query", ODD, ids=str)
def test_odd_settings_are_shown(open_app, query):
    app = open_app(**query)
    assert "of 25" in headline(app)


def test_nothing_left_is_explained(open_app):
    app = open_app(g1=3, g2=3)
    assert any(explore_words.NOTHING_LEFT in html.value for html in app.get("html"))


@pytest.mark.parametrize("tab", explore_words.TABS)
def test_tab_opens(open_app, tab):
    app = open_app(tab=explore_words.TABS[tab])
    assert not app.exception
    charts = len(app.get("plotly_chart"))
    assert charts == {"convergence": 2, "variables": 1, "tasks": 1}.get(tab, 0)


def test_last_picture_stays_while_a_slow_fit_is_offered(open_app):
    app = open_app(seed=77)
    app.session_state["solver"] = "admm"
    app.run()
    assert not app.exception
    assert by_key(app, "button", "run")
    assert explore_words.LAST_PICTURE in [caption.value for caption in app.caption]
    app.session_state["seed"] = 78  # other data: the picture would mislead
    app.run()
    assert by_key(app, "button", "run")
    assert explore_words.LAST_PICTURE not in [caption.value for caption in app.caption]


def test_rare_controls_are_out_of_sight_until_they_are_used(open_app):
    def is_open(app):
        return app.sidebar.expander[0].proto.expanded

    assert not is_open(open_app())
    assert is_open(open_app(exact="g1=0.3"))


def test_restarts_show_their_spread(open_app):
    app = open_app(starts=5, tab=explore_words.TABS["convergence"])
    assert len(app.get("plotly_chart")) == 3


def test_share_tab_has_link_snippet_and_files(open_app):
    app = open_app(K=7, tab=explore_words.TABS["share"])
    link, snippet = (code.value for code in app.code)
    assert "K=7" in link
    assert "n_latent=7" in snippet
    keys = {button.key for button in app.get("download_button")}
    assert keys == {"U_csv", "V_csv", "W_csv", "model_file", "report_file"}


def test_solver_that_gives_up_leaves_the_page_usable(open_app, monkeypatch):
    def give_up(*args):
        msg = "array must not contain NaNs"
        raise ValueError(msg)

    app = open_app(seed=4711)
    with monkeypatch.context() as patch:
        patch.setattr(live, "solve", give_up)
        app.slider(key="g1").set_value(-7).run()
    assert "NaNs" in app.error[0].value
    assert not headline(app)
    app.slider(key="g1").set_value(-6).run()
    assert headline(app)
    assert not app.error


def test_run_that_is_overtaken_is_not_remembered(monkeypatch):
    class Overtaken(BaseException):
        """What Streamlit raises to end a run."""

    def overtaken(progress):
        raise Overtaken

    monkeypatch.setattr(live, "stop_if_stale", overtaken)
    chosen = choices({"seed": 4712, "data": "Syn3", "k": 3, "g1": -5, "g2": -5})
    with pytest.raises(Overtaken):
        live.fit(chosen)
    assert live.remembered(chosen) is None


def wait_for(app, condition):
    """Run until the background is where it should be; no result by luck."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
        app.run()


def test_slow_settings_wait_for_a_button(open_app):
    app = open_app(solver="Algorithm 1", seed=77)
    assert not headline(app)
    assert any("about" in heading.value for heading in app.subheader)
    app.button(key="run").click().run()
    wait_for(app, lambda: headline(app))
    assert not app.exception


def test_algorithm_1_shows_its_residuals(open_app):
    chosen = choices({"solver": "admm", "seed": 3})
    problem = live.problem(chosen.data)
    result = live.solve(problem, chosen.settings, chosen.effort, lambda progress: True)
    live.memory().put(chosen.fit_key, result)
    app = open_app(solver="Algorithm 1", seed=3, tab=explore_words.TABS["convergence"])
    assert len(app.get("plotly_chart")) == 3


def test_slow_fit_can_be_cancelled(open_app):
    app = open_app(solver="Algorithm 1", starts=50, seed=78)
    app.button(key="run").click().run()
    app.button(key="cancel").click().run()
    wait_for(app, lambda: any(common.FIT_CANCELLED in info.value for info in app.info))
    chosen = choices({"solver": "admm", "starts": 50, "seed": 78})
    assert live.remembered(chosen) is None


def test_moving_a_control_cancels_the_fit(open_app):
    app = open_app(solver="Algorithm 1", starts=50, seed=79)
    app.button(key="run").click().run()
    assert any(button.key == "cancel" for button in app.button)
    app.slider(key="K").set_value(4).run()
    assert any(button.key == "run" for button in app.button)


def members(app):
    """The pictures of who uses which basis: estimated, and in truth."""
    pieces = (html.value for html in app.get("html"))
    return [piece for piece in pieces if piece.startswith('<table class="vstg-members')]


def test_the_truth_has_its_own_bases_not_those_of_the_fit(open_app):
    estimated, true = members(open_app(K=13))
    assert estimated.count("<tr>") == 1 + 13
    assert true.count("<tr>") == 1 + 5


def test_no_groups_are_said_in_words_not_drawn_as_an_empty_square(open_app):
    app = open_app(g1=3, g2=3)
    assert explore_words.NO_OVERLAPS in [caption.value for caption in app.caption]
    squares = [h for h in app.get("html") if '<table class="vstg-overlaps' in h.value]
    assert len(squares) == 1  # that of the truth


def test_one_further_term_is_said_in_the_singular(open_app):
    assert "1 further term is zero" in formula(open_app(K=2))


def test_fit_that_takes_longer_than_thought_goes_on_in_the_background(
    open_app, monkeypatch
):
    monkeypatch.setattr(live, "PATIENCE", -1.0)  # whatever it takes is too long
    app = open_app(seed=4321)
    assert not app.error
    wait_for(app, lambda: "converged" in headline(app))


def test_any_value_can_be_typed_and_is_left_by_moving_its_slider(open_app):
    app = open_app()
    app.text_input(key="exact").set_value("K=20 g1=0.3").run()
    assert not app.exception
    assert (app.slider(key="K").value, app.slider(key="g1").value) == (13, -2)
    typed = common.TYPED.format(settings="K = 20, γ₁ = 0.3")
    assert any(typed in caption.value for caption in app.caption)
    state = app.session_state
    settings = choices({key: state[key] for key in PARAMS if key in state}).settings
    assert (settings.n_latent, settings.gamma1) == (20, 0.3)
    app.slider(key="K").set_value(5).run()
    assert app.session_state["exact"] == "g1=0.3"
    app.text_input(key="exact").set_value("K=two").run()
    assert not app.exception
    assert any("'two' is not a number" in caption.value for caption in app.caption)


def test_a_link_with_a_typed_value_moves_the_sliders(open_app):
    app = open_app(exact="K=20")
    assert app.slider(key="K").value == 13
    typed = common.TYPED.format(settings="K = 20")
    assert any(typed in caption.value for caption in app.caption)


@pytest.mark.parametrize("form", ["sparse", "tasks", "variables"])
def test_the_same_W_can_be_looked_at_in_another_form(open_app, form):
    app = open_app(data="Syn2", k=2, g1=-2, cut=20, refit="true")
    before = headline(app)
    app.segmented_control(key="form").set_value(form).run()
    assert not app.exception
    assert headline(app) == before
    said = " ".join(caption.value for caption in app.caption)
    assert explore_words.FORM_NOTES[form] in said
    (difference,) = re.findall(r"largest difference is (\S+) of", said)
    assert float(difference) < 1e-10
