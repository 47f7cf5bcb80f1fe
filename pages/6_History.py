"""Every run that was made."""

from pages.history.page import history
from pages.shared import phrases
from pages.shared.app.frame import frame

frame(phrases.HISTORY)
history()
