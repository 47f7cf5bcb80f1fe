"""A bound on how much one block alone could still lower eq. (6).

For a convex loss f ≥ 0 and the gradient B of f with respect to U, every other Z has
f(Z) + Ω(Z) ≥ f(U) + ⟨B, Z − U⟩ + Ω(Z), and no Z is better than U unless Ω(Z) ≤ f(U) +
Ω(U). The least right side over these Z is known in closed form by the dual norm of Ω.
For V the squared k-support norm has a finite conjugate everywhere, and no such limit on
Z is needed. Neither bound changes when a column of X is measured in other units and the
row of U with it, nor when the loss and the strengths are multiplied by a number.
"""

from vstg.kernels.blocks import project
from vstg.kernels.compiler import kernel
from vstg.kernels.prox import sort_descending, squared_k_support


@kernel
def dual_row_norm(g, gamma1, gamma2, work):
    """The least t with Σ_r max(|g_r| − tγ1, 0) ≤ tγ2."""
    for r in range(g.size):
        work[r] = abs(g[r])
    sort_descending(work)
    found = 0.0
    total = 0.0
    for r in range(g.size):
        total += work[r]
        found = max(found, total / (gamma2 + (r + 1) * gamma1))
    return found


@kernel
def possible_gain_U(Bt, U, gamma1, gamma2, value, vectors):
    """The bound for U; ``Bt`` (K, D) is the gradient, ``value`` the loss + Ω(U)."""
    if gamma1 + gamma2 <= 0.0:
        return 0.0  # nothing is certain without a penalty
    g, work = vectors[1], vectors[2]
    gain = 0.0
    steepest = 1.0
    for i in range(U.shape[0]):
        top = 0.0
        for r in range(U.shape[1]):
            g[r] = Bt[r, i]
            top = max(top, abs(U[i, r]))
            gain += g[r] * U[i, r] + gamma1 * abs(U[i, r])
        gain += gamma2 * top
        steepest = max(steepest, dual_row_norm(g, gamma1, gamma2, work))
    return gain + (steepest - 1.0) * value


@kernel
def possible_gain_v(g, v, mu, k, work):
    """The bound for one v_j with the gradient g of its loss."""
    gain = mu * squared_k_support(v, k, work)
    for r in range(v.size):
        gain += g[r] * v[r]
        work[r] = abs(g[r])
    sort_descending(work)
    dual = 0.0
    for r in range(min(k, v.size)):
        dual += work[r] * work[r]
    return gain + 0.25 * dual / mu


@kernel
def possible_gains(R, U, Vt, gamma1, gamma2, mu, k, terms, Bt, vectors):
    """Bounds for U and for V from the gradients R[j] with respect to w_j."""
    project(R, Vt, Bt)
    of_U = possible_gain_U(
        Bt, U, gamma1, gamma2, terms[0] + terms[1] + terms[2], vectors
    )
    of_V = 0.0
    if mu > 0.0:
        g, work = vectors[1], vectors[2]
        for j in range(Vt.shape[0]):
            g[:] = 0.0
            for i in range(U.shape[0]):
                for r in range(U.shape[1]):
                    g[r] += U[i, r] * R[j, i]
            of_V += possible_gain_v(g, Vt[j], mu, k, work)
    return max(of_U, 0.0), max(of_V, 0.0)
