"""What resamples say about a selection: an index, groups of tasks, bounds on errors."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from vstg.data import Array

NORMAL_95 = 1.959963984540054  # of a standard normal: 95 % lie within
TOGETHER = 0.5  # mean co-membership from which on tasks form a group


class StabilityIndex(NamedTuple):
    """A stability and the ends of its 95 % confidence interval."""

    value: float
    low: float
    high: float


def stability_index(selected: Array) -> StabilityIndex:
    r"""How similar the selections of the resamples are, by Nogueira et al. (2018).

    .. math:: \Phi = 1 - \frac{\tfrac1D \sum_i \tfrac{M}{M-1} p_i (1 - p_i)}
              {\tfrac{\bar q}{D} (1 - \tfrac{\bar q}{D})}

    with :math:`p_i` the frequency of variable i in M selections of on average
    :math:`\bar q` of D variables: 1 if all are the same, about 0 if they are drawn at
    random. The interval treats the selections as independent. NaN if all or none of
    the variables are always selected, or if there are fewer than two selections.

    Parameters
    ----------
    selected : (M, D) which variables each resample selects
    """
    Z = np.asarray(selected, dtype=float)
    M, D = Z.shape
    share = Z.mean()
    spread = share * (1.0 - share)
    if M < 2 or spread <= 0.0:
        return StabilityIndex(np.nan, np.nan, np.nan)
    p, sizes = Z.mean(axis=0), Z.mean(axis=1)
    value = 1.0 - M / (M - 1) * float((p * (1.0 - p)).mean()) / spread
    each = (Z @ p / D - sizes * share) / spread
    each += value / 2.0 * (2.0 * sizes * share - sizes - share + 1.0) / spread
    width = NORMAL_95 * 2.0 / M * float(np.sqrt(((each - each.mean()) ** 2).sum()))
    return StabilityIndex(value, value - width, value + width)


@dataclass(frozen=True)
class ConsensusGroup:
    """Tasks that resamples put together, and how often they do.

    ``cohesion`` is the mean share of the resamples in which two of its tasks have the
    same bases; for a task alone, one minus its largest share with another.
    """

    tasks: tuple[int, ...]
    cohesion: float


def consensus_groups(co_membership: Array) -> list[ConsensusGroup]:
    """Groups of tasks that are together in at least half of the resamples on average.

    Average linkage on the (T, T) co-membership; largest group first.
    """
    T = len(co_membership)
    if T == 1:
        return [ConsensusGroup((0,), 1.0)]
    apart = 1.0 - (co_membership + co_membership.T) / 2.0
    np.fill_diagonal(apart, 0.0)
    tree = linkage(squareform(apart, checks=False), "average")
    labels = fcluster(tree, 1.0 - TOGETHER, "distance")
    members = [tuple(np.flatnonzero(labels == g).tolist()) for g in np.unique(labels)]
    groups = [ConsensusGroup(one, cohesion(co_membership, one)) for one in members]
    return sorted(groups, key=lambda group: (-len(group.tasks), group.tasks))


def cohesion(co_membership: Array, tasks: tuple[int, ...]) -> float:
    """See :class:`ConsensusGroup`."""
    if len(tasks) == 1:
        others = np.delete(co_membership[tasks[0]], tasks[0])
        return float(1.0 - others.max(initial=0.0))
    block = co_membership[np.ix_(tasks, tasks)]
    return float(block[np.triu_indices(len(tasks), 1)].mean())


def subsample_bound(mean_selected: float, n_features: int, threshold: float) -> float:
    r"""Upper bound on the expected number of false variables at ``threshold`` or above.

    Meinshausen and Bühlmann (2010): :math:`q^2 / ((2\pi - 1) D)`, q the mean number
    selected in half of the data. It holds for :math:`\pi > 1/2`, if false variables
    are exchangeable and no worse than guessing; NaN elsewhere.
    """
    if not 0.5 < threshold <= 1.0:
        return float("nan")
    return mean_selected**2 / ((2.0 * threshold - 1.0) * n_features)


def pairs_bound(
    mean_selected: float, n_features: int, threshold: float, n_pairs: int
) -> float:
    r"""Upper bound on the expected number of selected variables of low probability.

    Shah and Samworth (2013), complementary pairs, if the frequencies over pairs are
    unimodal: :math:`C(\pi, B)\, q^2 / D` for variables that half of the data select
    with probability at most :math:`\theta = q / D \le 1/\sqrt 3`, where

    .. math:: C = \frac{1}{2 (2 \pi - 1 - 1/(2B))} \ (\pi \le 3/4), \qquad
              C = \frac{4 (1 - \pi + 1/(2B))}{1 + 1/B} \ (\pi > 3/4).

    NaN where it does not apply.
    """
    theta, half = mean_selected / n_features, 1.0 / (2.0 * n_pairs)
    least = min(0.5 + theta**2, 0.5 + half + 0.75 * theta**2)
    if theta > 1.0 / np.sqrt(3.0) or not least < threshold <= 1.0:
        return float("nan")
    if threshold <= 0.75:
        factor = 1.0 / (2.0 * (2.0 * threshold - 1.0 - half))
    else:
        factor = 4.0 * (1.0 - threshold + half) / (1.0 + 2.0 * half)
    return factor * mean_selected * theta


def pair_bounds(selected: Array, threshold: float) -> list[float]:
    """Both bounds for complementary pairs, from what each half selects (M, D)."""
    M, D = np.shape(selected)
    q = float(np.sum(selected)) / max(M, 1)
    return [
        subsample_bound(q, D, threshold),
        pairs_bound(q, D, threshold, max(1, M // 2)),
    ]


def bound_in_words(bounds: list[float], n_sure: int, threshold: float) -> str:
    """A sentence on the false variables among ``n_sure`` that were selected often."""
    known = [bound for bound in bounds if np.isfinite(bound)]
    if n_sure == 0:
        return f"No variable is selected in {threshold:.0%} of the resamples."
    if not known or min(known) > n_sure / 2:  # more than half: says next to nothing
        return (
            f"No bound limits the number of false variables among the {n_sure} "
            f"selected in at least {threshold:.0%} of the resamples: each resample "
            "selects so many that counting alone cannot rule out chance."
        )
    return (
        f"Of the {n_sure} variables selected in at least {threshold:.0%} of the "
        f"resamples at most {min(known):.1f} are expected to be false."
    )
