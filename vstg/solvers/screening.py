"""Settings for which zero is the solution, found without solving."""

import numpy as np

from vstg.objective import Settings
from vstg.problem import Problem


def zero_is_optimal(problem: Problem, settings: Settings) -> bool:
    r"""Whether a bound proves that (0, 0) minimises eq. (6) over all U and V.

    Notes
    -----
    Let :math:`a = \gamma_1\|U\|_1 + \gamma_2\|U\|_{1,\infty}`, :math:`b = \mu \sum_j
    (\|v_j\|_k^{sp})^2`, C minus the gradient of the loss at W = 0, L its value there.
    The loss is convex and not negative, so it falls by at most :math:`\min(L, \langle
    C, UV \rangle)`. With :math:`a \ge (\gamma_1 + \gamma_2/\sqrt K) \sum_i \|u^i\|_2`
    and :math:`b \ge \mu \|V\|_F^2` the inner product is at most :math:`M a \sqrt b`,
    where :math:`M = \max_i \|C^i\|_2 / ((\gamma_1 + \gamma_2/\sqrt K) \sqrt\mu)`. A
    point better than zero thus needs :math:`a + b < \min(L, M a \sqrt b)`; the second
    bound alone forces :math:`a + b \ge 27 / (4 M^2)`. Hence zero is optimal when
    :math:`L M^2 \le 27/4`.
    """
    strength = settings.gamma1 + settings.gamma2 / np.sqrt(settings.n_latent)
    if strength <= 0 or settings.mu <= 0:
        return False
    loss, gradient = problem.null
    steepest = float(gradient.squared_rows().max())  # max_i ‖C^i‖²
    return loss * steepest / (strength**2 * settings.mu) <= 27 / 4
