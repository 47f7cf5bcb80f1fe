"""New rows through a fitted model."""

from pages.predict.page import predict_page
from pages.shared import data_texts as words
from pages.shared.app.frame import frame

frame(words.PREDICT)
predict_page()
