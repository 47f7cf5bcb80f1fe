"""The paper's tables and figures, measured anew."""

from pages.reproduce import words
from pages.reproduce.page import reproduce
from pages.shared.app.frame import frame

frame(words.REPRODUCE)
reproduce()
