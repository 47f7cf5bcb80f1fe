"""Data sets: the paper's synthetic problems, its real data sets, and sample tables."""

from vstg.datasets.cache import get_data_home
from vstg.datasets.digits import fetch_mnist, fetch_usps, load_digits_tasks
from vstg.datasets.download import FetchError
from vstg.datasets.registry import DATASETS, DatasetEntry, get_dataset
from vstg.datasets.regression import fetch_computer, fetch_parkinsons, fetch_school
from vstg.datasets.samples import SAMPLES, Sample, load_sample
from vstg.datasets.synthetic import SyntheticDataset, make_syn

__all__ = [
    "DATASETS",
    "SAMPLES",
    "DatasetEntry",
    "FetchError",
    "Sample",
    "SyntheticDataset",
    "fetch_computer",
    "fetch_mnist",
    "fetch_parkinsons",
    "fetch_school",
    "fetch_usps",
    "get_data_home",
    "get_dataset",
    "load_digits_tasks",
    "load_sample",
    "make_syn",
]
