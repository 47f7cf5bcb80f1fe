"""Groups of tasks: those whose weights v_j have the same sparsity pattern.

Two groups overlap when they have bases in common; otherwise they are disjoint. In a
picture, tasks with similar weights stand side by side.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import pdist

from vstg.data import Array, Index
from vstg.data.values import check_names
from vstg.inspection.variables import check_threshold, selected_variables

MAX_TREE = 300


@dataclass(frozen=True)
class TaskGroup:
    """Tasks that use exactly the same bases.

    Attributes
    ----------
    tasks : tuple of int
    bases : tuple of int
        No basis at all for tasks whose weights are zero.
    variables : tuple of int or None
        Variables in any of the bases; None when U was not given.
    task_names, variable_names : tuple of str
    """

    tasks: tuple[int, ...]
    bases: tuple[int, ...]
    task_names: tuple[str, ...]
    variables: tuple[int, ...] | None = None
    variable_names: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether the tasks use no basis at all, and so form no real group."""
        return not self.bases

    @property
    def label(self) -> str:
        """The bases as text, which is unique among the groups."""
        if self.empty:
            return "no basis"
        plural = "basis" if len(self.bases) == 1 else "bases"
        return f"{plural} {', '.join(str(r) for r in self.bases)}"


def task_support(
    V: Array, threshold: float = 0.0, *, U: Array | None = None
) -> npt.NDArray[np.bool_]:
    r"""Return which bases each task uses, (K, T).

    Task j uses basis r if :math:`|v_{rj}| > t \max_s |v_{sj}|` with t the
    ``threshold``; by default any value that is not exactly zero counts. If U is given,
    a basis whose column is zero counts as unused, since it adds nothing to W.
    """
    check_threshold(threshold)
    size = np.abs(np.asarray(V, dtype=np.float64))
    if U is not None:
        size = size * np.any(np.asarray(U) != 0, axis=0)[:, None]
    return size > threshold * size.max(axis=0, initial=0.0)


def task_groups(
    V: Array,
    threshold: float = 0.0,
    *,
    names: Sequence[str] | None = None,
    U: Array | None = None,
    feature_names: Sequence[str] | None = None,
) -> tuple[TaskGroup, ...]:
    """Return the groups of tasks, ordered by their bases.

    Every task is in exactly one group. Tasks without any basis form the last
    group, which is marked ``empty``.

    Parameters
    ----------
    V : (K, T) array
    threshold : float
        See :func:`task_support`.
    names : sequence of str, optional
        Names of the tasks.
    U : (D, K) array, optional
        Adds each group's variables.
    feature_names : sequence of str, optional
    """
    support = task_support(V, threshold, U=U)
    labels = check_names(names, support.shape[1], kind="task", default="task")
    members: dict[tuple[int, ...], list[int]] = {}
    for j, used in enumerate(support.T):
        members.setdefault(tuple(np.flatnonzero(used).tolist()), []).append(j)
    groups = []
    for bases in sorted(members, key=lambda bases: (not bases, bases)):
        tasks = tuple(members[bases])
        variables, variable_names = _group_variables(U, bases, feature_names)
        task_names = tuple(labels[j] for j in tasks)
        groups.append(TaskGroup(tasks, bases, task_names, variables, variable_names))
    return tuple(groups)


def _group_variables(
    U: Array | None, bases: tuple[int, ...], feature_names: Sequence[str] | None
) -> tuple[tuple[int, ...] | None, tuple[str, ...]]:
    if U is None:
        return None, ()
    names = check_names(feature_names, len(U), kind="feature", default="x")
    chosen = selected_variables(np.asarray(U)[:, list(bases)]).tolist()
    return tuple(chosen), tuple(names[i] for i in chosen)


def group_overlaps(groups: Sequence[TaskGroup]) -> npt.NDArray[np.int64]:
    """Return the number of bases that each pair of groups has in common.

    The diagonal holds the number of bases of each group.
    """
    n_bases = 1 + max((r for group in groups for r in group.bases), default=-1)
    uses = np.zeros((len(groups), n_bases), dtype=np.int64)
    for number, group in enumerate(groups):
        uses[number, list(group.bases)] = 1
    return uses @ uses.T


def order_tasks(V: Array, threshold: float = 0.0) -> Index:
    """Return all tasks, ordered so that similar ones are neighbours.

    When V is sparse, the groups of :func:`task_groups` follow one another, ordered by
    their bases, and tasks are ordered by similarity within each group. When there are
    more groups than half the tasks, the patterns say little, and all tasks are ordered
    by similarity together. Tasks without any basis come last.

    Notes
    -----
    Tasks are similar when the vectors |v_j|, scaled to unit length, are close; the
    order is that of the leaves of an average-linkage tree, arranged so that neighbours
    are as close as the tree allows. The cost of the tree grows at least with the square
    of the number of tasks, so more than 300 tasks are ordered by their strongest basis
    and its share instead.
    """
    groups = task_groups(V, threshold)
    proper = [list(group.tasks) for group in groups if not group.empty]
    unused = [j for group in groups if group.empty for j in group.tasks]
    if len(proper) > np.asarray(V).shape[1] / 2:
        proper = [sorted(j for tasks in proper for j in tasks)]
    ordered = [j for tasks in proper for j in _by_similarity(V, tasks)]
    return np.array([*ordered, *unused], dtype=np.intp)


def _by_similarity(V: Array, tasks: list[int]) -> list[int]:
    if len(tasks) < 3:
        return tasks
    profiles = np.abs(np.asarray(V, dtype=np.float64)[:, tasks].T)
    profiles = profiles / profiles.max(axis=1, keepdims=True)
    profiles = profiles / np.linalg.norm(profiles, axis=1, keepdims=True)
    if len(tasks) > MAX_TREE:
        order = np.lexsort((-profiles.max(axis=1), profiles.argmax(axis=1)))
        return [tasks[place] for place in order]
    tree = linkage(pdist(profiles), method="average", optimal_ordering=True)
    leaves = [tasks[leaf] for leaf in leaves_list(tree)]
    # A tree has no left and right: start from the end with the earlier task.
    return leaves if leaves[0] <= leaves[-1] else leaves[::-1]
