"""Starting points: the paper's eqs. (7)–(8) and variations for restarts."""

import numpy as np
from scipy.optimize import minimize

from vstg.data import Array, MultiTaskData
from vstg.losses import Loss
from vstg.objective import Settings
from vstg.statistics import Quadratic

Start = tuple[Array, Array]  # U (D, K) and V (K, T)


def ridge_strength(settings: Settings) -> float:
    """√(γ1² + γ2² + μ²) of eq. (7)."""
    return float(np.hypot(np.hypot(settings.gamma1, settings.gamma2), settings.mu))


def ridge_coefficients(model: Quadratic, strength: float) -> Array:
    """W^init of eqs. (7)–(8) for the squared loss: (G_j + 2cI) w_j = c_j."""
    T, D = model.c.shape
    # Without any penalty G_j may be singular; a speck of ridge keeps the start finite.
    speck = 1e-10 * np.trace(model.G, axis1=1, axis2=2) / D + 1e-300
    A = model.G + (2.0 * strength + speck)[:, None, None] * np.eye(D)
    return np.linalg.solve(A, model.c[:, :, None])[:, :, 0].T


def logistic_coefficients(
    data: MultiTaskData, loss: Loss, strength: float, *, fit_intercept: bool
) -> Array:
    """W^init of eqs. (7)–(8) for a loss without closed form, by L-BFGS."""
    W = np.zeros((data.n_features, data.n_tasks))
    for j, (X, y) in enumerate(zip(data.X, data.y, strict=True)):
        start = np.zeros(data.n_features + 1)
        start[-1] = loss.best_constant(y) if fit_intercept else 0.0

        def ridge(wb: Array, X: Array = X, y: Array = y) -> tuple[float, Array]:
            w = wb[:-1]
            margin = X @ w + wb[-1]
            slope = loss.derivative(y, margin) / len(y)
            value = loss.value(y, margin) / len(y) + strength * (w @ w)
            slope_b = slope.sum() if fit_intercept else 0.0
            return value, np.append(X.T @ slope + 2.0 * strength * w, slope_b)

        W[:, j] = minimize(ridge, start, jac=True, method="L-BFGS-B").x[:-1]
    return W


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


def restart(W: Array, n_latent: int, number: int, rng: np.random.Generator) -> Start:
    """Start ``number``: 0 is the paper's; odd ones turn its bases, even ones are random.

    A turn leaves W^init and its fit untouched but offers the penalties other bases.
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
