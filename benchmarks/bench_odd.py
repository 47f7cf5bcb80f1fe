"""Fit odd problems and let an interior-point method say what each block could gain.

    python benchmarks/bench_odd.py            # all problems
    python benchmarks/bench_odd.py --quick    # two of them: a smoke test

For every problem the script prints how the fit ended, its iterations, its objective,
and the share of it that the best U for the given V, or the best V for the given U,
would take away: by cvxpy, on columns brought to one scale, which the penalties follow.
"""

import argparse
from time import perf_counter

import cvxpy as cp
import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler

from vstg import MultiTaskData, solve_vstg
from vstg.losses import get_loss
from vstg.objective import Objective

SETTINGS = {"n_latent": 2, "k": 1, "gamma1": 0.02, "gamma2": 0.02, "mu": 0.02}


def tasks(n=30, D=6, T=4, scales=1.0, unit=1.0, labels=False, noise=0.5, seed=0):
    """T tasks in two groups; columns in given scales, targets in a given unit."""
    rng = np.random.default_rng(seed)
    W = np.zeros((D, 2))
    W[: D // 2, 0], W[D // 2 :, 1] = 1.0, -1.0
    X = [rng.normal(size=(n, D)) for _ in range(T)]
    y = [x @ W[:, j % 2] + noise * rng.normal(size=n) for j, x in enumerate(X)]
    if labels:
        y = [np.where(target > 0, 1.0, -1.0) for target in y]
    return MultiTaskData([x * scales for x in X], [unit * target for target in y])


def collinear(difference):
    """Every variable twice, but for a small difference."""
    data = tasks(D=3)
    rng = np.random.default_rng(1)
    twice = [np.hstack([X, X + difference * rng.normal(size=X.shape)]) for X in data.X]
    return MultiTaskData(twice, data.y)


def with_constants():
    """One column that is constant, and one that is zero."""
    data = tasks()
    X = [x.copy() for x in data.X]
    for x in X:
        x[:, 0], x[:, 1] = 3.0, 0.0
    return MultiTaskData(X, data.y)


def problems():
    """Name, data, loss and settings of every odd problem."""
    spread = np.array([1e5, 1e-5, 1.0, 1e2, 1e-2, 1.0])
    weak = {name: 1e-4 for name in ("gamma1", "gamma2", "mu")}
    weaker = {name: 1e-5 for name in ("gamma1", "gamma2", "mu")}
    clear = tasks(labels=True, noise=0.0)
    return {
        "plain": (tasks(), "squared", {}),
        "columns 1e5 … 1e-5": (tasks(scales=spread), "squared", {}),
        "columns 1e5 … 1e-5, weak": (tasks(scales=spread), "squared", {
            "gamma1": 1e-8, "gamma2": 1e-8, "mu": 1e-4}),
        "columns 1e-8": (tasks(scales=1e-8), "squared", {
            "gamma1": 1e-10, "gamma2": 1e-10, "mu": 1e-4}),
        "columns 1e8": (tasks(scales=1e8), "squared", {}),
        "targets 1e-8": (tasks(unit=1e-8), "squared", {
            "gamma1": 2e-10, "gamma2": 2e-10, "mu": 2e-18}),
        "targets 1e8": (tasks(unit=1e8), "squared", {}),
        "collinear to 1e-6": (collinear(1e-6), "squared", {}),
        "collinear exactly": (collinear(0.0), "squared", weak),
        "one row per task": (tasks(n=1), "squared", {}),
        "constant columns": (with_constants(), "squared", {}),
        "wide, 10 × 60": (tasks(n=10, D=60), "squared", {}),
        "one task": (tasks(T=1), "squared", {}),
        "separable, γ = 1e-4": (clear, "logistic", weak),
        "separable, γ = 1e-5": (clear, "logistic", weaker),
        "nearly separable": (tasks(labels=True, noise=0.3), "logistic", weak),
        "separable, columns 1e5 … 1e-5": (
            tasks(scales=spread, labels=True, noise=0.0), "logistic", weak),
    }  # fmt: skip


def loss_of(loss, y, margin):
    """One task's loss as an expression of cvxpy."""
    if loss == "squared":
        return 0.5 * cp.sum_squares(y - margin) / len(y)
    return cp.sum(cp.logistic(cp.multiply(-y, margin))) / len(y)


def solved(value, limits=()):
    """The least value of an expression."""
    problem = cp.Problem(cp.Minimize(value), list(limits))
    problem.solve(solver=cp.CLARABEL, tol_gap_rel=1e-11, tol_gap_abs=1e-11)
    return problem.value


def best_with_U(data, loss, s, V, unit):
    """The least of eq. (6) over U, without the penalty of V, divided by ``unit``."""
    size = np.sqrt(np.mean([(X**2).mean(axis=0) for X in data.X], axis=0))
    size, lengths = (np.where(x > 0, x, 1.0) for x in (size, np.abs(V).max(axis=1)))
    root = np.sqrt(unit) if loss == "squared" else 1.0
    A = cp.Variable((data.n_features, len(V)))  # U = root · A / size / lengths
    factor = 1.0 / np.outer(size, lengths)  # root goes with the strengths: all near 1
    value = cp.sum(
        [
            loss_of(loss, y / root, (X / size) @ A @ (v / lengths))
            for X, y, v in zip(data.X, data.y, V.T, strict=True)
        ]
    ) * (root**2 / unit)
    sizes = cp.abs(cp.multiply(factor, A))
    value += s.gamma1 * root / unit * cp.sum(sizes)
    value += s.gamma2 * root / unit * cp.sum(cp.max(sizes, axis=1))
    return solved(value)


def best_with_V(data, loss, s, U, unit):
    """The least of eq. (6) over V, without the penalty of U, divided by ``unit``."""
    root = np.sqrt(unit) if loss == "squared" else 1.0
    total = 0.0
    for X, y in zip(data.X, data.y, strict=True):
        Z = X @ U
        size = float(np.sqrt((Z**2).mean())) or 1.0
        a, theta = cp.Variable(U.shape[1]), cp.Variable(U.shape[1])
        value = loss_of(loss, y / root, (Z / size) @ a) * (root**2 / unit)
        pairs = [cp.quad_over_lin(a[r], theta[r]) for r in range(U.shape[1])]
        value += s.mu * (root / size) ** 2 / unit * cp.sum(pairs)
        total += solved(value, [theta >= 0, theta <= 1, cp.sum(theta) <= s.k])
    return total


def shares(data, loss, result):
    """What the best U and the best V would take away, as shares of the objective."""
    s, F = result.settings, result.objective
    if not result.W.any():
        return 0.0, 0.0
    objective = Objective(data, get_loss(loss), s)
    rest_V = objective.penalty_V.value(result.V) / F
    rest_U = objective.penalty_U.value(result.U) / F
    return (
        1.0 - rest_V - best_with_U(data, loss, s, result.V, F),
        1.0 - rest_U - best_with_V(data, loss, s, result.U, F),
    )


def breast_cancer():
    """scikit-learn's, standardised: nearly separable labels of real data."""
    X, y = load_breast_cancer(return_X_y=True)
    data = MultiTaskData([StandardScaler().fit_transform(X)], [np.where(y, 1.0, -1.0)])
    return {
        f"breast cancer, γ = {g:.0e}".replace("e-0", "e-"): (
            data, "logistic", {"gamma1": g, "gamma2": g, "mu": g}
        )
        for g in (1e-4, 1e-5)
    }  # fmt: skip


def measure(name, data, loss, options):
    """One row of the table."""
    began = perf_counter()
    result = solve_vstg(data, loss=loss, **SETTINGS | options)
    seconds = perf_counter() - began
    try:
        by_U, by_V = shares(data, loss, result)
    except cp.error.SolverError:  # the interior-point method itself gives up
        by_U = by_V = np.nan
    return {
        "problem": name,
        "ended": result.stop_reason,
        "iterations": result.n_iter,
        "objective": result.objective,
        "U could gain": by_U,
        "V could gain": by_V,
        "ms": 1e3 * seconds,
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true")
    names = problems() | breast_cancer()
    if parser.parse_args().quick:
        names = {name: names[name] for name in ("plain", "columns 1e5 … 1e-5")}
    rows = [measure(name, *case) for name, case in names.items()]
    print(pd.DataFrame(rows).to_string(index=False, float_format=lambda x: f"{x:.3g}"))


if __name__ == "__main__":
    main()
