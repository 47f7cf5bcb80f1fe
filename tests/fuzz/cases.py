"""How cases are drawn: a few in every test run, thousands in the slow one."""

import json
from functools import wraps

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ODD = (
    "", " ", "0", "-1", "²", "٣", "1e999", "nan", "-inf", "9" * 400, "a" * 3000, "\x00",
    "\u202egnp", "<img src=x onerror=alert(1)>", "../../etc/passwd", "~nobody/x",
    "=1+1", "{}", "[]", "null", "true",
    "%s", "{0}", "'; DROP TABLE runs;--", "\U0001f600", "é\u0301",
)  # fmt: skip
text = st.sampled_from(ODD) | st.text(
    st.characters(exclude_categories=("Cs",)), max_size=12
)
leaf = (
    st.none() | st.booleans() | st.integers() | st.integers(-3, 30)
    | st.floats(width=64) | text
)  # fmt: skip
tree = leaf | st.recursive(
    leaf,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3)
    ),
    max_leaves=6,
)


def cases(strategy, *, few, many):
    """Run a property a few times, and many times if slow tests are wanted."""

    def decorate(check):
        def property_of(n_cases):
            how = settings(
                max_examples=n_cases, deadline=None, derandomize=True, database=None,
                suppress_health_check=list(HealthCheck),
            )  # fmt: skip
            seen = 0

            @wraps(check)
            def counted(**case):
                nonlocal seen
                seen += 1
                check(**case)

            def fuzzed():
                how(given(strategy)(counted))()
                assert seen >= n_cases  # as many as the documentation says

            return fuzzed

        def run(fuzzed):
            fuzzed()

        return pytest.mark.parametrize(
            "fuzzed",
            [
                pytest.param(property_of(few), id=f"{few} cases"),
                pytest.param(
                    property_of(many), id=f"{many} cases", marks=pytest.mark.slow
                ),
            ],
        )(run)

    return decorate


def damaged(content):
    """Bytes of a good file with some changed, cut or put in."""

    @st.composite
    def draw(pick):
        found = bytearray(content)
        for _ in range(pick(st.integers(1, 5))):
            place = pick(st.integers(0, max(len(found) - 1, 0)))
            match pick(st.integers(0, 3)):
                case 0 if found:
                    found[place] = pick(st.integers(0, 255))
                case 1:
                    found[place:place] = pick(st.binary(max_size=8))
                case 2:
                    del found[place : place + pick(st.integers(1, 40))]
                case _ if found:
                    found[place] ^= 1 << pick(st.integers(0, 7))
        return bytes(found)

    return draw()


def places(value, path=()):
    """Where something stands in a value of JSON."""
    yield path
    if isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*path, key))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from places(part, (*path, number))


def changed(value):
    """A value of JSON with one or two of its parts replaced or taken away."""
    known = [place for place in places(value) if place]

    @st.composite
    def draw(pick):
        found = json.loads(json.dumps(value))
        for _ in range(pick(st.integers(1, 2))):
            *way, last = pick(st.sampled_from(known))
            inner = found
            try:
                for step in way:
                    inner = inner[step]
                if pick(st.booleans()) or isinstance(inner, list):
                    inner[last] = pick(tree)
                else:
                    del inner[last]
            except (KeyError, IndexError, TypeError):
                continue  # the first change took the place of the second away
        return found

    return draw()
