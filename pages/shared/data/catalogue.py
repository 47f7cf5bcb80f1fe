"""The data sets that a visitor can choose: synthetic ones, and their own.

Both kinds answer the same questions (name, shape, data set, Python code), so that
everything after the choice treats them alike.
"""

from dataclasses import dataclass, replace
from functools import cache

import streamlit as st

from pages.shared.state import keys
from pages.shared.state.parameters import SHOPS, SIZES, SYN, YOURS
from vstg.data import Dataset
from vstg.datasets import load_sample, make_syn
from vstg.tables import Prepared, Table, prepare, read_table

N_TEST = 100


@dataclass(frozen=True)
class SyntheticData:
    """One of Syn1 to Syn4; equal choices give equal data."""

    source: str
    size: str
    seed: int
    n_train: int
    noise: float

    private = False
    effort = 1.0
    solver_options = ""

    @property
    def name(self) -> str:
        """Short enough for a table."""
        return f"{self.source}, {self.size}, seed {self.seed}"

    @property
    def shape(self) -> tuple[int, int]:
        """D and T, known before the data are drawn."""
        return SIZES[self.size][:2]

    def load(self) -> Dataset:
        """Draw the data."""
        n_variables, n_tasks, n_latent = SIZES[self.size]
        return make_syn(
            int(self.source.removeprefix("Syn")),
            n_train=self.n_train,
            n_test=N_TEST,
            noise=self.noise,
            n_features=n_variables,
            n_tasks=n_tasks,
            n_latent=n_latent,
            random_state=self.seed,
        )

    def python(self) -> tuple[str, str]:
        """Imports, and statements after which ``train`` is the training data."""
        n_variables, n_tasks, n_latent = SIZES[self.size]
        statement = (
            f"syn = make_syn({self.source.removeprefix('Syn')}, "
            f"n_train={self.n_train}, n_test={N_TEST}, noise={self.noise},\n"
            f"               n_features={n_variables}, n_tasks={n_tasks}, "
            f"n_latent={n_latent}, random_state={self.seed})\n"
            "train = syn.train"
        )
        return "from vstg.datasets import make_syn", statement


@dataclass(frozen=True, eq=False)
class OwnData:
    """A visitor's own data: a prepared table, or a data set of the library.

    It is its own identity: what was fitted on one record belongs to that record only.
    """

    dataset: Dataset
    imports: str
    statements: str
    table: Table | None = None
    prepared: Prepared | None = None
    uploaded: bool = False  # nobody else has it
    of_run: int | None = None  # taken from the store of runs, which has no test rows
    instead_of: str = ""  # the visitor's own data that this took the place of

    private = True

    @property
    def name(self) -> str:
        """Of the file or the data set."""
        return self.dataset.name

    @property
    def shape(self) -> tuple[int, int]:
        """D and T."""
        return self.dataset.train.n_features, self.dataset.train.n_tasks

    @property
    def effort(self) -> float:
        """How much longer a fit takes than the size of the problem says.

        The logistic loss goes through all rows at every step, the squared does not.
        """
        train = self.dataset.train
        if self.dataset.loss == "squared":
            return 1.0
        rows = train.n_rows * train.n_features
        return max(1.0, 4.0 * rows / (train.n_tasks * train.n_features**2))

    @property
    def solver_options(self) -> str:
        """The further arguments of solve_vstg, as Python writes them."""
        options = ""
        if self.dataset.loss != "squared":
            options += f",\n                    loss={self.dataset.loss!r}"
        if self.dataset.fit_intercept:
            options += ", fit_intercept=True"
        if self.dataset.allow_constant:
            options += ", allow_constant=True"
        return options

    def load(self) -> Dataset:
        """The data, which are here already."""
        return self.dataset

    def python(self) -> tuple[str, str]:
        """Imports, and statements after which ``train`` is the training data."""
        return self.imports, self.statements


@dataclass(frozen=True, eq=False)
class SharedTable(OwnData):
    """A table that everybody has: what is fitted on it is remembered for all."""

    private = False


DataChoice = SyntheticData | OwnData


@cache
def shops() -> SharedTable:
    """The story that Explore opens with, prepared as the Data page proposes."""
    sample = load_sample("shops")
    table = read_table(sample.path)
    prepared = prepare(table, sample.recipe)
    return SharedTable(
        prepared.to_dataset(SHOPS),
        "from vstg.datasets import load_sample",
        'shops = load_sample("shops").to_dataset()\n'
        "train, test = shops.train, shops.test",
        table,
        prepared,
    )


def own_of_table(table: Table, prepared: Prepared, *, uploaded: bool = True) -> OwnData:
    """A table of the visitor, or a sample that everybody has, prepared."""
    options = "".join(f", {key}={value!r}" for key, value in table.options.items())
    statements = (
        f"table = read_table({table.name!r}{options})\n"
        f"recipe = {prepared.recipe.python()}\n"
        "prepared = prepare(table, recipe)\n"
        "train, test = prepared.train, prepared.test"
    )
    imports = "from vstg.tables import Recipe, prepare, read_table"
    dataset = prepared.to_dataset(table.name)
    return OwnData(dataset, imports, statements, table, prepared, uploaded)


def own_of_dataset(dataset: Dataset, call: str) -> OwnData:
    """A data set of the library; ``call`` is how Python gets it."""
    imports = f"from vstg.datasets import {call.partition('(')[0]}"
    statements = f"real = {call}\ntrain, test = real.train, real.test"
    return OwnData(replace(dataset, fit_intercept=True), imports, statements)


def own_of_run(dataset: Dataset, run: int, instead_of: str) -> OwnData:
    """The data of a run, as the store has them."""
    digest = dataset.train.fingerprint
    statements = f"train = test = Store().data({digest!r})  # of run {run}"
    imports = "from vstg.jobs import Store"
    return OwnData(
        dataset, imports, statements, of_run=run, instead_of=instead_of, uploaded=True
    )


def own_data() -> OwnData | None:
    """Return the visitor's own data, if there are any."""
    return st.session_state.get(keys.OWN_DATA)


def names() -> tuple[str, ...]:
    """Return the data sets that this visitor can choose from."""
    return (SHOPS, *SYN) if own_data() is None else (SHOPS, *SYN, YOURS)
