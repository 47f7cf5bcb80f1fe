"""The lessons: every one opens, its controls work, its words are complete."""

import json
import re
import string
from html import escape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.learn import models, papers
from pages.learn.facts import FACTS, facts
from pages.learn.offline import offline
from pages.learn.pictures import PICTURES
from pages.learn.teacher import class_link, qr_code
from pages.learn.widgets import answer_at, short, wanted
from pages.shared import words as common
from pages.shared.lessons.content import content
from pages.shared.state.links import check_link
from pages.shared.state.parameters import PARAMS
from vstg.lessons import toy
from vstg.plots.lessons import told_by
from vstg.plots.svg.pictures import at_frame

APP = Path(__file__).parents[2] / "app.py"
LESSONS = content().lessons
SLUGS = [lesson.slug for lesson in LESSONS]


@pytest.fixture
def open_lesson():
    """Open a lesson by its link, and fail on any exception it shows."""

    def opened(slug, predict=True, **query):
        app = AppTest.from_file(str(APP), default_timeout=60)
        app.query_params["lesson"] = slug
        lesson = content().lesson(slug)
        if predict and lesson and lesson.predict:
            app.query_params[f"guess_{slug}"] = lesson.predict.options[0]
        for key, value in query.items():
            app.query_params[key] = str(value)
        app.switch_page("pages/1_Learn.py").run()
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


def notes(app):
    return any("notes" in str(c.proto) for c in app.get("bidi_component"))


def figure(app):
    return json.loads(app.get("plotly_chart")[0].proto.spec)


@pytest.mark.parametrize("lesson", LESSONS, ids=SLUGS)
def test_lesson_opens_with_picture_questions_and_a_way_on(open_lesson, lesson):
    app = open_lesson(lesson.slug)
    assert lesson.title.partition(" ")[0] in title(app)
    assert 2 <= len(lesson.questions) <= 3
    assert len(app.main.expander) == len(lesson.questions)
    known = facts(lesson)
    for shown, question in zip(app.main.expander, lesson.questions, strict=True):
        assert shown.label == question.ask.format(**known)
        assert shown.markdown[0].value == question.answer.format(**known)
    if lesson.slug != "factors":
        assert figure(app)["data"]
    assert not app.warning
    assert lesson.there in [caption.value for caption in app.caption]


def test_there_are_thirteen_lessons_each_with_its_computation():
    assert len(SLUGS) == len(set(SLUGS)) == 13
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


@pytest.mark.parametrize(
    "lesson", [x for x in LESSONS if x.predict], ids=lambda x: x.slug
)
def test_lesson_shows_nothing_before_a_prediction(open_lesson, lesson):
    app = open_lesson(lesson.slug, predict=False)
    assert not app.get("plotly_chart")
    assert not app.main.expander
    assert lesson.predict.right in lesson.predict.options
    buttons = next(
        b for b in app.get("button_group") if b.key == f"guess_{lesson.slug}"
    )
    buttons.set_value(lesson.predict.right).run()
    assert not app.exception
    assert figure(app)["data"]
    said = [m.value for m in app.main.markdown]
    assert content().page["predict_right"].format(guess=lesson.predict.right) in said


def test_picture_says_what_it_shows_now(open_lesson):
    def alt(app):
        return app.get("plotly_chart")[0].proto.alt

    app = open_lesson("failures")
    before = alt(app)
    assert "Test error 1.77 (healthy case 1.18)" in before
    app.slider(key="l9_seed").set_value(3).run()
    assert alt(app) != before


@pytest.mark.parametrize(
    "lesson", [x for x in LESSONS if x.slug in PICTURES], ids=lambda x: x.slug
)
def test_text_of_a_picture_has_numbers_and_changes_with_its_place(lesson):
    figure = PICTURES[lesson.slug](lesson, lesson.defaults)
    told = told_by(figure)
    assert len(told.texts) == max(len(figure.frames), 1)
    for text in told.texts:
        assert re.search(r"\d", text)
        assert lesson.title not in text
        assert not re.search(r"[{}<]", text)
    if figure.frames:
        assert len(told.labels) == len(told.texts) == len(set(told.labels))
        assert told.texts[0] != told.texts[-1]
        drawn = at_frame(figure, len(told.texts) - 1)
        assert told_by(drawn).text == told.texts[-1]


