"""How much of a known truth a fit has found, after its bases were aligned."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from vstg.data import Array
from vstg.inspection.alignment import align_bases
from vstg.inspection.groups import task_support
from vstg.inspection.variables import variable_importance
from vstg.metrics import (
    Recovery,
    irrelevant_recovery,
    omega_index,
    pattern_adjusted_rand,
    relative_estimation_error,
    support_recovery,
    task_pair_recovery,
    variable_recovery,
)


@dataclass(frozen=True)
class TruthRecovery:
    """Recovery of variables, entries and groups.

    Attributes
    ----------
    variables, irrelevant : Recovery
        Non-zero rows and rows of zeros of U.
    U_entries, V_entries : Recovery
        Single entries, after the bases were aligned.
    task_pairs : Recovery
        Pairs of tasks that share a basis.
    omega, adjusted_rand : float
        Agreement on the numbers of shared bases and on the exact patterns.
    estimation_error : float
        Relative estimation error of W.
    """

    variables: Recovery
    irrelevant: Recovery
    U_entries: Recovery
    V_entries: Recovery
    task_pairs: Recovery
    omega: float
    adjusted_rand: float
    estimation_error: float


def recover_truth(
    U: Array, V: Array, U_true: Array, V_true: Array, *, threshold: float = 0.0
) -> TruthRecovery:
    """Compare an estimate with the truth.

    ``threshold`` decides which entries count: those above this share of the largest
    entry of U, or of v_j; by default all that are not exactly zero.
    """
    aligned = align_bases(U, V, U_true, V_true)
    shape = aligned.U.shape[1]
    true_U = _pad(np.asarray(U_true), shape)
    true_V = _pad(np.asarray(V_true).T, shape).T
    rows = variable_importance(aligned.U, threshold=threshold).selected
    size = np.abs(aligned.U)
    entries = size > threshold * size.max(initial=0.0)
    support = task_support(aligned.V, threshold, U=aligned.U)
    return TruthRecovery(
        variables=variable_recovery(true_U, rows[:, None]),
        irrelevant=irrelevant_recovery(true_U, rows[:, None]),
        U_entries=support_recovery(true_U, entries),
        V_entries=support_recovery(true_V, support),
        task_pairs=task_pair_recovery(true_V, support),
        omega=omega_index(true_V, support),
        adjusted_rand=pattern_adjusted_rand(true_V, support),
        estimation_error=relative_estimation_error(
            true_U @ true_V, aligned.U @ aligned.V
        ),
    )


def recovery_frame(recovery: TruthRecovery) -> pd.DataFrame:
    """Return precision, recall and F1, with one row per kind of item."""
    kinds = {
        "variables": recovery.variables,
        "irrelevant variables": recovery.irrelevant,
        "entries of U": recovery.U_entries,
        "entries of V": recovery.V_entries,
        "pairs of tasks": recovery.task_pairs,
    }
    rows = {
        kind: {"precision": r.precision, "recall": r.recall, "f1": r.f1}
        for kind, r in kinds.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index")


def _pad(A: Array, n_columns: int) -> Array:
    """Append columns of zeros for bases that the truth does not have."""
    return np.pad(A, ((0, 0), (0, n_columns - A.shape[1])))
