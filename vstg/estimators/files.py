"""Save estimators of any class to model files, and load them."""

from typing import Any

from vstg.baselines import BaselineResult
from vstg.estimators.baseline import BaselineClassifier, BaselineRegressor
from vstg.estimators.classification import VSTGClassifier
from vstg.estimators.multitask import MultiTaskEstimator
from vstg.estimators.regression import VSTGRegressor
from vstg.prediction import Predictor
from vstg.prediction.archive import Source
from vstg.prediction.contents import read

CLASSES: dict[str, type[MultiTaskEstimator]] = {
    cls.__name__: cls
    for cls in (VSTGRegressor, VSTGClassifier, BaselineRegressor, BaselineClassifier)
}


def save_model(model: MultiTaskEstimator, target: Source) -> None:
    """Write a fitted model to a file that :func:`load_model` reads anywhere.

    Parameters
    ----------
    model : estimator
        Any estimator of :mod:`vstg.estimators`, fitted.
    target : path or binary stream
        By custom ``*.npz``. An existing file is replaced at once, never in part.

    Notes
    -----
    The file is a zip of ``.npy`` arrays (coefficients, intercepts and the history of
    the objective) and a JSON header with the names, the labels and the parameters. It
    holds no code. Inner iterations of Algorithm 1 and the state of a random generator
    are left out.

    Examples
    --------
    >>> from io import BytesIO
    >>> import numpy as np
    >>> from vstg import VSTGRegressor, load_model, save_model
    >>> X = np.eye(3)
    >>> model = VSTGRegressor().fit(X, [1.0, 2.0, 4.0])
    >>> file = BytesIO()
    >>> save_model(model, file)
    >>> np.array_equal(load_model(file).predict(X), model.predict(X))
    True
    """
    model.save(target)


def load_model(source: Source) -> Any:
    """Read a model file as an estimator.

    The estimator predicts from the variables of the fit. Where the file says how a
    table was prepared, :meth:`vstg.prediction.Predictor.load` predicts its raw rows.
    Both read the file in this process, with its sizes checked first; the dashboard and
    the command line use :func:`vstg.prediction.bounded_load.load_bounded`, which also
    limits time and memory, for files from anybody.

    Parameters
    ----------
    source : path or binary stream

    Raises
    ------
    ModelFileError
        The file is damaged, foreign, of a newer format, too large, or its parts do not
        fit each other. Nothing in a file is ever run.
    """
    return read(source, lambda parts: estimator_of(Predictor(**parts)), CLASSES)


def estimator_of(predictor: Predictor) -> MultiTaskEstimator:
    """Make the fitted estimator of a predictor, of its original or a fitting class."""
    if predictor.estimator is not None:
        name = predictor.estimator.name
    else:
        method = "Baseline" if isinstance(predictor.result, BaselineResult) else "VSTG"
        name = f"{method}{'Classifier' if predictor.is_classification else 'Regressor'}"
    return CLASSES[name].from_predictor(predictor)
