"""Methods and runs side by side."""

from pages.shared import phrases
from pages.shared.compare import compare
from pages.shared.frame import frame

frame(phrases.COMPARE)
compare()
