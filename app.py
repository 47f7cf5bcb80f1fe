"""The dashboard. ``make run`` opens it; this page is Explore, the others are in pages/."""

from pages.shared import texts
from pages.shared.explore import explore
from pages.shared.frame import frame

frame(texts.EXPLORE)
explore()
