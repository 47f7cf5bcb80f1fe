"""Your own table, a sample, or a known data set."""

from pages.data.page import data_page
from pages.shared import words as common
from pages.shared.app.frame import frame

frame(common.DATA)
data_page()
