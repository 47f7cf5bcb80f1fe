"""The dashboard: this page is Explore, the others are in pages/. ``make run``.

Streamlit's own ``pages/`` folder makes the menu, not ``st.navigation``. With both, a
link to a page of a freshly started server runs that page without this file, so that
its frame and its state are missing until somebody has opened the landing page once.
The number that begins a file's name is its place in the menu, which is the order of
the work; it is not part of the page's address.
"""

from pages.explore.page import explore
from pages.learn.tour import tour
from pages.shared import words as common
from pages.shared.app.frame import frame

frame(common.EXPLORE)
finish = explore()
tour()
finish()  # the curves below the sliders: the picture does not wait for them
