"""Fits on the sample tables, as several tests make them."""

from vstg import solve_vstg
from vstg.datasets import load_sample
from vstg.solvers.result import VSTGResult
from vstg.tables import Prepared, Recipe, Table, prepare, read_table


def fit_sample(
    name: str, gamma: float, **choices: str
) -> tuple[VSTGResult, Prepared, Table]:
    """A model of a sample, its prepared data and its table."""
    sample = load_sample(name)
    table = read_table(sample.path)
    recipe = Recipe(
        sample.layout,
        sample.task,
        sample.targets,
        problem=sample.problem,
        missing="median",
        **choices,
    )
    data = prepare(table, recipe)
    result = solve_vstg(
        data.train,
        loss=data.loss,
        n_latent=4,
        k=2,
        gamma1=gamma,
        gamma2=gamma,
        fit_intercept=True,
    )
    return result, data, table
