"""Every run that was made."""

from pages.history.page import history
from pages.shared import phrases
from pages.shared.frame import frame

frame(phrases.HISTORY)
history()
