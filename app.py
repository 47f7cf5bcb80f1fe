"""The dashboard: this page is Explore, the others are in pages/. ``make run``."""

from pages.explore.page import explore
from pages.learn.tour import tour
from pages.shared import texts
from pages.shared.frame import frame

frame(texts.EXPLORE)
explore()
tour()
