"""Lesson 2: W = U V on a small example, at first that of the paper's Figure 1."""

import numpy as np

from vstg.data import Factors
from vstg.inspection import TaskGroup, selected_variables, task_groups

# Figure 1 in the paper's words: variables 2, 6 and 7 are out; tasks 1 and 2 form a
# group that shares basis 2 with tasks 3 and 4, and nothing with task 5.
FIGURE_1_U = "p00000pp00pp00p000000"
FIGURE_1_V = "pp000pppp000ppp"
SIGNS = {"0": 0.0, "p": 1.0, "m": -1.0}
N_VARIABLES, N_BASES, N_TASKS = 7, 3, 5


class Toy(Factors):
    """Two small factors with entries −1, 0 and 1, and what they say."""

    @property
    def kept(self) -> tuple[int, ...]:
        """Variables whose row of U is not zero."""
        return tuple(int(i) for i in selected_variables(self.U))

    @property
    def groups(self) -> tuple[TaskGroup, ...]:
        """Tasks with one pattern in V."""
        return task_groups(self.V, U=self.U)

    def shared(self, first: int, second: int) -> tuple[int, ...]:
        """The bases that two tasks have in common."""
        both = (self.V[:, first] != 0) & (self.V[:, second] != 0)
        return tuple(int(r) for r in np.flatnonzero(both))


def read_toy(u: str, v: str) -> Toy:
    """The factors that letters describe row by row, or Figure 1 if they do not."""
    if not valid(u, v):
        u, v = FIGURE_1_U, FIGURE_1_V
    U = np.array([SIGNS[c] for c in u]).reshape(N_VARIABLES, N_BASES)
    V = np.array([SIGNS[c] for c in v]).reshape(N_BASES, N_TASKS)
    return Toy(U, V)


def valid(u: str, v: str) -> bool:
    """Whether two texts describe factors of the right size."""
    sizes = (len(u), len(v)) == (N_VARIABLES * N_BASES, N_BASES * N_TASKS)
    return sizes and set(u + v) <= set(SIGNS)


def turn(text: str, place: int) -> str:
    """The text after one click on an entry: 0, then 1, then −1, then 0 again."""
    order = "0pm"
    letter = order[(order.index(text[place]) + 1) % len(order)]
    return text[:place] + letter + text[place + 1 :]
