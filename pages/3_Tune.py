"""Search a grid of settings in the background."""

from pages.shared import words as common
from pages.shared.app.frame import frame
from pages.tune.page import tune

frame(common.TUNE)
tune()
