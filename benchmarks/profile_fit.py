"""Where the time of a large fit goes: functions by their own share of it.

    python benchmarks/profile_fit.py                 # all cases
    python benchmarks/profile_fit.py tasks digits    # some of them
    python benchmarks/profile_fit.py --quick         # a small one: a smoke test

Compiled kernels count as one function each; what they call is inside.
"""

import argparse
import cProfile
import pstats
from collections import Counter
from pathlib import Path
from time import process_time

import numpy as np
from bench_scale import make, make_digits, warm_up
from threadpoolctl import threadpool_limits

from vstg import MultiTaskData, solve_vstg
from vstg.datasets import make_syn

SHOWN = 8


def many_outputs(n: int, D: int, T: int) -> MultiTaskData:
    """One design for all tasks, five bases of four variables."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, D))
    W = np.zeros((D, T))
    for j in range(T):
        r = j * 5 // T
        W[4 * r : 4 * r + 4, j] = rng.normal(1, 0.25, size=4)
    return MultiTaskData.from_multioutput(X, X @ W + rng.standard_normal((n, T)))


CASES = {  # words, data, options beside n_latent=5 and k=1
    "wide": ("D=100,000, T=20, N=50", lambda: make(100_000, 20, 50, 5), 0.4),
    "tasks": ("D=200, T=10,000, N=20", lambda: make(200, 10_000, 20, 5), 200.0),
    "rows": ("D=50, T=10, N=100,000", lambda: make(50, 10, 100_000, 5), 0.2),
    "shared": ("D=20,000, T=1,000, one X", lambda: many_outputs(60, 20_000, 1000), 5.0),
    "digits": (
        "ten classes, 60,000 × 784, float32, logistic",
        lambda: make_digits(60_000, 784, "float32"),
        2**-6,
    ),
    "syn": (
        "Syn2, D=25, T=20, a hundred fits",
        lambda: make_syn(2, random_state=0).train,
        2**-5,
    ),
    "small": ("D=30, T=5, N=60", lambda: make(30, 5, 60, 2), 0.1),
}


def shares(
    data: MultiTaskData, n_fits: int, **options: float | str | bool
) -> tuple[float, Counter]:
    """Seconds of some fits, and of each function in itself."""
    profile = cProfile.Profile(process_time)
    with threadpool_limits(1):
        for _ in range(n_fits):
            profile.runcall(solve_vstg, data, **options)
    stats = pstats.Stats(profile)
    found: Counter[str] = Counter()
    for (file, _, name), (_, _, own, _, _) in stats.stats.items():  # type: ignore[attr-defined]
        place = Path(file).stem
        found[name if file == "~" else f"{place}.{name}"] += own
    return stats.total_tt, found  # type: ignore[attr-defined]


def main() -> None:
    """Print the largest shares of each case."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("cases", nargs="*", metavar="case", help=", ".join(CASES))
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    asked = arguments.cases or [case for case in CASES if case != "small"]
    if arguments.quick:
        asked = ["small"]
    warm_up()
    for case in asked:
        words, data, strength = CASES[case]
        options = {"n_latent": 5, "k": 1, "gamma1": strength, "gamma2": strength}
        if case == "digits":
            options |= {"loss": "logistic", "fit_intercept": True, "k": 2}
        elif case != "syn":
            options["mu"] = 0.5
        total, found = shares(data(), 100 if case == "syn" else 1, **options)
        print(f"{words}: {total:.2f} s")
        for name, own in found.most_common(SHOWN):
            print(f"  {own / total:6.1%}  {name}")


if __name__ == "__main__":
    main()
