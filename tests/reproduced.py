"""Results of a table as a run would leave them, made up in no time."""

import numpy as np
import pandas as pd

from vstg.reproduction import BENCHMARKS, get_exhibit
from vstg.reproduction.protocol import COLUMNS
from vstg.reproduction.results import Results, contents

SETTINGS = {
    "lasso": {"gamma1": 2.0**-4},
    "vstg": {"n_latent": 5, "k": 1, "gamma1": 2.0**-1, "gamma2": 2.0**-4},
}
USUAL = {"gamma1": 2.0**-3, "gamma2": 2.0**-2}


def made_up(exhibit="table1", repetitions=10, sets=None, columns=None, shift=None):
    """Repetitions around the paper's means: ``shift`` moves cells, in its sd."""
    table, rows, shift = get_exhibit(exhibit), [], shift or {}
    rng = np.random.default_rng(0)
    noise = rng.normal(size=repetitions) * 0.1
    for data in sets or table.sets:
        for column in columns or table.columns:
            method = COLUMNS[column].method
            setting = SETTINGS.get(method, USUAL)
            if method == "vstg":
                setting = setting | {"k": COLUMNS[column].k[0]}
                setting |= {n: v[-1] for n, v in COLUMNS[column].after.items()}
            for r in range(repetitions):
                errors = {}
                for measure, name in BENCHMARKS[data].measures.items():
                    like = column if column in table.columns else table.columns[-1]
                    paper = table.paper(BENCHMARKS[data], measure, like)
                    moved = shift.get((data, measure, column), 0.0) + noise[r]
                    errors[name] = paper.mean + moved * paper.sd
                rows.append(
                    {
                        "data": data, "column": column, "repetition": r, **errors,
                        **setting, "choice_error": 1.0, "n_variables": 20,
                        "n_fits": 100, "seconds": 2.0,
                    }
                )  # fmt: skip
    about = {
        "exhibit": exhibit, "effort": "full", "effort_label": "the paper's protocol",
        "repetitions": repetitions, "complete": True, "command": "vstg reproduce",
        "n_fits": 100, "seconds": 2.0, "n_jobs": 1,
    }  # fmt: skip
    return Results(table, pd.DataFrame(rows), about, {})


def write(results, folder):
    """As a results folder."""
    folder.mkdir(parents=True)
    for name, content in contents(results).items():
        (folder / name).write_bytes(content)
