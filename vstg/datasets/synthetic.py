"""The four synthetic problems of the paper, at its sizes or larger.

========  ======================  =======================
problem   features                task groups
========  ======================  =======================
Syn1      orthogonal              disjoint
Syn2      orthogonal              overlapping
Syn3      correlated              disjoint
Syn4      correlated              overlapping
========  ======================  =======================
"""

from dataclasses import dataclass, field

import numpy as np

from vstg.data import Array, Dataset, MultiTaskData, Truth

OVERLAPPING_TASKS = (2, 4)
CORRELATED_FEATURES = (3, 4)


@dataclass(frozen=True, eq=False, repr=False)
class SyntheticDataset(Dataset):
    """A synthetic problem: a :class:`vstg.data.Dataset` whose truth is known.

    Its truth is at hand as ``U`` (D, K), where rows of zeros are irrelevant variables,
    ``V`` (K, T), ``W`` = U V, ``relevant``, ``groups`` and ``basis_tasks``; see
    :class:`vstg.data.Truth`. In Syn2 and Syn4 the last two blocks of tasks have one
    pattern in V and so are one group.
    """

    truth: Truth = field(kw_only=True)

    @property
    def number(self) -> int:
        """1 to 4, for Syn1 to Syn4."""
        return self.options["number"]

    @property
    def U(self) -> Array:
        """True variable-latent matrix."""
        return self.truth.U

    @property
    def V(self) -> Array:
        """True latent-task matrix."""
        return self.truth.V

    @property
    def W(self) -> Array:
        """True coefficients."""
        return self.truth.W

    @property
    def relevant(self) -> np.ndarray:
        """Which variables have a non-zero row in U."""
        return self.truth.relevant

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Tasks with the same pattern of non-zeros in V, in order of their first."""
        return self.truth.groups

    @property
    def basis_tasks(self) -> tuple[tuple[int, ...], ...]:
        """The tasks that use each basis."""
        return self.truth.basis_tasks


def make_syn(
    number: int,
    *,
    n_train: int = 50,
    n_test: int = 100,
    noise: float = 1.0,
    n_features: int = 25,
    n_tasks: int = 20,
    n_latent: int = 5,
    random_state: int | np.random.Generator | None = None,
) -> SyntheticDataset:
    r"""Generate Syn1, Syn2, Syn3 or Syn4 of the paper.

    :math:`x_j^n \sim N(0, I_D)` and :math:`y_j^n = x_j^n U v_j + \sigma \varepsilon`
    with standard normal :math:`\varepsilon`. Non-zero entries of U are drawn from
    :math:`N(1, 0.25^2)`, those of V from the uniform distribution on [1, 1.5].

    Parameters
    ----------
    number : {1, 2, 3, 4}
        2 and 4 have overlapping task groups, 3 and 4 correlated features.
    n_train, n_test : int
        Observations per task.
    noise : float
        :math:`\sigma`, the standard deviation of the noise.
    n_features, n_tasks, n_latent : int
        D, T and K.
    random_state : int, Generator or None
        Truth, training and test data have streams of their own: with the same seed
        U and V do not depend on ``n_train``, ``n_test`` or ``noise``, and fewer
        rows are the first of more rows.

    Notes
    -----
    The paper has D = 25, T = 20, K = 5. Other sizes keep its proportions:

    - Syn1, Syn2: basis r (from 0) has the variables b r to b r + b - 1 with
      b = floor(4 D / 5 K); b = 4 and 5 irrelevant variables in the paper.
    - Syn3, Syn4: basis r has the variables s r to s r + 2 s - 1, half of them
      shared with the next basis, with s = floor(18 D / 25 (K + 1)); s = 3 and 7
      irrelevant variables in the paper.
    - The tasks form K blocks as equal as possible; 4 each in the paper. Block r uses
      basis r in Syn1 and Syn3, bases r and r + 1 in Syn2 and Syn4, where the last
      block uses the last two bases.

    So the last two blocks of Syn2 and Syn4 have the same pattern, and their bases
    are used by 4, 8, 8, 12 and 8 tasks: the text of the paper speaks of five tasks
    per group, which its own construction does not give.
    """
    _check_sizes(number, n_train, n_test, noise)
    starts, width = _variable_blocks(number, n_features, n_latent)
    bases, blocks = _task_blocks(number, n_tasks, n_latent)
    drawn, train, test = np.random.default_rng(random_state).spawn(3)
    U = np.zeros((n_features, n_latent))
    for r, start in enumerate(starts):
        U[start : start + width, r] = drawn.normal(1.0, 0.25, size=width)
    V = np.zeros((n_latent, n_tasks))
    for rows, block in zip(bases, blocks, strict=True):
        V[np.ix_(np.array(rows), block)] = drawn.uniform(
            1.0, 1.5, size=(len(rows), len(block))
        )
    U.flags.writeable = V.flags.writeable = False
    W = U @ V
    return SyntheticDataset(
        f"Syn{number}",
        _observe(W, n_train, noise, train),
        _observe(W, n_test, noise, test),
        truth=Truth(U, V, noise),
        options={
            "number": number,
            "n_train": n_train,
            "n_test": n_test,
            "noise": noise,
            "n_features": n_features,
            "n_tasks": n_tasks,
            "n_latent": n_latent,
            "random_state": random_state,
        },
        source="vstg.datasets.make_syn",
        citation="Jeong and Jun (2018), KDD",
    )


def _variable_blocks(
    number: int, n_features: int, n_latent: int
) -> tuple[list[int], int]:
    """Return the first variable of each basis and the number of its variables."""
    if n_latent < 1:
        msg = f"n_latent={n_latent} must be at least 1"
        raise ValueError(msg)
    correlated = number in CORRELATED_FEATURES
    if correlated:
        step = (18 * n_features) // (25 * (n_latent + 1))
        width = 2 * step
    else:
        step = width = (4 * n_features) // (5 * n_latent)
    if step == 0:
        msg = (
            f"n_features={n_features} is too few for n_latent={n_latent}: "
            "every basis needs variables of its own"
        )
        raise ValueError(msg)
    return [step * r for r in range(n_latent)], width


def _task_blocks(
    number: int, n_tasks: int, n_latent: int
) -> tuple[list[list[int]], list[np.ndarray]]:
    """Return the bases and the tasks of each block of tasks."""
    if n_tasks < n_latent:
        msg = f"n_tasks={n_tasks} must be at least n_latent={n_latent}: one per block"
        raise ValueError(msg)
    blocks = np.array_split(np.arange(n_tasks), n_latent)
    if number not in OVERLAPPING_TASKS:
        return [[r] for r in range(n_latent)], blocks
    if n_latent < 2:
        msg = f"n_latent={n_latent} must be at least 2 for groups to overlap"
        raise ValueError(msg)
    firsts = [min(r, n_latent - 2) for r in range(n_latent)]
    return [[first, first + 1] for first in firsts], blocks


def _observe(
    W: Array, n_samples: int, noise: float, rng: np.random.Generator
) -> MultiTaskData:
    """Draw the observations of every task, each from its own stream."""
    X, y = [], []
    for w, stream in zip(W.T, rng.spawn(W.shape[1]), strict=True):
        # The noise is drawn beside its row, so that more rows only add rows.
        draws = stream.standard_normal((n_samples, len(w) + 1))
        X.append(draws[:, :-1])
        y.append(draws[:, :-1] @ w + noise * draws[:, -1])
    return MultiTaskData(X, y)


def _check_sizes(number: int, n_train: int, n_test: int, noise: float) -> None:
    if number not in (1, 2, 3, 4):
        msg = f"number={number!r} must be 1, 2, 3 or 4, for Syn1 to Syn4"
        raise ValueError(msg)
    if n_train < 1 or n_test < 1:
        msg = f"n_train={n_train} and n_test={n_test} must be at least 1"
        raise ValueError(msg)
    if noise < 0:
        msg = f"noise={noise} must not be negative"
        raise ValueError(msg)
