"""From your own table to a tuned model, its variables, and predictions.

python examples/tune_own_table.py                       # the shops of sample_data
python examples/tune_own_table.py my.csv --task plant --target output
"""

from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path

from vstg import solve_vstg
from vstg.datasets import load_sample
from vstg.inspection import variables_frame
from vstg.model_selection import compare_with_plain, search_grid
from vstg.prediction import Predictor
from vstg.tables import Preparation, prepare, read_table, report, suggest_recipe

GRID = {
    "n_latent": (3, 5),
    "k": (1, 2),
    "gamma1": (2**-6, 2**-4, 2**-2),
    "gamma2": (2**-6, 2**-4, 2**-2),
}


def main(path: Path, task: str | None, target: str | None, folder: Path) -> None:
    """Read, inspect, choose by cross-validation, evaluate, save."""
    table = read_table(path)
    recipe = replace(suggest_recipe(table), missing="median", problem="regression")
    if task is not None and target is not None:
        recipe = replace(recipe, layout="long", task=task, targets=(target,))
    for finding in report(table, recipe).findings:
        print("note:", finding.words)
    data = prepare(table, recipe)
    assert data.test is not None

    search = search_grid(data.train, "vstg", GRID, cv=5, fit_intercept=True)
    print(f"chosen setting, the sparsest within one standard error: {search.one_se}")
    fit = solve_vstg(data.train, fit_intercept=True, n_init=5, **search.one_se)

    good = compare_with_plain(fit, data.train, data.test)
    print(f"RMSE on the test rows: {good.model.errors.mean:.1f}")
    for name, error in good.baselines.items():
        print(f"RMSE of {name}: {error:.1f}")
    print(good.sentence())
    variables = variables_frame(fit.U, data.train.feature_names)
    print("variables kept:", ", ".join(variables.index[variables["selected"]]))
    print("variables dropped:", ", ".join(variables.index[~variables["selected"]]))

    model = Predictor.of(fit, data.train, preparation=Preparation.of(data))
    model.save(folder / "model.npz")
    print("prediction of the first row:", *model.predict(table.frame.head(1)).iloc[0])
    print("model file, for the Predict page and vstg predict: model.npz")


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    shops = load_sample("shops").path
    parser.add_argument("table", type=Path, nargs="?", default=shops)
    parser.add_argument("--task", help="column that names the task")
    parser.add_argument("--target", help="column to predict")
    parser.add_argument("--output", type=Path, default=Path(), help="folder")
    arguments = parser.parse_args()
    main(arguments.table, arguments.task, arguments.target, arguments.output)
