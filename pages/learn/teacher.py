"""Tools for teachers: class mode, notes that are kept, files to print and export."""

from html import escape
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import segno
import streamlit as st

from pages.learn import papers
from pages.learn.export import zipped
from pages.learn.offline import offline
from pages.learn.widgets import FOLDER, short
from pages.shared.lessons.content import ClassPlan, Content, Lesson, content
from pages.shared.ui.component import component
from vstg.lessons.quiz import moodle_xml

DRAWS = 40  # of each kind of quiz question

CLASS = "class"
draw_notes = component(FOLDER, "notes")


def in_class() -> bool:
    """Whether the link asks for class mode."""
    return st.query_params.get(CLASS, "") in ("1", "true")


def named_controls() -> set[str] | None:
    """The controls that the link names, None for all."""
    text = st.query_params.get("only")
    return None if text is None else {part for part in text.split(",") if part}


def class_link(
    url: str | None, lesson: Lesson, values: dict[str, Any], keep: list[str]
) -> str:
    """The address of the lesson in class mode, with its state and these controls."""
    parts = urlsplit(url or "")
    query = {"lesson": lesson.slug, CLASS: "1"}
    if lesson.controls:
        query["only"] = ",".join(keep)
    usual = lesson.defaults
    for control in lesson.controls:
        value = values[control.key]
        if value != usual[control.key]:
            query[control.key] = control.name(value)
    if not lesson.controls:
        query |= {key: st.query_params[key] for key in "UV" if key in st.query_params}
    return urlunsplit(parts._replace(query=urlencode(query, safe=","), fragment=""))


def for_the_teacher(all_of: Content, lesson: Lesson, values: dict[str, Any]) -> None:
    """Class mode, notes and the handout."""
    page = all_of.page
    st.html(f'<h2 class="vstg-side">{escape(page["teach"])}</h2>')
    link = class_link(st.context.url, lesson, values, kept_controls(all_of, lesson))
    st.link_button(
        page["class_on"], link, help=page["class_help"], width="stretch",
        icon=":material/co_present:",
    )  # fmt: skip
    with st.expander(page["class_link"], key="class_link"):
        st.code(link, language=None, wrap_lines=True)
        st.image(qr_code(link), caption=page["qr"], width=200)
    notes_and_papers(lesson, values)


def qr_code(link: str) -> str:
    """The link as a QR code, black on white in both themes."""
    return str(segno.make(link, micro=False).svg_inline(scale=4, light="#fff"))


@st.fragment
def notes_and_papers(lesson: Lesson, values: dict[str, Any]) -> None:
    """A fragment, so that writing notes redraws nothing else."""
    all_of = content()
    page = all_of.page
    notes = notes_of(all_of, lesson)
    st.html(f'<h2 class="vstg-side">{escape(page["papers"])}</h2>')
    files = {
        "handout": lambda: papers.handout(lesson, values),
        "exercises": lambda: papers.exercises(lesson, values),
        "solutions": lambda: papers.solutions(lesson),
        "offline": lambda: offline(lesson, values),
    }
    for name, make in files.items():
        st.download_button(
            page[name], make, f"vstg-{lesson.slug}-{name}.html", "text/html", key=name,
            on_click="ignore", icon=":material/print:", help=page[f"{name}_help"],
            width="stretch",
        )  # fmt: skip
    st.download_button(
        page["export"], zipped, "vstg-lessons.zip", "application/zip", key="export",
        on_click="ignore", icon=":material/folder_zip:", help=page["export_help"],
        width="stretch",
    )  # fmt: skip
    for plan in all_of.plans:
        plan_button(page, plan, notes)
    st.download_button(
        page["quiz"], lambda: moodle_xml(DRAWS), "vstg-quiz.xml", "application/xml",
        key="quiz", on_click="ignore", icon=":material/quiz:", width="stretch",
        help=page["quiz_help"].format(count=DRAWS),
    )  # fmt: skip


def plan_button(page: dict[str, str], plan: ClassPlan, notes: dict[str, str]) -> None:
    """The plan of a class as a file."""
    url = st.context.url
    links = {
        lesson.slug: class_link(
            url, lesson, lesson.defaults, [short(c) for c in lesson.controls]
        )
        for lesson, _ in plan.steps
    }
    st.download_button(
        page["plan"].format(minutes=plan.minutes),
        lambda: papers.plan_page(plan, links, notes),
        f"vstg-plan-{plan.minutes}.html", "text/html", key=f"plan_{plan.minutes}",
        on_click="ignore", icon=":material/schedule:", help=page["plan_help"],
        width="stretch",
    )  # fmt: skip


def kept_controls(all_of: Content, lesson: Lesson) -> list[str]:
    """The controls that the class will see, by their short names."""
    if not lesson.controls:
        return []
    names = {short(control): control.label for control in lesson.controls}
    return st.pills(
        all_of.page["class_keep"], list(names), selection_mode="multi",
        default=list(names), format_func=names.__getitem__,
        key=f"class_keep_{lesson.slug}", help=all_of.page["class_keep_help"],
    )  # fmt: skip


def notes_of(all_of: Content, lesson: Lesson) -> dict[str, str]:
    """A text field that the browser stores; the plan gets a copy of all lessons'."""
    found = draw_notes(
        data={
            "lesson": lesson.slug,
            "lessons": [other.slug for other in all_of.lessons],
            "words": all_of.notes,
        },
        key="learn_notes",
        on_notes_change=lambda: None,
    )
    notes = found.get("notes") or {}
    return {k: str(v) for k, v in notes.items()} if isinstance(notes, dict) else {}
