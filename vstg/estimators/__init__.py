"""Estimators with the interface of scikit-learn, and their files."""

from vstg.estimators.baseline import BaselineClassifier, BaselineRegressor
from vstg.estimators.classification import VSTGClassifier
from vstg.estimators.files import load_model, save_model
from vstg.estimators.regression import VSTGRegressor
from vstg.prediction import ModelFileError

__all__ = [
    "BaselineClassifier",
    "BaselineRegressor",
    "ModelFileError",
    "VSTGClassifier",
    "VSTGRegressor",
    "load_model",
    "save_model",
]
