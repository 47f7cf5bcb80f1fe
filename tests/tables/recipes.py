"""Recipes drawn at random."""

from hypothesis import strategies as st

from vstg.tables import Recipe

names = st.text(min_size=1, max_size=5)
recipes = st.builds(
    Recipe,
    layout=st.just("long"),
    task=st.none() | names,
    targets=st.tuples(names),
    features=st.none() | st.lists(names, max_size=3).map(tuple),
    problem=st.sampled_from(["regression", "classification"]),
    positive=st.none() | names,
    categories=st.sampled_from(["one-hot", "leave out"]),
    missing=st.sampled_from(["drop", "mean", "median"]),
    scaling=st.sampled_from(["none", "max", "standard"]),
    test_size=st.floats(0, 0.99),
    seed=st.integers(0, 2**31),
    drop_constant=st.booleans(),
    drop_duplicates=st.booleans(),
    min_rows=st.integers(2, 50),
    weight=st.none() | names,
    task_weights=st.lists(st.tuples(names, st.floats(0.1, 9)), max_size=2).map(tuple),
)
