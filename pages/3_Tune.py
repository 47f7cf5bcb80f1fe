"""Search a grid of settings in the background."""

from pages.shared import phrases
from pages.shared.app.frame import frame
from pages.tune.page import tune

frame(phrases.TUNE)
tune()
