"""The lessons as data, read from one file per language."""

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("words")
STYLE = Path(__file__).with_name("lessons.css")


@dataclass(frozen=True)
class Control:
    """A widget of a lesson: a slider over numbers or a row of choices."""

    key: str
    label: str
    kind: str
    default: Any
    options: tuple[Any, ...] = ()
    labels: tuple[str, ...] = ()
    low: float = 0
    high: float = 0
    step: float = 0
    when: tuple[dict[str, list[Any]], ...] = ()

    def matters(self, values: dict[str, Any]) -> bool:
        """Whether it has an effect in this state: one of ``when`` is met."""
        return not self.when or any(
            all(values[key] in allowed for key, allowed in case.items())
            for case in self.when
        )

    def name(self, option: Any) -> str:
        """How an option is shown and written in a link."""
        return self.labels[self.options.index(option)] if self.labels else str(option)


@dataclass(frozen=True)
class Question:
    """A question with its answer; {names} in both are replaced by computed numbers.

    ``see`` has the settings at which the picture shows the answer, where they differ
    from those with which the lesson opens; ``at`` is their description.
    """

    ask: str
    answer: str
    see: dict[str, Any] = field(default_factory=dict)
    at: str = ""


@dataclass(frozen=True)
class Prediction:
    """What a lesson asks before it shows anything."""

    ask: str
    options: list[str]
    right: str


@dataclass(frozen=True)
class Lesson:
    """One idea, one picture, some questions, a link to Explore."""

    number: int
    slug: str
    title: str
    idea: str
    text: tuple[str, ...]
    words: dict[str, str]
    controls: tuple[Control, ...]
    questions: tuple[Question, ...]
    explore: dict[str, str]
    there: str
    paper: tuple[str, ...]  # the text for print, where nothing can be pressed
    say: tuple[str, ...]  # for the teacher
    predict: Prediction | None

    @property
    def defaults(self) -> dict[str, Any]:
        """The values with which the lesson opens."""
        return {control.key: control.default for control in self.controls}

    def settings(self, values: dict[str, Any], setting: str, comma: str) -> str:
        """The controls that have an effect and their values, as text."""
        return comma.join(
            setting.format(name=control.label, value=control.name(values[control.key]))
            for control in self.controls
            if control.matters(values)
        )


@dataclass(frozen=True)
class ClassPlan:
    """Lessons for one class, each with its minutes."""

    minutes: int
    steps: tuple[tuple[Lesson, int], ...]


@dataclass(frozen=True)
class Content:
    """All lessons and the words around them."""

    page: dict[str, str]
    notes: dict[str, str]
    lessons: tuple[Lesson, ...]
    tour: dict[str, Any]
    plans: tuple[ClassPlan, ...]
    small_explore: dict[str, str]

    def lesson(self, slug: str | None) -> Lesson | None:
        """A lesson by its name in links."""
        return next((lesson for lesson in self.lessons if lesson.slug == slug), None)


@cache
def content(language: str = "en") -> Content:
    """Read the lessons of a language."""
    raw = tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))
    lessons = [
        Lesson(
            number,
            entry["slug"],
            entry["title"],
            entry["idea"],
            tuple(entry["text"]),
            raw["player"] | entry["words"],
            tuple(_control(c) for c in entry.get("controls", ())),
            tuple(Question(**q) for q in entry["questions"]),
            entry["explore"],
            entry["there"],
            tuple(entry.get("paper", ()) or entry["text"]),
            tuple(entry.get("say", ())),
            Prediction(**entry["predict"]) if "predict" in entry else None,
        )
        for number, entry in enumerate(raw["lesson"], start=1)
    ]
    named = {lesson.slug: lesson for lesson in lessons}
    plans = [
        ClassPlan(
            entry["minutes"],
            tuple((named[step["lesson"]], step["minutes"]) for step in entry["steps"]),
        )
        for entry in raw["plan"]
    ]
    return Content(
        raw["page"], raw["notes"], tuple(lessons), raw["tour"], tuple(plans),
        raw["small_explore"],
    )  # fmt: skip


def _control(entry: dict[str, Any]) -> Control:
    lists: dict[str, Any] = {
        key: tuple(entry[key]) for key in ("options", "labels", "when") if key in entry
    }
    return Control(**{**entry, **lists})
