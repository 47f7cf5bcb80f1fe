"""The stories of sample_data: discover finds what each table was made with."""

from dataclasses import replace

import pytest

from scripts import make_sample_data as made
from vstg import discover
from vstg.datasets import load_sample
from vstg.tables import prepare, read_table

TASTERS = {f"taster_{j + 1}": made.TASTES[j % len(made.TASTES)] for j in range(18)}
STORIES = {
    "shops": (made.SHOP_BASES, made.SHOP_KINDS),
    "wards": (made.WARD_BASES, made.WARD_KINDS),
    "machines": (made.MACHINE_BASES, made.MACHINE_KINDS),
    "wines": (made.WINE_BASES, TASTERS),
}


def rows_of(name):
    """All rows of the table, without the names of the wines."""
    sample = load_sample(name)
    taken = {sample.task, *sample.targets, "wine"}
    features = tuple(c for c in sample.frame.columns if c not in taken)
    recipe = replace(sample.recipe, features=features, scaling="none", test_size=0.0)
    return prepare(read_table(sample.path), recipe).train


@pytest.mark.parametrize(
    "name",
    ["shops", "wards", "wines", pytest.param("machines", marks=pytest.mark.slow)],
)
def test_variables_groups_and_bases_are_those_of_the_story(name):
    bases, kinds = STORIES[name]
    data = rows_of(name)
    found = discover(data, cv=2, n_resamples=0, n_jobs=2)
    assert set(found.kept) == {variable for base in bases.values() for variable in base}
    assert found.n_bases == len(bases)
    own = {
        task: kinds[task if task in kinds else task.split()[0]]
        for task in data.task_names
    }
    for group in found.groups:
        story = own[group.tasks[0]]
        assert {own[task] for task in group.tasks} == {story}
        assert len(group.tasks) == list(own.values()).count(story)
        assert len(group.bases) == len(story)
        assert set(group.variables) == {v for base in story for v in bases[base]}
