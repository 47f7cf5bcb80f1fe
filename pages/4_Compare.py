"""Methods and runs side by side."""

from pages.compare.page import compare
from pages.shared import phrases
from pages.shared.app.frame import frame

frame(phrases.COMPARE)
compare()
