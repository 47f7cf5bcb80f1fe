"""The real data sets against the known counts, where their files are."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from real_files import FILES, needs_files

from vstg.data import DataError, MultiTaskData, check_targets
from vstg.datasets import (
    FetchError,
    fetch_computer,
    fetch_mnist,
    fetch_parkinsons,
    fetch_school,
    fetch_usps,
    load_digits_tasks,
)
from vstg.datasets.digit_files import USPS_COUNTS
from vstg.datasets.digits import principal_components
from vstg.datasets.registry import DATASETS, sizes_of
from vstg.datasets.scaling import scale_by_training_maximum

REAL = [entry.name for entry in DATASETS.values() if entry.needs_files]


@pytest.fixture
def local(tmp_path):
    return {
        "data_dir": FILES,
        "data_home": tmp_path,
        "download_if_missing": False,
    }


# name, fetcher, tasks, variables, training, validation and test rows of all tasks
TABLE = [
    ("School exam", fetch_school, 139, 28, 11472, None, 3890),
    ("School exam", partial(fetch_school, split="authors"), 139, 28, 11472, None, 3890),
    ("Parkinson", fetch_parkinsons, 42, 19, 4390, None, 1485),
    ("Computer survey", fetch_computer, 190, 14, 190 * 15, None, 190 * 5),
    ("USPS", fetch_usps, 10, 87, 10_000, 5000, 5000),
    ("MNIST", fetch_mnist, 10, 64, 10_000, 5000, 5000),
]


@needs_files
@pytest.mark.parametrize(
    ("name", "fetch", "n_tasks", "n_features", "n_train", "n_validation", "n_test"),
    TABLE,
    ids=["School", "School, authors' split", *(row[0] for row in TABLE[2:])],
)
def test_loaders_give_the_known_counts(
    local, name, fetch, n_tasks, n_features, n_train, n_validation, n_test
):
    real = fetch(**local)
    assert real.name == name
    known = next(known for known in DATASETS.values() if known.title == name)
    assert sizes_of(real) == known.sizes
    assert (real.train.n_tasks, real.train.n_features) == (n_tasks, n_features)
    assert (real.train.n_rows, real.test.n_rows) == (n_train, n_test)
    rows = None if real.validation is None else real.validation.n_rows
    assert rows == n_validation
    classes = real.kind == "classification"
    assert real.loss == ("logistic" if classes else "squared")
    check_targets(
        real.train, classification=classes, allow_constant=real.allow_constant
    )
    largest = np.max([np.abs(X).max(axis=0) for X in real.train.X], axis=0)
    np.testing.assert_allclose(largest[real.scale != 1], 1.0)
    if not classes:  # of digits the pixels are scaled, not their components
        assert largest.max() <= 1.0


@needs_files
@pytest.mark.parametrize("name", REAL)
def test_files_are_what_their_publishers_say(local, name):
    assert DATASETS[name].count_contents(**local) == DATASETS[name].contents


def test_the_page_on_data_has_the_sizes_of_every_set():
    page = (Path(__file__).parents[2] / "docs" / "data.md").read_text("utf-8")
    for known in (DATASETS[name] for name in REAL):
        tasks, variables, *rows = (size.split()[0] for size in known.sizes)
        call = f"`{known.loader.__name__}`"
        assert f"| {call} | {tasks} | {variables} | {' / '.join(rows)}" in page


@needs_files
def test_computer_survey_may_be_two_tables(tmp_path, local):
    for name in ("computer_design.csv", "computer_ratings.csv"):
        (tmp_path / name).write_bytes((FILES / "computer" / name).read_bytes())
    elsewhere = {**local, "data_dir": tmp_path, "data_home": tmp_path / "home"}
    tables, matlab = fetch_computer(**elsewhere), fetch_computer(**local)
    assert tables.train.fingerprint == matlab.train.fingerprint
    assert tables.test.fingerprint == matlab.test.fingerprint
    (tmp_path / "computer_ratings.csv").write_text("a,b\n1,2\n")
    with pytest.raises(FetchError, match="190 × 20 ratings: replace the files"):
        fetch_computer(**elsewhere)


def test_usps_as_hdf5_is_refused_with_what_would_do(tmp_path):
    (tmp_path / "usps").mkdir()
    (tmp_path / "usps" / "usps.h5").write_bytes(b"\x89HDF\r\n\x1a\n")
    where = {"data_dir": tmp_path, "data_home": tmp_path / "home"}
    with pytest.raises(FetchError, match=r"HDF5 file, which is not read: .*usps\.npz"):
        fetch_usps(**where)


@needs_files
def test_school_has_the_published_values(local):
    real = fetch_school(scale=False, **local)
    y = np.concatenate([*real.train.y, *real.test.y])
    assert len(y) == 15362
    assert (y.min(), y.max()) == (1, 70)
    assert y.mean() == pytest.approx(20.597, abs=5e-4)
    assert y.std() == pytest.approx(12.721, abs=5e-4)  # bytes would have wrapped
    sizes = real.train.n_samples + real.test.n_samples
    assert (sizes.min(), sizes.max()) == (22, 251)
    X = np.concatenate([*real.train.X, *real.test.X])
    assert [X[:, i].max() for i in (3, 4)] == [91, 43]
    binary = [i for i in range(28) if set(np.unique(X[:, i])) <= {0.0, 1.0}]
    assert sorted(set(range(28)) - set(binary)) == [3, 4]
    assert (X[:, 27] == 1).all()


@needs_files
def test_the_authors_split_is_a_split_of_the_same_pupils(local):
    ours = fetch_school(scale=False, **local)
    theirs = fetch_school(scale=False, split="authors", **local)
    np.testing.assert_array_equal(ours.train.n_samples, theirs.train.n_samples)
    for j in (0, 70, 138):
        both = [
            np.column_stack(
                [
                    np.concatenate([r.train.X[j], r.test.X[j]]),
                    np.concatenate([r.train.y[j], r.test.y[j]]),
                ]
            )
            for r in (ours, theirs)
        ]
        first, second = (rows[np.lexsort(rows.T)] for rows in both)
        np.testing.assert_array_equal(first, second)


@needs_files
def test_parkinsons_has_the_published_values(local):
    real = fetch_parkinsons(scale=False, **local)
    y = np.concatenate([*real.train.y, *real.test.y])
    assert len(y) == 5875
    assert y.mean() == pytest.approx(21.296, abs=5e-4)
    sizes = real.train.n_samples + real.test.n_samples
    assert (sizes.min(), sizes.max()) == (101, 168)
    assert real.train.feature_names[:3] == ("age", "sex", "test_time")
    assert "total_UPDRS" not in real.train.feature_names
    assert fetch_parkinsons(bias=True, **local).train.feature_names[-1] == "bias"


@needs_files
def test_computer_shares_the_design_and_has_one_constant_person(local):
    real = fetch_computer(**local)
    assert real.train.shared_X
    assert (real.train.n_samples == 15).all()
    assert (real.test.n_samples == 5).all()
    assert set(np.unique(real.train.X[0][:, :13])) == {-1.0, 1.0}
    assert (real.train.X[0][:, 13] == 1).all()
    ratings = np.concatenate([*real.train.y, *real.test.y])
    assert ratings.mean() == pytest.approx(4.752, abs=5e-4)
    assert real.allow_constant
    with pytest.raises(DataError, match="in all its 15 rows"):
        check_targets(real.train)


@needs_files
def test_usps_digits_are_the_digits_of_the_source(local):
    with np.load(FILES / "usps/usps.npz") as arrays:
        for part, counts in zip(("train", "test"), USPS_COUNTS, strict=True):
            np.testing.assert_array_equal(np.bincount(arrays[f"y_{part}"]), counts)
        X_test, y_test = arrays["X_test"], arrays["y_test"]
        reduce = principal_components(arrays["X_train"], 87)
        kept = reduce(arrays["X_train"]).var(axis=0).sum()
        share = kept / arrays["X_train"].astype(float).var(axis=0).sum()
    assert share == pytest.approx(0.949, abs=1e-3)
    real = fetch_usps(scale=False, **local)
    rows = [np.round(row, 6).tobytes() for row in reduce(X_test)]
    known = dict(zip(rows, y_test, strict=True))
    for part in (real.validation, real.test):
        labels = [known[np.round(row, 6).tobytes()] for row in part.X[0]]
        np.testing.assert_array_equal(np.stack(part.y).argmax(axis=0), labels)
        assert (np.stack(part.y).sum(axis=0) == -8).all()  # one class a row
    both = np.concatenate([real.validation.X[0], real.test.X[0]])
    assert len(np.unique(both, axis=0)) == 1000  # drawn without replacement


@needs_files
@pytest.mark.parametrize("fetch", [fetch_school, fetch_computer, fetch_usps])
def test_repetitions_differ_and_can_be_had_again(local, fetch):
    prints = [fetch(random_state=r, **local).train.fingerprint for r in (0, 1, 0)]
    assert prints[0] == prints[2]
    assert prints[0] != prints[1]


@needs_files
def test_components_of_the_drawn_rows_only_are_an_option(local):
    all_rows = fetch_usps(**local)
    drawn = fetch_usps(pca_on="drawn", **local)
    assert all_rows.train.fingerprint != drawn.train.fingerprint
    np.testing.assert_array_equal(all_rows.train.y, drawn.train.y)
    with pytest.raises(ValueError, match="pca_on='all'"):
        fetch_usps(pca_on="all", **local)
    with pytest.raises(ValueError, match="n_components=300"):
        fetch_usps(n_components=300, **local)


@needs_files
def test_components_may_be_scaled_instead_of_pixels(local):
    """USPS's pixels fill [-1, 1], so that dividing by their maxima changes nothing."""
    pixels, raw = fetch_usps(**local), fetch_usps(scale=False, **local)
    np.testing.assert_allclose(pixels.train.X[0], raw.train.X[0], rtol=1e-12)
    components = fetch_usps(scaled="components", **local)
    assert np.abs(components.train.X[0]).max() == 1.0 < np.abs(raw.train.X[0]).max()
    with pytest.raises(ValueError, match="scaled='rows'"):
        fetch_usps(scaled="rows", **local)


