"""Lessons: the paper, one idea at a time."""

from pages.learn.page import learn
from pages.shared.app.frame import frame
from pages.shared.lessons.content import content

frame(content().page["title"])
learn()
