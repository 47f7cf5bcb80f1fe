"""The lessons: every one opens, its controls work, its words are complete."""

import json
import string
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.learn.content import content
from pages.shared.learn.facts import FACTS, facts
from pages.shared.learn.handout import handout
from pages.shared.learn.page import class_link
from pages.shared.learn.pictures import PICTURES
from pages.shared.learn.widgets import short
from pages.shared.registry import check_link
from vstg.lessons import toy

APP = Path(__file__).parents[2] / "app.py"
LESSONS = content().lessons
SLUGS = [lesson.slug for lesson in LESSONS]


@pytest.fixture
def open_lesson():
    """Open a lesson by its link, and fail on any exception it shows."""

    def opened(slug, **query):
        app = AppTest.from_file(str(APP), default_timeout=60)
        app.query_params["lesson"] = slug
        for key, value in query.items():
            app.query_params[key] = str(value)
        app.switch_page("pages/6_Learn.py").run()
        assert not app.exception
        assert not app.error
        return app

    return opened


def title(app):
    return next(h.value for h in app.get("html") if "<h1>" in h.value)


def has_widget(app, key):
    return any(
        getattr(w, "key", None) == key for w in (*app.slider, *app.get("button_group"))
    )


def figure(app):
    return json.loads(app.get("plotly_chart")[0].proto.spec)


@pytest.mark.parametrize("lesson", LESSONS, ids=SLUGS)
def test_lesson_opens_with_picture_questions_and_a_way_on(open_lesson, lesson):
    app = open_lesson(lesson.slug)
    assert lesson.title.partition(" ")[0] in title(app)
    assert 2 <= len(lesson.questions) <= 3
    assert len(app.expander) == len(lesson.questions)
    known = facts(lesson)
    for shown, question in zip(app.expander, lesson.questions, strict=True):
        assert shown.label == question.ask.format(**known)
        assert shown.markdown[0].value == question.answer.format(**known)
    if lesson.slug != "factors":
        assert figure(app)["data"]
    assert not app.warning


def test_there_are_nine_lessons_each_with_its_computation():
    assert len(SLUGS) == len(set(SLUGS)) == 9
    assert set(FACTS) == set(SLUGS)
    assert set(PICTURES) | {"factors"} == set(SLUGS)


@pytest.mark.parametrize("lesson", LESSONS, ids=SLUGS)
def test_every_number_of_a_text_is_computed(lesson):
    known = facts(lesson)
    for question in lesson.questions:
        for text in (question.ask, question.answer):
            names = {name for _, name, _, _ in string.Formatter().parse(text) if name}
            assert names <= set(known)


@pytest.mark.parametrize("lesson", LESSONS, ids=SLUGS)
def test_way_to_explore_is_a_link_that_explore_knows(lesson):
    assert lesson.explore
    assert not check_link(lesson.explore)


CASES = [
    (lesson.slug, control)
    for lesson in LESSONS
    for control in lesson.controls
    if not control.when
]


@pytest.mark.parametrize(
    ("slug", "control"), CASES, ids=[f"{s}-{short(c)}" for s, c in CASES]
)
def test_control_changes_the_picture(open_lesson, slug, control):
    app = open_lesson(slug)
    before = app.get("plotly_chart")[0].proto.spec
    if control.kind == "slider":
        value = type(control.default)(control.low + control.step)
        value = control.high if value == control.default else value
        app.slider(key=control.key).set_value(value).run()
    else:
        value = next(o for o in reversed(control.options) if o != control.default)
        buttons = next(b for b in app.get("button_group") if b.key == control.key)
        buttons.set_value(value).run()
    assert not app.exception
    assert not app.error
    if control.key != "l8_s":  # along N the fit is the same; only the bound moves
        assert app.get("plotly_chart")[0].proto.spec != before


def test_controls_show_only_where_they_matter(open_lesson):
    assert not has_widget(open_lesson("prox"), "l4_k")
    assert has_widget(open_lesson("prox", l4_op="squared k-support"), "l4_k")
    space = open_lesson("norms", l3_view="In space", l3_k=3)
    assert not has_widget(space, "l3_rho")
    assert figure(space)["data"][0]["type"] == "mesh3d"


def test_lessons_follow_each_other(open_lesson):
    app = open_lesson("why-share")
    app.button(key="learn_next").click().run()
    assert "W = U·V" in title(app)
    app.button(key="learn_go_theorem").click().run()
    assert "Theorem 1" in title(app)
    assert app.query_params["lesson"] == "theorem"
    app.button(key="learn_previous").click().run()
    assert "Choosing" in title(app)


def test_unknown_lesson_falls_back_with_a_note(open_lesson):
    app = open_lesson("<b>no")
    assert "Why share?" in title(app)
    assert len(app.warning) == 1


def test_class_mode_has_only_the_named_controls(open_lesson):
    app = open_lesson("why-share", **{"class": 1, "only": "noise"})
    assert has_widget(app, "l1_noise")
    assert not has_widget(app, "l1_seed")
    assert not has_widget(app, "l1_data")
    assert not app.text_area
    assert not [b for b in app.button if b.key.startswith("learn_go_")]
    app.button(key="learn_next").click().run()
    assert app.query_params["class"] == "1"
    app.button(key="class_off").click().run()
    assert app.text_area


def test_link_for_the_class_names_all_controls():
    link = class_link("http://host/Learn?x=1", LESSONS[0])
    assert link == "http://host/Learn?lesson=why-share&class=1&only=data,noise,seed"


def test_toy_takes_its_factors_from_the_link(open_lesson):
    u = toy.turn(toy.FIGURE_1_U, 0)
    app = open_lesson("factors", U=u)
    assert app.query_params["U"] == u
    app.button(key="learn_toy_reset").click().run()
    assert "U" not in app.query_params
    app = open_lesson("factors", U="nonsense")
    assert not app.exception


def test_notes_reach_the_handout(open_lesson):
    app = open_lesson("prox")
    area = app.text_area(key="notes_prox")
    area.set_value("mind the <corner>").run()
    assert app.text_area(key="notes_prox").value == "mind the <corner>"


@pytest.mark.parametrize("lesson", LESSONS, ids=SLUGS)
def test_handout_is_one_file_with_everything(lesson):
    page = handout(lesson, lesson.defaults, "mind the <corner>").decode("utf-8")
    assert "mind the &lt;corner&gt;" in page
    assert lesson.idea in page
    assert page.count("<ol>") == 2
    body = page[page.index("<body>") :]
    assert "{" not in "".join(
        q.answer.format(**facts(lesson)) for q in lesson.questions
    )
    assert "http" not in body.partition("<h2>")[0]
    assert ("Plotly.newPlot" in body) == (lesson.slug != "factors")
