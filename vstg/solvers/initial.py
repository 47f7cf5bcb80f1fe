"""Starting points: the paper's eqs. (7)–(8) and variations for restarts."""

import numpy as np
from scipy.optimize import minimize

from vstg.data import Array
from vstg.kernels import simplify_bases
from vstg.objective import Settings
from vstg.problem import Problem

Start = tuple[Array, Array]  # U (D, K) and V (K, T)


def ridge_strength(settings: Settings) -> float:
    """√(γ1² + γ2² + μ²) of eq. (7)."""
    return float(np.hypot(np.hypot(settings.gamma1, settings.gamma2), settings.mu))


def smooth_coefficients(problem: Problem, strength: float) -> Array:
    """W^init of eqs. (7)–(8) for a loss without closed form, by L-BFGS.

    The tasks are separate problems, solved as one: their sum has one minimiser.
    """
    shape = (problem.n_features, problem.n_tasks)
    free = 1.0 if problem.fit_intercept else 0.0

    def ridge(x: Array) -> tuple[float, Array]:
        W, b = x[: -shape[1]].reshape(shape), x[-shape[1] :]
        value, slope, slope_b = problem.evaluate(W, b)
        value += strength * float((W * W).sum())
        return value, np.concatenate(
            [(slope + 2 * strength * W).ravel(), free * slope_b]
        )

    start = np.concatenate([np.zeros(shape[0] * shape[1]), problem.start_intercept()])
    # Only a start: three digits are enough.
    options = {"maxiter": 200, "ftol": 1e-5}
    found = minimize(ridge, start, jac=True, method="L-BFGS-B", options=options).x
    return found[: -shape[1]].reshape(shape)


def initial_coefficients(problem: Problem, settings: Settings) -> Array:
    """W^init of eqs. (7)–(8)."""
    strength = ridge_strength(settings)
    if problem.loss.is_quadratic:
        return problem.model.ridge(strength)
    return smooth_coefficients(problem, strength)


def factorise(W: Array, n_latent: int) -> Start:
    """U = PΣ^½, V = Σ^½Qᵀ from the top singular vectors; zero beyond the rank."""
    P, sigma, Qt = np.linalg.svd(W, full_matrices=False)
    D, T = W.shape
    U, V = np.zeros((D, n_latent)), np.zeros((n_latent, T))
    rank = min(n_latent, len(sigma))
    root = np.sqrt(sigma[:rank])
    U[:, :rank] = P[:, :rank] * root
    V[:rank] = root[:, None] * Qt[:rank]
    return U, V


def simple_structure(U: Array, V: Array, n_sweeps: int = 20) -> Start:
    """Rotate the bases so that U and V have few large entries and many small ones.

    The varimax rotation of factor analysis (Kaiser 1958), applied to U above Vᵀ: it
    maximises the variance of the squared entries over orthogonal Q and keeps UV.
    """
    A = np.vstack([U, V.T])
    simplify_bases(A, n_sweeps)
    return A[: len(U)], A[len(U) :].T


def restart(W: Array, n_latent: int, number: int, rng: np.random.Generator) -> Start:
    """Start ``number``: 0 is the paper's, odd ones rotate it, even ones are random.

    A rotation leaves W^init and its fit unchanged but gives the penalties other bases.
    """
    U, V = factorise(W, n_latent)
    if number == 0:
        return U, V
    if number % 2 == 1:
        Q, _ = np.linalg.qr(rng.normal(size=(n_latent, n_latent)))
        return U @ Q, Q.T @ V
    size_U = np.linalg.norm(U) / np.sqrt(U.size)
    size_V = np.linalg.norm(V) / np.sqrt(V.size)
    return size_U * rng.normal(size=U.shape), size_V * rng.normal(size=V.shape)
