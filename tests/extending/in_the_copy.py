"""What must hold in the extended copy; ``test_extending.py`` runs this file there."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import check_grad
from sklearn.linear_model import ElasticNet as TheirElasticNet
from stopping import StopAfter
from streamlit.testing.v1 import AppTest
from vstg.elastic_net import ElasticNet
from vstg.jobs.kinds.shuffles import ShufflesRequest, read_counts
from vstg.log_cosh import LogCoshLoss

import vstg
from vstg.baselines import BASELINES
from vstg.data import MultiTaskData
from vstg.datasets import make_syn
from vstg.estimators import BaselineRegressor
from vstg.jobs import Manager, Store, do_run, export_runs, import_runs
from vstg.jobs.queue.limits import WorkLimits
from vstg.model_selection import METHODS, search_grid
from vstg.objective import Objective, Settings

HERE = Path(__file__).parent
STRENGTHS = {"n_latent": 2, "k": 1, "gamma1": 0.05, "gamma2": 0.02}


@pytest.fixture
def rng():
    return np.random.default_rng(3)


@pytest.fixture
def shared(rng):
    """Three tasks on one design, so that scikit-learn can solve them too."""
    X = rng.normal(size=(40, 6))
    W = np.zeros((6, 3))
    W[:2] = rng.normal(size=(2, 3))
    return X, X @ W + 0.1 * rng.normal(size=(40, 3))


def open_page(name, **query):
    app = AppTest.from_file(str(HERE / "app.py"), default_timeout=60)
    for key, value in query.items():
        app.query_params[key] = value
    app.switch_page(f"pages/{name}.py").run()
    assert not app.exception and not app.error
    return app


def test_this_is_the_copy():
    assert Path(vstg.__file__).is_relative_to(HERE)


def test_penalty(rng):
    A, step, penalty = rng.normal(size=(6, 4)), 0.5, ElasticNet(1.5)
    P = penalty.prox(A, step)
    S = (A - P) / step
    gap = penalty.value(P) + penalty.conjugate(S) - np.vdot(S, P)
    assert abs(gap) < 1e-12
    assert 0 < (P == 0).sum() < P.size
    assert penalty.value(A) + penalty.conjugate(S) - np.vdot(S, A) > 0.1


def test_loss(rng):
    loss, y = LogCoshLoss(0.5), rng.normal(size=8)
    at = 2.0 * rng.normal(size=8)
    assert check_grad(lambda m: loss.value(y, m), lambda m: loss.derivative(y, m), at) \
        < 1e-6  # fmt: skip
    best = loss.best_constant(y)
    assert abs(loss.derivative(y, np.full(8, best)).sum()) < 1e-10


@pytest.mark.parametrize("fit_intercept", [False, True])
def test_loss_in_the_solver(rng, fit_intercept):
    loss, data = LogCoshLoss(0.5), make_syn(1, random_state=0, n_train=30).train
    wild = [y + 50.0 * (np.arange(len(y)) == 3) for y in data.y]  # one row a task
    data = MultiTaskData(data.X, wild)
    fit = vstg.solve_vstg(
        data, loss=loss, fit_intercept=fit_intercept, tol=1e-6, **STRENGTHS
    )
    objective = Objective(data, loss, Settings.checked(**STRENGTHS))
    assert objective.value(fit.U, fit.V, fit.intercept) == pytest.approx(fit.objective)
    residuals = objective.residuals(fit.U, fit.V, fit.intercept)
    assert fit.W.any() and max(residuals.U, residuals.V) < 1e-3


def test_method(shared):
    X, Y = shared
    data = MultiTaskData.from_multioutput(X, Y)
    fit = BASELINES["elastic_net"].solve(data, gamma1=0.3, tol=1e-12)
    # Theirs has α·l1_ratio before the l1 norm and α(1 − l1_ratio) before ½‖w‖².
    theirs = TheirElasticNet(alpha=0.6, l1_ratio=0.5, fit_intercept=False, tol=1e-12)
    expected = [theirs.fit(X, y).coef_ for y in Y.T]
    np.testing.assert_allclose(fit.W.T, expected, atol=1e-5)
    assert fit.converged and 0 < (fit.W != 0).sum() < fit.W.size


def test_method_in_searches_and_estimators(shared):
    X, Y = shared
    data = MultiTaskData.from_multioutput(X, Y)
    assert METHODS["elastic_net"].label == "Elastic net"
    search = search_grid(data, "elastic_net", {"gamma1": (2.0, 0.1, 0.01)}, cv=3)
    assert search.best["gamma1"] < 2.0
    model = BaselineRegressor(method="elastic_net", gamma1=0.02).fit(X, Y)
    assert model.score(X, Y) > 0.9
    labels = MultiTaskData.from_multioutput(X, np.where(Y > 0, 1.0, -1.0))
    fit = BASELINES["elastic_net"].solve(
        labels, gamma1=0.02, loss="logistic", fit_intercept=True
    )
    assert fit.converged and fit.W.any()


def test_kind_of_run(tmp_path, monkeypatch):
    request = ShufflesRequest(setting=STRENGTHS, n_shuffles=4)
    data = make_syn(1, random_state=0, n_train=12).train
    path = tmp_path / "runs.sqlite"
    with Store(path) as store:
        first = store.claim(store.add_run(request, data))
        do_run(store, first, StopAfter(3))  # looks before each of three shuffles
        kept = read_counts(store, first)
        assert len(kept) == store.run(first.id).done == 3
        store.finish(first.id, "cancelled")
        manager = Manager(store)
        manager.resume(first.id)
        assert manager.wait(first.id, 120)
        run = store.run(first.id)
        assert (run.status, run.done, run.fitted) == ("done", 4, 1), run.message
        assert read_counts(store, run)[:3] == kept
        with pytest.raises(ValueError, match="fits"):
            WorkLimits(fits=3).check(request, data)
        (copy,) = import_runs(store, export_runs(store, [run.id]))
        assert read_counts(store, store.run(copy)) == read_counts(store, run)
        manager.close()
    monkeypatch.setenv("VSTG_STORE", str(path))
    page = " ".join(html.proto.body for html in open_page("6_History").get("html"))
    assert "shuffled targets" in page and "4 shuffles, K = 2" in page
    assert f"<b>{run.best['most']}</b> <span>variables at most</span>" in page


def test_lesson():
    app = open_page("1_Learn", lesson="shrinkage", l14_data="Syn2")
    assert any("<h1>Shrinkage</h1>" in html.value for html in app.get("html"))
    assert len(app.get("plotly_chart")) == 1
    (question,) = [block for block in app.expander if "become zero" in block.label]
    words = question.markdown[0].value.replace(",", "").split()
    large, small = (float(word) for word in words if word[0].isdigit())
    assert 0 < small < large


def test_page():
    app = open_page("8_Noise", noise_data="Syn3")
    assert app.title[0].value == "Noise"
    assert app.get("button_group")[0].value == 3
    links = [link.proto.label for link in app.get("page_link")]
    assert "Noise" in links
