"""New rows through a fitted model."""

from pages.shared import data_texts as words
from pages.shared.frame import frame
from pages.shared.predict_page import predict_page

frame(words.PREDICT)
predict_page()
