"""Lesson 3: unit balls, where a loss meets them, and two nearly equal variables."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vstg.data import Array
from vstg.penalties import SquaredKSupport, k_support_norm
from vstg.solvers.fista import fista

NORMS = ("l1", "l2", "linf", "ksp")
CORRELATIONS = tuple(round(0.05 * step, 2) for step in range(20))
TWIN_WEIGHTS = (1.0, 0.8, 0.5, 0.0)  # the first two variables are the twins


def norm(name: str, k: int = 1) -> Callable[[Array], float]:
    """A norm of vectors by its name; ``k`` is for "ksp" only."""
    return {
        "l1": lambda w: float(np.abs(w).sum()),
        "l2": lambda w: float(np.linalg.norm(w)),
        "linf": lambda w: float(np.abs(w).max()),
        "ksp": lambda w: k_support_norm(w, k),
    }[name]


def ball_2d(name: str, k: int = 1, n_points: int = 360) -> Array:
    """Points (n + 1, 2) of the unit sphere of a norm, in turn; the first comes last."""
    angles = np.linspace(0.0, 2 * np.pi, n_points + 1)
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    of = norm(name, k)
    return directions / np.array([of(d) for d in directions])[:, None]


def ball_3d(name: str, k: int = 1, n_points: int = 21) -> Array:
    """The unit sphere of a norm as a surface (3, rows, n), six faces apart by NaN.

    The directions are those of a lattice on a cube, whose lines run along the edges
    of the cube and of the octahedron: neither l∞ nor l1 gets ragged edges.
    """
    at = np.linspace(-1.0, 1.0, n_points)  # an odd number has the axes on its lines
    first, second = np.meshgrid(at, at, indexing="ij")
    gap = np.full((3, 1, n_points), np.nan)
    of = norm(name, k)
    faces = []
    for axis in range(3):
        for side in (-1.0, 1.0):
            face = np.empty((3, n_points, n_points))
            # Turned so that all faces are seen from outside in the same sense.
            around = (first, second) if side > 0 else (second, first)
            face[axis], (face[axis - 2], face[axis - 1]) = side, around
            sizes = np.array([of(d) for d in face.reshape(3, -1).T])
            faces += [face / sizes.reshape(1, n_points, n_points), gap]
    return np.concatenate(faces[:-1], axis=1)


@dataclass(frozen=True, eq=False)
class Contact:
    """Where the level sets of a quadratic loss first meet the unit ball."""

    point: Array
    centre: Array
    G: Array

    def loss(self, w: Array) -> Array:
        """½ (w − c)ᵀ G (w − c) for points in the last axis."""
        d = np.asarray(w) - self.centre
        return 0.5 * np.einsum("...i,ij,...j->...", d, self.G, d)


def contact(name: str, k: int, centre: tuple[float, float], rho: float) -> Contact:
    """Minimise the loss of two variables with correlation ``rho`` on the unit ball."""
    found = Contact(np.array(centre), np.array(centre), np.array([[1, rho], [rho, 1]]))
    if norm(name, k)(found.centre) <= 1.0:
        return found
    sphere = ball_2d(name, k, n_points=7200)  # has the corners exactly, up to rounding
    best = sphere[int(found.loss(sphere).argmin())]
    best = np.where(np.abs(best) < 1e-12, 0.0, best)
    return Contact(best, found.centre, found.G)


@dataclass(frozen=True, eq=False)
class Twins:
    """Weights (len(CORRELATIONS), 4) as the twins become alike, for one k."""

    k: int
    weights: Array

    def share(self, rho: float) -> float:
        """The smaller twin's weight divided by the larger one's."""
        first, second = self.weights[CORRELATIONS.index(rho), :2]
        return float(second / first) if first else 0.0


def twins(k: int, mu: float) -> Twins:
    """Minimise ½(v − v*)ᵀ G (v − v*) + μ(‖v‖_k^sp)² for each correlation."""
    truth = np.array(TWIN_WEIGHTS)
    rows = []
    for rho in CORRELATIONS:
        G = np.eye(len(truth))
        G[0, 1] = G[1, 0] = rho
        target = (G @ truth)[:, None]
        top = float(np.linalg.eigvalsh(G)[-1])
        found = fista(
            lambda v, G=G, c=target: G @ v - c,  # type: ignore[misc]
            SquaredKSupport(mu, k).prox,
            target,
            top,
        )
        rows.append(found.x[:, 0])
    return Twins(k, np.array(rows))