def test_texts_tell_the_numbers_of_the_models():
    lesson = LESSONS[0]
    told = told_by(PICTURES["why-share"](lesson, lesson.defaults))
    found = models.sharing("Syn1", 1.0, 0)
    for place, size in enumerate(found.sizes):
        error = found.errors["vstg"][place]
        assert f"N = {size}:" in told.texts[place]
        assert f"{error:.2f} for VSTG" in told.texts[place]


def test_bound_is_quoted_only_where_the_theorem_applies():
    lesson = content().lesson("theorem")
    opening = PICTURES["theorem"](lesson, lesson.defaults)
    assert "18.11" in told_by(opening).text
    assert not [s for s in opening.layout.shapes if s.type == "rect"]  # nothing is grey
    fitted = PICTURES["theorem"](lesson, lesson.defaults | {"l8_s": 1.0})
    assert "does not apply" in told_by(fitted).text
    assert "1.55" not in told_by(fitted).text  # the terms' sum, which bounds nothing
    assert [s for s in fitted.layout.shapes if s.type == "rect"]


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
    assert not notes(app)
    assert not [b for b in app.button if b.key.startswith("learn_go_")]
    app.button(key="learn_next").click().run()
    assert app.query_params["class"] == "1"
    app.button(key="class_off").click().run()
    assert notes(app)


def test_hidden_controls_of_the_class_stay_as_the_link_says(open_lesson):
    fixed = {"l6_n": 25, "l6_starts": 4}
    app = open_lesson("not-convex", **{"class": 1, "only": "data"}, **fixed)
    assert not has_widget(app, "l6_n")
    assert figure(app)["data"] == figure(open_lesson("not-convex", **fixed))["data"]
    odd = {"class": 1, "only": "", "l6_n": "few", "l6_starts": 99, "l6_data": "x"}
    usual = figure(open_lesson("not-convex"))["data"]
    assert figure(open_lesson("not-convex", **odd))["data"] == usual
    assert figure(app)["data"] != usual


def test_link_for_the_class_has_the_settings_and_the_named_controls(open_lesson):
    lesson = LESSONS[0]
    values = lesson.defaults | {"l1_noise": 2.0}
    link = class_link("http://host/Learn?x=1", lesson, values, ["data", "noise"])
    query = "lesson=why-share&class=1&only=data,noise&l1_noise=2.0"
    assert link == f"http://host/Learn?{query}"
    app = open_lesson("why-share", l1_noise=2.0)
    assert "only=data,noise,seed&l1_noise=2.0" in app.code[0].value
    app.get("button_group")[-1].set_value(["seed"]).run()
    assert "only=seed&l1_noise=2.0" in app.code[0].value


@pytest.mark.parametrize(
    "lesson",
    [x for x in LESSONS if any(q.see for q in x.questions)],
    ids=lambda x: x.slug,
)
def test_answer_says_where_it_holds_and_leads_there(open_lesson, lesson):
    app = open_lesson(lesson.slug)
    for place, question in enumerate(lesson.questions):
        if not question.see:
            continue
        there = wanted(lesson, question)
        assert set(there) == set(wanted(lesson, lesson.questions[0]))
        assert all(possible(c, there[c.key]) for c in lesson.controls)
        if not app.main.expander[place].button:
            continue  # the question before it led here
        said = app.main.expander[place].caption[0].value
        assert said == answer_at(content(), lesson, question)
        app.button(key=f"learn_show{place}").click().run()
        assert not app.exception
        assert not app.main.expander[place].button
        for key, value in question.see.items():
            found = app.query_params if key == "U" else app.session_state
            assert found[key] == value


def possible(control, value):
    if control.kind == "choice":
        return value in control.options
    return control.low <= value <= control.high


def test_moved_picture_is_told_from_the_answers(open_lesson):
    app = open_lesson("why-share")
    assert not app.expander[0].caption
    app.slider(key="l1_seed").set_value(4).run()
    assert "Seed = 0" in app.expander[0].caption[0].value
    app.button(key="learn_show0").click().run()
    assert app.slider(key="l1_seed").value == 0
    assert not app.expander[0].caption


def test_toy_takes_its_factors_from_the_link(open_lesson):
    u = toy.turn(toy.FIGURE_1_U, 0)
    app = open_lesson("factors", U=u)
    assert app.query_params["U"] == u
    app.button(key="learn_toy_reset").click().run()
    assert "U" not in app.query_params
    app = open_lesson("factors", U="nonsense")
    assert not app.exception


PRESSED = re.compile(r"\b(press|play|pause|drag|click|slider|button)", re.IGNORECASE)


