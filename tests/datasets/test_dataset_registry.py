"""One registry: what it says of a data set is what loading it gives."""

import pytest

from vstg.data import Dataset
from vstg.datasets import DATASETS, SAMPLES, get_dataset, make_syn
from vstg.datasets.registry import sizes_of
from vstg.problem import Problem
from vstg.reproduction import BENCHMARKS

AT_HAND = [entry.name for entry in DATASETS.values() if not entry.needs_files]


@pytest.mark.parametrize("name", AT_HAND)
def test_a_data_set_is_as_large_as_the_registry_says(name):
    entry = get_dataset(name)
    data = entry.load(0)
    assert isinstance(data, Dataset)
    assert data.name == entry.title
    assert sizes_of(data) == entry.sizes
    assert Problem.of_dataset(data).n_tasks == data.train.n_tasks


@pytest.mark.parametrize("name", ["syn2", "shops", "digits"])
def test_a_repetition_is_drawn_by_its_number(name):
    first, same, other = (get_dataset(name).load(r) for r in (0, 0, 1))
    assert first.train.fingerprint == same.train.fingerprint
    assert first.train.fingerprint != other.train.fingerprint


def test_every_set_has_one_name_and_one_label():
    titles = [entry.title for entry in DATASETS.values()]
    assert len(set(titles)) == len(titles)
    assert set(SAMPLES) <= set(DATASETS)
    for benchmark in BENCHMARKS.values():
        assert benchmark.entry is DATASETS[benchmark.entry.name]
        assert benchmark.label.startswith(benchmark.entry.title)


def test_synthetic_data_bring_their_truth_and_how_to_draw_them_again():
    syn = get_dataset("syn3").load(7)
    again = make_syn(**syn.options)
    assert syn.truth is not None
    assert (syn.truth.W == again.W).all()
    assert syn.train.fingerprint == again.train.fingerprint
    assert syn.truth.groups == again.groups


def test_an_unknown_name_is_rejected_with_the_names_there_are():
    with pytest.raises(ValueError, match=r"no data set 'moon'; there are syn1, .*"):
        get_dataset("moon")
