"""New rows through a fitted model."""

from pages.predict.page import predict_page
from pages.shared import words as common
from pages.shared.app.frame import frame

frame(common.PREDICT)
predict_page()
