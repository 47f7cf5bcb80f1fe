"""Factors small enough to see the answer."""

import numpy as np

# Four variables, three bases, five tasks; only task 2 uses the last basis, and
# task 4 uses none.
U = np.array([[2.0, 0, 0], [-1, 3, 0], [0, 0, 0], [0, 0, 0.1]])
V = np.array([[1.0, -2, 0, 0, 0], [0.5, 1, 0, 2, 0], [0, 0, 4, 0, 0]])
