"""Models to and from files, whatever their class."""

from vstg.estimators.archive import Source
from vstg.estimators.base import BaseVSTG
from vstg.estimators.classifier import VSTGClassifier
from vstg.estimators.regressor import VSTGRegressor
from vstg.estimators.state import read_model


def save_model(model: BaseVSTG, target: Source) -> None:
    """Write a fitted model to a file that :func:`load_model` reads anywhere.

    Parameters
    ----------
    model : VSTGRegressor or VSTGClassifier
    target : path or binary stream
        By custom ``*.npz``. An existing file is replaced at once, never in part.

    Notes
    -----
    The file is a zip of ``.npy`` arrays (U, V, the intercepts and the history of the
    objective) and a JSON header with the names, the labels and the parameters. It
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


def load_model(source: Source) -> BaseVSTG:
    """Read a model that :func:`save_model` wrote.

    Parameters
    ----------
    source : path or binary stream

    Raises
    ------
    ModelFileError
        The file is damaged, foreign, of a newer format, too large, or its parts do not
        fit each other. Nothing in a file is ever run.
    """
    return read_model(source, VSTGRegressor, VSTGClassifier)