def test_a_foreign_usps_archive_is_refused(tmp_path):
    images = {"X_train": np.zeros((9, 256)), "X_test": np.zeros((9, 256))}
    labels = {"y_train": np.arange(9), "y_test": np.arange(9)}
    np.savez(tmp_path / "usps.npz", **images, **labels)
    with pytest.raises(FetchError, match=r"usps\.npz.*replace the file"):
        fetch_usps(data_dir=tmp_path, data_home=tmp_path / "home")


def test_digits_need_no_download():
    digits = load_digits_tasks()
    assert (digits.train.n_tasks, digits.train.n_features) == (10, 64)
    assert digits.train.n_samples[0] + digits.test.n_samples[0] == 1797
    assert digits.train.shared_X
    check_targets(digits.train, classification=True)
    shares = [np.mean(np.stack(part.y) > 0, axis=1) for part in (digits.train,)]
    assert np.ptp(shares) < 0.01
    assert load_digits_tasks(bias=True).train.feature_names[-1] == "bias"


def test_principal_components_are_scikit_learns(rng):
    from sklearn.decomposition import PCA

    X = rng.integers(0, 255, size=(60, 12)).astype(np.uint8)
    for divisor in (1.0, X.max(axis=0)):
        ours = principal_components(X, 4, divisor)(X)
        theirs = PCA(4).fit_transform(X / divisor)
        np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-9)


def test_the_test_part_is_divided_by_the_training_maximum():
    train = MultiTaskData([[[2.0, 0.0], [-4.0, 0.0]]], [[1.0, 2.0]])
    test = MultiTaskData([[[8.0, 3.0]]], [[1.0]])
    scale, (first, second) = scale_by_training_maximum(train, test)
    np.testing.assert_array_equal(scale, [4.0, 1.0])
    np.testing.assert_array_equal(first.X[0], [[0.5, 0.0], [-1.0, 0.0]])
    np.testing.assert_array_equal(second.X[0], [[2.0, 3.0]])
