"""The dashboard: this page is Explore, the others are in pages/. ``make run``."""

from pages.shared import texts
from pages.shared.explore import explore
from pages.shared.frame import frame
from pages.shared.learn.tour import tour

frame(texts.EXPLORE)
explore()
tour()
