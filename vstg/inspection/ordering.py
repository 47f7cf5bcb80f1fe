"""Order tasks so that similar ones are neighbours."""

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import pdist

from vstg.data import Array, Index
from vstg.inspection.groups import task_groups

MAX_TREE = 300


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
