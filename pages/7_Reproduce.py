"""The paper's tables and figures, measured anew."""

from pages.shared import reproduce_texts as words
from pages.shared.frame import frame
from pages.shared.reproduce import reproduce

frame(words.REPRODUCE)
reproduce()
