"""Slow, obvious re-implementations, used only to judge the fast ones."""

import cvxpy as cp
import numpy as np


def k_support_norm_squared(w, k):
    """min over θ in [0,1]^K with Σθ ≤ k of Σ w_i²/θ_i, by cvxpy."""
    theta = cp.Variable(len(w))
    terms = [cp.quad_over_lin(float(x), t) for x, t in zip(w, theta, strict=True) if x]
    if not terms:
        return 0.0
    problem = cp.Problem(
        cp.Minimize(cp.sum(terms)), [theta >= 0, theta <= 1, cp.sum(theta) <= k]
    )
    return problem.solve(solver=cp.CLARABEL)


def objective_by_loops(data, loss, settings, U, V, b):
    """Eq. (6) written as its sums."""
    D, K = U.shape
    total = 0.0
    for j in range(data.n_tasks):
        for n in range(len(data.y[j])):
            m = b[j]
            for i in range(D):
                for r in range(K):
                    m += data.X[j][n, i] * U[i, r] * V[r, j]
            y = data.y[j][n]
            each = 0.5 * (y - m) ** 2 if loss == "squared" else np.log1p(np.exp(-y * m))
            share = 1 / len(data.y[j])
            if data.weights:
                share = data.weights[j][n] / data.weights[j].sum()
            total += each * share * (data.task_weights or [1.0] * data.n_tasks)[j]
        total += settings.mu * k_support_norm_squared(V[:, j], settings.k)
    for i in range(D):
        total += settings.gamma1 * sum(abs(u) for u in U[i])
        total += settings.gamma2 * max(abs(u) for u in U[i])
    return total


def losses_cvxpy(data, loss, margins):
    """Σ_j a_j Σ_i s_ij L_ij / Σ_i s_ij of cvxpy expressions for the margins."""
    terms = []
    for j, (y, m) in enumerate(zip(data.y, margins, strict=True)):
        s = data.weights[j] if data.weights else np.ones(len(y))
        each = (
            0.5 * cp.sum_squares(cp.multiply(np.sqrt(s), y - m))
            if loss == "squared"
            else s @ cp.logistic(cp.multiply(-y, m))
        )
        a = data.task_weights[j] if data.task_weights else 1.0
        terms.append(a * each / s.sum())
    return cp.sum(terms)


def best_U(data, loss, settings, V, b):
    """The U-step of eq. (9) by an interior-point method."""
    U = cp.Variable((data.n_features, len(V)))
    margins = [X @ U @ v + bj for X, v, bj in zip(data.X, V.T, b, strict=True)]
    value = losses_cvxpy(data, loss, margins)
    value += settings.gamma1 * cp.sum(cp.abs(U))
    value += settings.gamma2 * cp.sum(cp.max(cp.abs(U), axis=1))
    problem = cp.Problem(cp.Minimize(value))
    problem.solve(solver=cp.CLARABEL, tol_gap_rel=1e-12, tol_gap_abs=1e-12)
    return U.value, problem.value


def best_V(data, loss, settings, U, b):
    """The V-step of eq. (19) for all tasks by an interior-point method."""
    K = U.shape[1]
    V, theta = cp.Variable((K, data.n_tasks)), cp.Variable((K, data.n_tasks))
    margins = [X @ U @ V[:, j] + b[j] for j, X in enumerate(data.X)]
    value = losses_cvxpy(data, loss, margins)
    value += settings.mu * cp.sum(
        [
            cp.quad_over_lin(V[r, j], theta[r, j])
            for r in range(K)
            for j in range(len(b))
        ]
    )
    limits = [theta >= 0, theta <= 1, cp.sum(theta, axis=0) <= settings.k]
    problem = cp.Problem(cp.Minimize(value), limits)
    problem.solve(solver=cp.CLARABEL, tol_gap_rel=1e-12, tol_gap_abs=1e-12)
    return V.value, problem.value
