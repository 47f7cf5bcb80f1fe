"""The fast solver: block descent on sufficient statistics, compiled.

One outer iteration is a sweep over the rows of U (proximal steps with the exact prox of
both penalties), a pass over the tasks (accelerated proximal steps on v_j), the
closed-form rescaling of U against V, and every few iterations an extrapolation and
shears of the bases, each kept only if the objective falls. So the objective never
rises.

A loss that is not quadratic is replaced at the current margins by its quadratic upper
model (see :mod:`vstg.losses`), which touches it there: descent of the model is descent
of the objective.

The bases of the start of eqs. (7)–(8) are those of a singular value decomposition,
which are not sparse at all. So two forms of it with the same W race for some
iterations, one with sheared bases and one with bases rotated to simple structure, and
the better one continues.

With many tasks, or a huge μ, the ridge of eq. (7) shrinks W almost to zero, and from
there a descent ends at zero, which is always a local minimum. Then the start is tried
once more at the scale at which it fits best.
"""

from time import perf_counter

import numpy as np

from vstg.data import Array
from vstg.kernels import PAUSE, shear_bases
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers.descent import Descent, QuadraticDescent
from vstg.solvers.initial import Start, simple_structure
from vstg.solvers.many_tasks import MANY
from vstg.solvers.result import Callback, SolverRun
from vstg.solvers.smooth import SmoothDescent

RACE = 5  # iterations after which only the better form of the start continues
START_SHEARS = 2
SHRUNK = 16.0  # times below the best scale: too small for a start that led to zero


def run_fast(
    problem: Problem,
    settings: Settings,
    start: Start,
    *,
    tol: float,
    max_iter: int,
    warm: bool = False,
    callback: Callback | None = None,
    number: int = 0,
    intercept: Array | None = None,
) -> SolverRun:
    """Descend from ``start`` until both blocks' residuals are at most ``tol``.

    A ``warm`` start, from a neighbouring solution, is used as it is, without a race.
    ``intercept`` is the start of b, if its optimum has no closed form.
    """
    began = perf_counter()
    kind = QuadraticDescent if problem.loss.is_quadratic else SmoothDescent

    def descend(begin: list[Start]) -> Descent:
        racers: list[Descent] = [
            kind(
                problem, settings, form,
                tol=tol, began=began, callback=callback, number=number,
                pause=PAUSE if warm else 0, intercept=intercept,
            )
            for form in begin
        ]  # fmt: skip
        return race(racers, max_iter)

    if warm:
        return descend([start]).finish()
    if problem.n_tasks >= MANY:  # a second try would cost too much
        return descend(forms(enlarged(problem, start) or start, settings)).finish()
    found = descend(forms(start, settings))
    if found.reason == "tolerance" and not found.U.any():
        larger = enlarged(problem, start)
        if larger is not None:
            found = descend(forms(larger, settings))
    return found.finish()


def race(racers: list[Descent], max_iter: int) -> Descent:
    """Advance all for a while, then only the best until it stops."""
    for racer in racers:
        racer.advance(min(RACE, max_iter))
        if racer.reason == "callback":
            return racer
    best = min(racers, key=lambda racer: racer.objective)
    if best.reason != "tolerance":
        best.advance(max_iter - len(best.terms))
    return best


def enlarged(problem: Problem, start: Start) -> Start | None:
    """A start that is far too small, at the scale at which it fits best."""
    factor = fitting_scale(problem, start)
    if factor <= SHRUNK:
        return None
    root = np.sqrt(factor)
    return root * start[0], root * start[1]


def fitting_scale(problem: Problem, start: Start) -> float:
    """The t that minimises the quadratic model of the loss at zero along tW."""
    U, V = start
    W = U @ V
    curvature = float((W * problem.model.times(W)).sum())
    slope = -float((problem.null[1].times(V.T) * U).sum())
    return slope / curvature if curvature > 0 else 0.0


def forms(start: Start, settings: Settings) -> list[Start]:
    """The start with its bases sheared, and with its bases rotated; W is the same."""
    sheared = np.array(start[0], order="C"), np.array(start[1].T, order="C")
    penalties = settings.gamma1, settings.gamma2, settings.mu, settings.k
    for _ in range(START_SHEARS):
        shear_bases(*sheared, *penalties)
    return [(sheared[0], sheared[1].T), simple_structure(*start)]
