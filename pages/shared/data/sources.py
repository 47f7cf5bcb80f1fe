"""Where data come from: one entry a source, and the picker shows them all.

A new source is an entry of ``SOURCES`` and a name in the registry's parameter ``data``.
A visitor's own data are one more source, which lives and ends with the session.
"""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages.shared.state.parameters import SIZES
from vstg.data import Array, MultiTaskData
from vstg.datasets import make_syn

N_TEST = 100
YOURS = "Yours"
OWN_KEY = "own_source"


@dataclass(frozen=True)
class DataChoice:
    """Which data; equal choices give equal data."""

    source: str
    size: str
    seed: int
    n_train: int
    noise: float

    @property
    def shape(self) -> tuple[int, int]:
        """D and T, known before the data are loaded."""
        return find_source(self.source).shape(self)

    @property
    def private(self) -> bool:
        """Whether the data belong to one visitor, and so must not be shared."""
        return self.source == YOURS


@dataclass(frozen=True, eq=False)
class Truth:
    """What the data were drawn from."""

    U: Array
    V: Array
    noise: float

    @property
    def W(self) -> Array:
        """True coefficients."""
        return self.U @ self.V


@dataclass(frozen=True, eq=False)
class Loaded:
    """Data ready to fit, with the truth where it is known.

    ``loss``, ``fit_intercept`` and ``allow_constant`` are what the solver is told.
    """

    train: MultiTaskData
    test: MultiTaskData
    truth: Truth | None = None
    loss: str = "squared"
    fit_intercept: bool = False
    allow_constant: bool = False


@dataclass(frozen=True)
class Source:
    """How to get data, and the Python lines that do the same.

    ``python`` gives the imports and the statements, after which ``train`` is the
    training data; ``controls`` are the data controls that mean something here;
    ``effort`` is how much longer a fit takes than the size of the problem says;
    ``solver`` are the further arguments of solve_vstg, as Python writes them.
    """

    load: Callable[[DataChoice], Loaded]
    shape: Callable[[DataChoice], tuple[int, int]]
    python: Callable[[DataChoice], tuple[str, str]]
    controls: frozenset[str] = frozenset()
    effort: float = 1.0
    solver: str = ""


def load_synthetic(choice: DataChoice) -> Loaded:
    """One of Syn1 to Syn4."""
    n_variables, n_tasks, n_latent = SIZES[choice.size]
    syn = make_syn(
        int(choice.source.removeprefix("Syn")),
        n_train=choice.n_train,
        n_test=N_TEST,
        noise=choice.noise,
        n_features=n_variables,
        n_tasks=n_tasks,
        n_latent=n_latent,
        random_state=choice.seed,
    )
    return Loaded(syn.train, syn.test, Truth(syn.U, syn.V, choice.noise))


def synthetic_python(choice: DataChoice) -> tuple[str, str]:
    """The call of make_syn that gives these data."""
    n_variables, n_tasks, n_latent = SIZES[choice.size]
    number = choice.source.removeprefix("Syn")
    statement = (
        f"syn = make_syn({number}, n_train={choice.n_train}, n_test={N_TEST}, "
        f"noise={choice.noise},\n"
        f"               n_features={n_variables}, n_tasks={n_tasks}, "
        f"n_latent={n_latent}, random_state={choice.seed})\n"
        "train = syn.train"
    )
    return "from vstg.datasets import make_syn", statement


def synthetic_shape(choice: DataChoice) -> tuple[int, int]:
    """D and T of the chosen size."""
    return SIZES[choice.size][:2]


SYNTHETIC = Source(
    load_synthetic,
    synthetic_shape,
    synthetic_python,
    frozenset(("seed", "size", "n", "noise")),
)
SOURCES: dict[str, Source] = dict.fromkeys(("Syn1", "Syn2", "Syn3", "Syn4"), SYNTHETIC)


def names() -> tuple[str, ...]:
    """The sources that this visitor can choose from."""
    return (*SOURCES, *((YOURS,) if OWN_KEY in st.session_state else ()))


def find_source(name: str) -> Source:
    """A source by its name, the visitor's own among them."""
    return st.session_state[OWN_KEY] if name == YOURS else SOURCES[name]


def load(choice: DataChoice) -> Loaded:
    """The data of a choice."""
    return find_source(choice.source).load(choice)
