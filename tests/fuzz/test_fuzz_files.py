"""Whatever a file holds, it is read or refused in one sentence."""

import gzip
import io
import json
import sys
import tempfile
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from cases import cases, changed, damaged, text
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[1] / "tables"))
from file_makers import CELLS, GOOD, npz, read_here, workbook
from shapes import SHAPES

from pages.history.page import numbers_html
from pages.shared import words as common
from pages.shared.fits.models import settings_of
from pages.shared.runs.opening import explore_values
from vstg import VSTGClassifier, VSTGRegressor
from vstg.datasets import make_syn
from vstg.estimators import load_model
from vstg.jobs import (
    ComparisonRequest,
    SearchRequest,
    StabilityRequest,
    Store,
    get_kind,
)
from vstg.jobs.queue import do_run
from vstg.jobs.store.run_files import export_runs, import_runs
from vstg.notation import setting_text
from vstg.prediction.archive import ModelFileError
from vstg.tables import Preparation, Recipe, TableError, prepare, read_table

pytestmark = pytest.mark.filterwarnings("ignore")
TABLES = {
    "csv": GOOD.encode(),
    "tsv": GOOD.replace(",", "\t").encode("utf-16"),
    "xlsx": workbook(CELLS),
    "npz": npz(X=np.arange(24.0).reshape(8, 3), Y=np.arange(16.0).reshape(8, 2)),
}
SETTING = {"n_latent": 2, "k": 1, "gamma1": 0.5, "gamma2": 0.5}


def sentence(error):
    assert str(error).strip()
    assert "\n" not in str(error)
    assert "Traceback" not in str(error)


any_table = st.sampled_from(sorted(TABLES)).flatmap(
    lambda form: st.tuples(st.just(form), damaged(TABLES[form]))
)
any_shape = st.sampled_from(sorted(SHAPES)).flatmap(
    lambda name: st.tuples(
        st.just("csv"), st.integers(1, 60).map(SHAPES[name][1]).flatmap(damaged)
    )
)
noise = st.tuples(
    st.sampled_from(["csv", "xlsx", "parquet", "mat", "npz"]), st.binary(max_size=300)
)


@cases(any_table | any_shape | noise, few=60, many=3000)
def test_tables(case):
    form, content = case
    try:
        in_c = form in ("mat", "parquet") or content.startswith(b"PAR1")
        read = read_table if in_c else read_here
        table = read(content, name=f"any.{form}")
    except TableError as error:
        sentence(error)
    else:
        assert table.frame.columns.is_unique


def model_file(kind):
    syn = make_syn(1, n_train=8, n_features=4, n_tasks=3, n_latent=2, random_state=0)
    frame = syn.train.to_frame()
    y = frame["target"]
    if kind is VSTGClassifier:
        y = np.where(y > y.median(), "yes", "no")
    buffer = io.BytesIO()
    kind("task", **SETTING).fit(frame.drop(columns="target"), y).save(buffer)
    return buffer.getvalue()


MODELS = [model_file(kind) for kind in (VSTGRegressor, VSTGClassifier)]


@cases(
    st.sampled_from(MODELS).flatmap(damaged) | st.binary(max_size=200),
    few=80,
    many=4000,
)
def test_model_files(content):
    try:
        model = load_model(io.BytesIO(content))
    except ModelFileError as error:
        sentence(error)
    else:
        assert np.isfinite(model.coef_).all()


def preparation():
    recipe = Recipe("long", "task", ("y",), missing="median", scaling="standard")
    prepared = prepare(read_table(GOOD.encode(), name="good.csv"), recipe)
    return json.loads(Preparation.of(prepared).to_json())


@cases(changed(preparation()).map(json.dumps) | text, few=60, many=2000)
def test_preparations(content):
    try:
        Preparation.from_json(content)
    except TableError as error:
        sentence(error)


def exported():
    """A search, a stability run and a comparison as a file holds them."""
    syn = make_syn(1, n_train=6, n_features=4, n_tasks=3, n_latent=2, random_state=0)
    values = {"n_latent": [2], "k": [1], "gamma1": [0.5, 1.0], "gamma2": [0.5]}
    grid = {"gamma1": [0.5, 1.0]}
    with (
        tempfile.TemporaryDirectory() as folder,
        Store(Path(folder) / "runs.sqlite") as store,
    ):
        pair = [store.add_data(syn.train), store.add_data(syn.test)]
        requests = [
            SearchRequest(grid=values, folds=2),
            StabilityRequest(setting=SETTING, n_resamples=3),
            ComparisonRequest(
                methods=["ridge", "lasso"],
                grids={"ridge": grid, "lasso": grid},
                splits=[pair],
                folds=2,
            ),
        ]
        for request in requests:
            run = store.claim(
                store.add_run(request, syn.train, name="a", data_name="b")
            )
            do_run(store, run, Event())
            store.finish(run.id, "done")
        content = gzip.decompress(export_runs(store, [1, 2, 3]))
    return json.loads(content)


RUNS = exported()


def packed(found):
    return gzip.compress(json.dumps(found).encode(), 1)


def with_inner_json(found):
    """Texts that hold JSON are opened, so that what is in them is changed too."""
    opened = json.loads(json.dumps(found))
    for run in opened["runs"]:
        for name in ("request", "source", "best"):
            run[name] = json.loads(run[name])
        for chain in run["chains"]:
            chain["cells"] = [[s, json.loads(j)] for s, j in chain["cells"]]
    return opened


def closed(found):
    """The texts again."""
    for run in found["runs"] if isinstance(found.get("runs"), list) else ():
        try:
            for name in ("request", "source", "best"):
                if run.get(name) is not None:
                    run[name] = json.dumps(run[name])
            for chain in run["chains"]:
                chain["cells"] = [[s, json.dumps(j)] for s, j in chain["cells"]]
        except (AttributeError, KeyError, TypeError, ValueError):
            continue
    return found


@cases(
    changed(RUNS).map(packed)
    | changed(with_inner_json(RUNS)).map(closed).map(packed)
    | damaged(packed(RUNS)),
    few=60,
    many=1500,
)
def test_files_of_runs(content):
    with (
        tempfile.TemporaryDirectory() as folder,
        Store(Path(folder) / "runs.sqlite") as store,
    ):
        try:
            numbers = import_runs(store, content)
        except ValueError as error:
            sentence(error)
            assert store.runs() == []
            return
        assert len(numbers) == len(store.runs())
        for run in store.runs():
            show(run)


def show(run):
    """What History, Tune and Predict write about a run before it is opened."""
    assert common.RUN_STATUS[run.status]
    kind = get_kind(run.kind)
    assert run.fault is None and kind.label
    kind.describe(run.request), numbers_html(run)
    for setting in settings_of(run).values():
        setting_text(setting)
        if all(setting.get(name) is not None for name in SETTING):
            explore_values(run.source_values, setting)
    assert getattr(run.request, "scheduler", None) is None
    run.name.encode(), run.note.encode(), run.share, run.seconds_left
