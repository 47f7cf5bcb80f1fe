"""Every run that was made."""

from pages.shared import phrases
from pages.shared.frame import frame
from pages.shared.history import history

frame(phrases.HISTORY)
history()
