"""Random search with scikit-learn, or Bayesian search with optuna, over all strengths.

python examples/random_search.py                    # scikit-learn's random search
pip install optuna && python examples/random_search.py --optuna
"""

from argparse import ArgumentParser
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import loguniform, randint
from sklearn.model_selection import RandomizedSearchCV, cross_val_score

from vstg import TaskKFold, VSTGRegressor
from vstg.datasets import make_syn

# Folds by task: every task has rows in every training part.
FOLDS = TaskKFold(3, random_state=0, task_column="task")
SCORE = "neg_root_mean_squared_error"


def random_search(X: pd.DataFrame, y: pd.Series, n_trials: int) -> dict[str, Any]:
    """Settings drawn at random; strengths evenly over their logarithms."""
    space = {
        "n_latent": randint(3, 8),
        "gamma1": loguniform(2**-8, 2**2),
        "gamma2": loguniform(2**-8, 2**2),
    }
    search = RandomizedSearchCV(
        VSTGRegressor("task", k=1), space, n_iter=n_trials, cv=FOLDS, scoring=SCORE,
        random_state=0,
    )  # fmt: skip
    return search.fit(X, y).best_params_


def bayesian_search(X: pd.DataFrame, y: pd.Series, n_trials: int) -> dict[str, Any]:
    """Settings proposed by optuna, which learns from those tried before."""
    import optuna

    def error(trial: optuna.Trial) -> float:
        model = VSTGRegressor(
            "task",
            k=1,
            n_latent=trial.suggest_int("n_latent", 3, 7),
            gamma1=trial.suggest_float("gamma1", 2**-8, 2**2, log=True),
            gamma2=trial.suggest_float("gamma2", 2**-8, 2**2, log=True),
        )
        return float(-cross_val_score(model, X, y, cv=FOLDS, scoring=SCORE).mean())

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=0))
    study.optimize(error, n_trials=n_trials)
    return study.best_params


def main(n_trials: int, *, with_optuna: bool) -> None:
    """Search on Syn1 and evaluate what was found on new rows."""
    syn = make_syn(1, random_state=0)
    train, test = syn.train.to_frame(), syn.test.to_frame()
    X, y = train.drop(columns="target"), train["target"]
    found = (bayesian_search if with_optuna else random_search)(X, y, n_trials)
    print(f"best of {n_trials} settings: {found}")
    model = VSTGRegressor("task", k=1, **found).fit(X, y)
    errors = test["target"] - model.predict(test.drop(columns="target"))
    print(f"RMSE on new rows: {np.sqrt((errors**2).mean()):.3f}")
    print("variables kept:", len(model.selected_features_), "of", X.shape[1] - 1)
    print("groups of tasks:", len(model.groups_))


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--trials", type=int, default=30)
    parser.add_argument("--optuna", action="store_true", help="Bayesian search")
    args = parser.parse_args()
    main(args.trials, with_optuna=args.optuna)
