"""Lessons: the paper, one idea at a time."""

from pages.learn.content import content
from pages.learn.page import learn
from pages.shared.app.frame import frame

frame(content().page["title"])
learn()
