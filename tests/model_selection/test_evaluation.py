"""Folds that are rows of the data are not all kept at once."""

import numpy as np

from vstg import MultiTaskData
from vstg.losses import get_loss
from vstg.model_selection import TaskKFold, evaluation
from vstg.model_selection.evaluation import make_parts


def test_folds_of_large_labelled_data_are_made_when_they_are_opened(rng, monkeypatch):
    X = rng.normal(size=(40, 3))
    data = MultiTaskData.one_vs_rest(X, np.arange(40) % 3)
    folds = TaskKFold(4).folds(data, stratify=True)
    taken = []
    plain = MultiTaskData.take

    def counted(self, rows):
        taken.append(len(rows))
        return plain(self, rows)

    monkeypatch.setattr(MultiTaskData, "take", counted)
    loss = get_loss("logistic")
    made = make_parts(data, loss, folds, fit_intercept=True)
    assert len(taken) == 8  # few rows: all folds are there at once
    monkeypatch.setattr(evaluation, "LARGE", 10)
    later = make_parts(data, loss, folds, fit_intercept=True)
    assert len(taken) == 8
    for ready, opened in zip(made, later, strict=True):
        assert (ready.repeat, ready.fold) == (opened.repeat, opened.fold)
        one, other = ready.open()[0], opened.open()[0]
        np.testing.assert_array_equal(one.model.G, other.model.G)
    assert len(taken) == 16