@pytest.mark.parametrize("lesson", LESSONS, ids=SLUGS)
def test_papers_are_small_and_speak_of_paper(lesson):
    values = wanted(lesson, lesson.questions[0])
    known = facts(lesson)
    pages = [papers.handout(lesson, values), papers.exercises(lesson, values)]
    pages.append(papers.solutions(lesson))
    reading, exercises, answers = (page.decode("utf-8") for page in pages)
    for page, text in zip(pages, (reading, exercises, answers), strict=True):
        assert len(page) < 200_000
        assert "<script" not in text
        words = re.sub(r"<[^>]*>", " ", text[text.index("<body>") :])
        assert not PRESSED.search(words)
        assert "{" not in words
        links = re.findall(r"https?://[^\s\"]*", text[text.index("<body>") :])
        assert set(links) <= {"http://www.w3.org/2000/svg"}  # a name, not an address
    assert exercises.count('<div class="room">') == len(lesson.questions)
    for question in lesson.questions:
        answer = escape(question.answer.format(**known))
        assert answer in answers
        assert answer not in exercises + reading
        assert escape(answer_at(content(), lesson, question)) in answers
    drawn = "<table" if lesson.slug == "factors" else "<svg"
    assert drawn in reading
    assert drawn in exercises


@pytest.mark.parametrize("slug", ["why-share", "factors", "two-jobs"])
def test_offline_lesson_is_one_file_with_a_native_slider(slug):
    lesson = content().lesson(slug)
    text = offline(lesson, wanted(lesson, lesson.questions[0])).decode("utf-8")
    assert len(text) < 1_000_000
    links = set(re.findall(r"https?://[^\s\"]*", text))
    assert links <= {"http://www.w3.org/2000/svg"}
    places = text.count("<figure data-label=")
    assert places == {"why-share": 7, "factors": 0, "two-jobs": 4}[slug]
    assert ('<input type="range"' in text) == (places > 0)
    assert ("const TOY" in text) == (slug == "factors")
    for question in lesson.questions:
        assert escape(question.answer.format(**facts(lesson))) in text


def test_played_picture_is_printed_at_both_ends():
    page = papers.handout(LESSONS[0], LESSONS[0].defaults).decode("utf-8")
    assert page.count("<svg") == 2
    assert "<figcaption>N = 6: the test error" in page
    assert "<figcaption>N = 120: the test error" in page
    page = papers.exercises(LESSONS[0], LESSONS[0].defaults).decode("utf-8")
    assert "<figcaption>N = 120<" in page  # what to read off is the student's work


def test_plans_fill_their_minutes_and_tell_what_to_say():
    assert [plan.minutes for plan in content().plans] == [45, 90]
    for plan in content().plans:
        assert sum(minutes for _, minutes in plan.steps) == plan.minutes
        links = {lesson.slug: f"http://x/?lesson={lesson.slug}" for lesson in LESSONS}
        notes = {"factors": "mind the <corner>"}
        page = papers.plan_page(plan, links, notes).decode("utf-8")
        assert "mind the &lt;corner&gt;" in page
        for lesson, _ in plan.steps:
            assert links[lesson.slug] in page
            assert all(escape(line) in page for line in lesson.say)
    assert all(lesson.say for lesson in LESSONS)


def test_class_link_has_a_qr_code(open_lesson):
    app = open_lesson("factors")
    assert app.get("image")
    one, other = qr_code("http://host/Learn?lesson=a"), qr_code("http://host/Learn")
    assert one != other
    assert one.startswith("<svg")


@pytest.mark.parametrize("lesson", LESSONS, ids=SLUGS)
def test_way_to_explore_sets_the_state(lesson):
    app = AppTest.from_file(str(APP), default_timeout=60)
    for key, text in lesson.explore.items():
        app.query_params[key] = text
    app.run()
    slow = any(button.label == common.FIT_NOW for button in app.button)
    assert slow == (common.FIT_NOW in lesson.there)
    assert not app.exception
    assert not app.warning
    for key, text in lesson.explore.items():
        if key in PARAMS:
            assert app.session_state[key] == PARAMS[key].allowed.read(text)
        elif not slow:  # the tab; it waits for the fit
            assert app.session_state[key] == text


def test_both_curves_of_the_steps_have_names_on_their_axes(open_lesson):
    layout = figure(open_lesson("algorithm"))["layout"]
    for axis in ("xaxis", "yaxis", "xaxis2", "yaxis2"):
        assert layout[axis]["title"]["text"]
