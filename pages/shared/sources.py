"""Where data come from: one entry a source, and the picker shows them all.

A new source is an entry of ``SOURCES`` and a name in the registry's parameter ``data``.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pages.shared.registry import SIZES
from vstg.data import Array, MultiTaskData
from vstg.datasets import make_syn

N_TEST = 100


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
        return SOURCES[self.source].shape(self)


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
    """Data ready to fit, with the truth where it is known."""

    train: MultiTaskData
    test: MultiTaskData
    truth: Truth | None = None


@dataclass(frozen=True)
class Source:
    """How to get data, and the Python lines that do the same.

    ``python`` gives the imports and the statements, after which ``train`` is the
    training data; ``controls`` are the data controls that mean something here.
    """

    load: Callable[[DataChoice], Loaded]
    shape: Callable[[DataChoice], tuple[int, int]]
    python: Callable[[DataChoice], tuple[str, str]]
    controls: frozenset[str] = frozenset()


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


def load(choice: DataChoice) -> Loaded:
    """The data of a choice."""
    return SOURCES[choice.source].load(choice)
