"""Data drawn at random: whatever sizes, values and names."""

from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vstg.data import MultiTaskData

FINITE = st.floats(-1e6, 1e6)


@st.composite
def multi_task_data(draw):
    """Draw one to four tasks of one to five rows on one to three variables."""
    n_features = draw(st.integers(1, 3))
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    names = st.text(st.characters(codec="utf-8"), max_size=6)
    tasks = draw(st.lists(names, min_size=len(sizes), max_size=len(sizes), unique=True))
    return MultiTaskData(
        X=[draw(arrays(float, (n, n_features), elements=FINITE)) for n in sizes],
        y=[draw(arrays(float, n, elements=FINITE)) for n in sizes],
        task_names=tasks,
    )
