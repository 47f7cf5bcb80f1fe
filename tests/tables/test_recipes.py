"""Recipes check themselves, and survive JSON and Python."""

import pytest
from hypothesis import given
from recipes import recipes

from vstg.tables import Recipe, TableError


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"layout": "round"}, "layout='round' must be one of long, wide, classes"),
        ({"test_size": 1.0}, "test_size"),
        ({"min_rows": 1}, "min_rows"),
        ({"layout": "wide", "task": "a"}, "no task column"),
        ({"targets": ("a", "b")}, "one target"),
        ({"layout": "classes"}, "for classification"),
    ],
)
def test_recipes_check_themselves(arguments, words):
    with pytest.raises(TableError, match=words):
        Recipe(**arguments)


@given(recipes)
def test_recipes_survive_json_and_python(recipe):
    assert Recipe.from_json(recipe.to_json()) == recipe
    assert eval(recipe.python(), {"Recipe": Recipe}) == recipe


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a recipe"),
        ("[1]", "not a recipe"),
        ('{"version": 2}', "version 2"),
        ('{"version": 1, "colour": 1}', "no 'colour'"),
        ('{"version": 1, "seed": "x"}', "seed='x'"),
        ('{"version": 1, "targets": "y"}', "targets='y'"),
        ('{"version": 1, "drop_constant": 1}', "drop_constant"),
        ('{"version": 1, "scaling": "log"}', "scaling='log'"),
    ],
)
def test_other_json_is_no_recipe(text, words):
    with pytest.raises(TableError, match=words):
        Recipe.from_json(text)
