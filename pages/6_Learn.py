"""Lessons: the paper, one idea at a time."""

from pages.shared.frame import frame
from pages.shared.learn.content import content
from pages.shared.learn.page import learn

frame(content().page["title"])
learn()
