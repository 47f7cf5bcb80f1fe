"""Zero, tiny and single factors are read like any others."""

import numpy as np
import pandas as pd
import pytest

from vstg import inspection
from vstg.datasets import make_syn

DEGENERATE = {
    "zero": (np.zeros((4, 3)), np.zeros((3, 5))),
    "zero U": (np.zeros((4, 3)), np.ones((3, 5))),
    "one task": (np.ones((4, 3)), np.ones((3, 1))),
    "one basis": (np.ones((4, 1)), np.ones((1, 5))),
    "one of each": (np.ones((1, 1)), np.ones((1, 1))),
    "tiny": (np.full((4, 3), 1e-300), np.full((3, 5), 1e-300)),
    "many tasks": (np.ones((4, 3)), np.arange(600.0).reshape(3, 200)),
}
degenerate = pytest.mark.parametrize(
    ("U", "V"), DEGENERATE.values(), ids=DEGENERATE.keys()
)


@degenerate
def test_every_task_is_in_one_group(U, V):
    groups = inspection.task_groups(V, U=U)
    members = sorted(j for group in groups for j in group.tasks)
    assert members == list(range(V.shape[1]))
    assert inspection.group_overlaps(groups).shape == (len(groups), len(groups))


@degenerate
def test_orders_are_permutations(U, V):
    assert sorted(inspection.order_tasks(V)) == list(range(V.shape[1]))
    assert sorted(inspection.order_variables(U)) == list(range(U.shape[0]))


@degenerate
def test_variables_frame_survives(U, V):
    frame = inspection.variables_frame(U)
    assert isinstance(frame, pd.DataFrame)
    assert frame["selected"].sum() == np.any(U != 0, axis=1).sum()


@degenerate
def test_alignment_with_itself_keeps_the_product(U, V):
    aligned = inspection.align_bases(U, V, U, V)
    np.testing.assert_allclose(aligned.U @ aligned.V, U @ V)
    assert sorted(aligned.permutation) == list(range(U.shape[1]))


def test_zero_estimate_recovers_nothing_but_the_irrelevant():
    syn = make_syn(1, n_train=1, n_test=1, random_state=0)
    found = inspection.recover_truth(0 * syn.U, 0 * syn.V, syn.U, syn.V)
    assert found.estimation_error == pytest.approx(1.0)
    assert found.variables.recall == 0.0
    assert found.irrelevant.recall == 1.0
    assert found.task_pairs.f1 == 0.0
