"""A search that is small and still has several chains and folds."""

GRID = {
    "n_latent": [3, 5],
    "k": [1],
    "gamma1": [2**-4, 2**-2, 1.0],
    "gamma2": [2**-5, 2**-3, 2.0],
}
N_CELLS = 2 * 3 * 3 * 4
