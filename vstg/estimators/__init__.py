"""Estimators with the interface of scikit-learn, and their files."""

from vstg.estimators.archive import ModelFileError
from vstg.estimators.baseline import BaselineClassifier, BaselineRegressor
from vstg.estimators.classifier import VSTGClassifier
from vstg.estimators.files import load_model, save_model
from vstg.estimators.regressor import VSTGRegressor

__all__ = [
    "BaselineClassifier",
    "BaselineRegressor",
    "ModelFileError",
    "VSTGClassifier",
    "VSTGRegressor",
    "load_model",
    "save_model",
]
