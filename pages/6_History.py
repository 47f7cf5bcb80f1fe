"""Every run that was made."""

from pages.history.page import history
from pages.shared import words as common
from pages.shared.app.frame import frame

frame(common.HISTORY)
history()
