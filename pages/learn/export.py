"""The lessons and a small Explore as files that need no server.

``vstg lessons export`` writes them; the page offers the same as one ZIP file.
"""

from collections.abc import Sequence
from html import escape
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from pages.learn import models
from pages.learn.offline import offline
from pages.learn.papers import heading, page
from pages.learn.small_explore import small_explore
from pages.learn.widgets import wanted
from pages.shared.lessons.content import Lesson, content

EXPLORE = "explore"
INDEX = "index.html"


def names() -> list[str]:
    """What can be exported: every lesson by its name in links, and Explore."""
    return [*(lesson.slug for lesson in content().lessons), EXPLORE]


def chosen(asked: Sequence[str]) -> list[str]:
    """The names asked for, in the order of the lessons; all if none is."""
    unknown = [name for name in asked if name not in names()]
    if unknown:
        msg = f"no lesson is called {unknown[0]!r}: choose from {', '.join(names())}"
        raise ValueError(msg)
    return [name for name in names() if not asked or name in asked]


def file_names(asked: Sequence[str] = ()) -> list[str]:
    """What :func:`exported` will write."""
    return [INDEX, *(f"{name}.html" for name in chosen(asked))]


def exported(asked: Sequence[str] = ()) -> dict[str, bytes]:
    """The files by name, with a page that lists them."""
    files = {f"{name}.html": _file(name) for name in chosen(asked)}
    return {INDEX: index(chosen(asked)), **files}


def _file(name: str) -> bytes:
    lesson = content().lesson(name)
    if lesson is None:
        return small_explore()
    return offline(lesson, wanted(lesson, lesson.questions[0]))


def index(listed: Sequence[str]) -> bytes:
    """Links to the files beside it."""
    words = content()
    items = "".join(
        f'<li><a href="{name}.html">{escape(_title(words.lesson(name)))}</a><br>'
        f"{escape(_idea(words.lesson(name)))}</li>"
        for name in listed
    )
    about = escape(words.page["export_about"])
    return page(words.page["export_title"], f"<p>{about}</p><ul>{items}</ul>")


def _title(lesson: Lesson | None) -> str:
    return heading(lesson) if lesson else content().small_explore["title"]


def _idea(lesson: Lesson | None) -> str:
    return lesson.idea if lesson else content().small_explore["short"]


@models.remember
def zipped() -> bytes:
    """All files as one ZIP file."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, text in exported().items():
            archive.writestr(f"vstg-lessons/{name}", text)
    return packed.getvalue()
