"""A fitted model that predicts rows of a user's table, and its file."""

from vstg.prediction.archive import ModelFileError
from vstg.prediction.predictor import Predictor

__all__ = ["ModelFileError", "Predictor"]
