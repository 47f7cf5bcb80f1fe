"""Whatever is typed, the command line ends with a code that it documents."""

import os
import tempfile
from pathlib import Path

import pytest
from cases import cases, text
from hypothesis import strategies as st

from vstg.__main__ import COMMANDS, main
from vstg.commands import app
from vstg.datasets import download, make_syn
from vstg.estimators import VSTGRegressor

WORDS = [
    "train.csv", "model.npz", "no.csv", "task", "target", "x1", "x2", "-", "--", "1",
    "2^-3", "0", "-1", "nan", "2^99999", "vstg", "ridge", "lasso", "out.csv", "out.npz",
    "out.xyz", ".", "/", "../x.csv", "school", "table1", "--version", "runs.sqlite",
]  # fmt: skip
FLAGS = [
    "--task", "--target", "--features", "--drop", "--classify", "--no-intercept", "-o",
    "--output", "--force", "--n-latent", "--k", "--gamma1", "--gamma2", "--mu",
    "--folds", "--repeats", "--method", "--validation", "--measure", "--halving",
    "--jobs", "--seed", "--resume", "--store",
    "--threshold", "--solver", "--tol", "--max-iter", "--n-init",
    "--port", "--host", "--help", "--data-dir",
]  # fmt: skip
STARTS = [
    "fit train.csv --task task --target target -o out.npz --force",
    "search train.csv --task task --target target -o out.csv --force --n-latent 2",
    "predict model.npz train.csv",
    "generate syn1 -o made --force",
    "data list",
]
word = st.sampled_from(WORDS) | text.filter(lambda t: "\0" not in t)
tail = st.lists(st.sampled_from(FLAGS) | word, max_size=6)
names = st.sampled_from(sorted(set(COMMANDS) - {"compile"}))
lines = (
    st.tuples(st.sampled_from(STARTS), tail).map(lambda p: [*p[0].split(), *p[1]])
    | st.tuples(names, tail).map(lambda p: [p[0], *p[1]])
    | st.lists(word, max_size=4)
)


@pytest.fixture(scope="module", autouse=True)
def folder():
    """A folder with a table and a model; no server, no network, no long work."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        os.chdir(name)
        syn = make_syn(
            1, n_train=6, n_features=4, n_tasks=3, n_latent=2, random_state=0
        )
        frame = syn.train.to_frame()
        frame.to_csv("train.csv", index=False)
        model = VSTGRegressor("task", n_latent=2, k=1, gamma1=0.5, gamma2=0.5)
        model.fit(frame.drop(columns="target"), frame["target"]).save("model.npz")
        patch.setenv("VSTG_MAX_FITS", "12")
        patch.setattr(app.runpy, "run_path", lambda *a, **k: None)
        patch.setattr(app, "check_free", lambda *a: None)
        patch.setattr(download, "urlopen", refuse)
        patch.setattr(download.time, "sleep", lambda seconds: None)
        yield
        os.chdir(before)


def refuse(*_args, **_options):
    msg = "no network in this test"
    raise OSError(msg)


@cases(lines, few=120, many=3000)
def test_any_line_ends_with_a_documented_code(argv):
    if "reproduce" in argv:
        argv = [*argv, "--help"]  # what it would do takes hours
    try:
        code = main(argv)
    except SystemExit as error:
        code = error.code
    assert code in (0, 2, 130)
