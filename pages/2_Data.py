"""Your own table, a sample, or a known data set."""

from pages.data.page import data_page
from pages.shared import data_texts as words
from pages.shared.app.frame import frame

frame(words.DATA)
data_page()
