"""Methods and runs side by side."""

from pages.compare.page import compare
from pages.shared import words as common
from pages.shared.app.frame import frame

frame(common.COMPARE)
compare()
