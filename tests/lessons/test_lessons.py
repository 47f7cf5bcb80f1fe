"""What the lessons compute is what the library computes, and their claims hold."""

from itertools import combinations

import numpy as np
import pytest

from pages.shared.lessons.content import content
from vstg.datasets import make_syn
from vstg.lessons import (
    algorithm,
    bound,
    choosing,
    failures,
    norms,
    restarts,
    sharing,
    toy,
)
from vstg.lessons.prox import OPERATORS, REACH, STEP, Operator, curve, lattice, ticks
from vstg.penalties import L1, L1Inf, SparseRows, SquaredKSupport, k_support_norm
from vstg.plots.lessons import landscape_figure
from vstg.plots.lessons.norms import SPAN
from vstg.solvers import solve_problem
from vstg.solvers.admm import Copies, QuadraticZ1, run_admm, update_U, update_V
from vstg.solvers.initial import factorise, initial_coefficients


@pytest.fixture(scope="module")
def shared():
    return sharing.sharing(1, 1.0, 0)


def test_sharing_needs_fewer_observations(shared):
    lasso = dict(zip(shared.sizes, shared.errors["lasso"], strict=True))
    vstg = dict(zip(shared.sizes, shared.errors["vstg"], strict=True))
    assert vstg[15] < lasso[25]
    assert shared.excess("vstg", 120) < shared.excess("lasso", 120) < 0.1
    assert lasso[10] - vstg[10] > 10 * (lasso[120] - vstg[120])


def test_pooled_model_does_not_profit_from_data(shared):
    few, many = shared.errors["pooled"][[0, -1]]
    assert many > 0.9 * few
    assert many > 2 * shared.noise


def test_errors_are_those_of_the_coefficients_shown(shared):
    syn = make_syn(1, n_train=120, n_test=200, noise=1.0, random_state=0)
    rest = [(X[50:], y[50:]) for X, y in zip(syn.test.X, syn.test.y, strict=True)]
    W = shared.W["vstg"][2]
    by_task = [
        np.sqrt(np.mean((y - X @ W[:, j]) ** 2)) for j, (X, y) in enumerate(rest)
    ]
    assert shared.errors["vstg"][2] == pytest.approx(np.mean(by_task))


def test_figure_1_is_as_the_paper_says():
    figure = toy.read_toy(toy.FIGURE_1_U, toy.FIGURE_1_V)
    assert figure.kept == (0, 2, 3, 4)
    assert [group.tasks for group in figure.groups] == [(0, 1), (2, 3), (4,)]
    assert figure.shared(0, 2) == (1,)
    assert figure.shared(0, 4) == ()
    assert not figure.W[[1, 5, 6]].any()


def test_entries_turn_round_and_terms_cancel():
    text = "0p"
    assert toy.turn(toy.turn(toy.turn(text, 0), 0), 0) == text
    assert toy.turn("p", 0) == "m"
    u = toy.turn(toy.FIGURE_1_U, 7)  # the second basis of x3
    assert toy.read_toy(u, toy.FIGURE_1_V).W[2, 0] == 0


@pytest.mark.parametrize("u", ["", "x" * 21, "p" * 22])
def test_impossible_factors_give_figure_1(u):
    assert toy.read_toy(u, toy.FIGURE_1_V).kept == (0, 2, 3, 4)


@pytest.mark.parametrize("name", norms.NORMS)
@pytest.mark.parametrize("k", [1, 2])
def test_balls_have_norm_one(name, k):
    of = norms.norm(name, k)
    assert [of(p) for p in norms.ball_2d(name, k)] == pytest.approx([1.0] * 361)
    surface = norms.ball_3d(name, k, n_points=5).reshape(3, -1).T
    points = surface[np.isfinite(surface).all(axis=1)]
    assert [of(p) for p in points] == pytest.approx([1.0] * 150)


def test_k_support_lies_between_l1_and_l2():
    w = np.array([0.9, -0.4, 0.2])
    assert k_support_norm(w, 1) == pytest.approx(norms.norm("l1")(w))
    assert k_support_norm(w, 3) == pytest.approx(norms.norm("l2")(w))
    assert norms.norm("l2")(w) < k_support_norm(w, 2) < norms.norm("l1")(w)


def test_only_the_corner_gives_a_zero():
    points = {n: norms.contact(n, 1, (1.6, 0.5), 0.0).point for n in norms.NORMS}
    assert points["l1"][1] == 0
    assert points["ksp"][1] == 0  # k = 1
    assert points["l2"][1] > 0.1
    assert points["linf"][1] > 0.1


def test_contact_is_the_best_point_of_the_ball():
    rng = np.random.default_rng(0)
    met = norms.contact("ksp", 2, (1.6, 0.5), 0.6)
    inside = rng.uniform(-1, 1, size=(4000, 2))
    inside = inside[np.linalg.norm(inside, axis=1) <= 1]
    assert (met.loss(inside) >= met.loss(met.point) - 1e-6).all()


def test_larger_k_keeps_twins_together():
    shares = [norms.twins(k, 0.3).share(0.95) for k in (1, 2, 3)]
    assert shares[0] < shares[1] < shares[2]
    for k in (1, 2, 3, 4):
        assert not norms.twins(k, 0.3).weights[:, 3].any()


PENALTIES = {
    "l1": L1(0.75),
    "l1_inf": L1Inf(0.75),
    "both": SparseRows(0.75, 0.75),
    "ksp": SquaredKSupport(0.75, 2),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_drawn_prox_is_the_library_s(name):
    operator = Operator(name, 0.75, 0.75, 0.75, 2)
    drawn, at = lattice(operator), ticks()
    assert at[0] == -REACH
    assert at[1] - at[0] == pytest.approx(STEP)
    for i, j in ((0, 5), (50, 40), (33, 30)):
        a = np.array([[at[i], at[j]]])
        a = a.T if name == "ksp" else a
        expected = np.ravel(PENALTIES[name].prox(a, 1.0))
        np.testing.assert_allclose(drawn[i, j], expected)
    np.testing.assert_allclose(curve(operator, 1.0), drawn[:, 40, 0], atol=1e-12)


def test_prox_of_the_answers():
    assert L1(0.75).prox(np.array([[2, 0.5]]), 1.0).tolist() == [[1.25, 0]]
    row = L1Inf(0.75)
    np.testing.assert_allclose(row.prox(np.array([[2, 0.5]]), 1.0), [[1.25, 0.5]])
    assert not row.prox(np.array([[0.4, 0.3]]), 1.0).any()
    assert row.prox(np.array([[0.5, 0.4]]), 1.0).all()
    points = np.random.default_rng(0).normal(size=(200, 2)) * 2
    first = SparseRows(0.75, 0.5).prox(points, 1.0)
    other = L1(0.75).prox(L1Inf(0.5).prox(points, 1.0), 1.0)
    np.testing.assert_allclose(first, other, atol=1e-12)


@pytest.fixture(scope="module")
def stepped():
    return algorithm.algorithm_steps(0)


def test_steps_are_algorithm_1(stepped):
    _, problem, settings, _ = algorithm.small_problem(0)
    start = factorise(initial_coefficients(problem, settings), settings.n_latent)
    run = run_admm(
        problem, settings, start, tol=algorithm.TOL, max_iter=algorithm.MAX_OUTER
    )
    last = stepped.frames[-1]
    np.testing.assert_allclose(last.Z2, run.U, atol=1e-10)
    np.testing.assert_allclose(last.V, run.V, atol=1e-10)
    ends = [f.objective for f in stepped.frames if f.phase == "V" and f.outer % 1 == 0]
    np.testing.assert_allclose(ends, run.history["objective"])
    assert np.all(np.diff(ends) < 0)


def test_first_half_steps_are_the_solver_s(stepped):
    _, problem, settings, _ = algorithm.small_problem(0)
    U, V = factorise(initial_coefficients(problem, settings), settings.n_latent)
    half = update_U(U, Copies.at(U), QuadraticZ1(problem.model, V, 2.0), settings)
    end = [f for f in stepped.frames if (f.phase, f.iteration) == ("U", 1)][-1]
    np.testing.assert_allclose(end.Z2, half.U)
    assert end.inner == half.n_iter
    V = update_V(problem, settings, half.U, V, np.zeros(problem.n_tasks))
    end = [f for f in stepped.frames if (f.phase, f.iteration) == ("V", 1)][-1]
    np.testing.assert_allclose(end.V, V)


def test_only_Z2_has_the_zeros_of_entries(stepped):
    last = stepped.last_U_step
    zeros = [int((A == 0).sum()) for A in (last.U, last.Z1, last.Z3, last.Z2)]
    assert zeros[0] == zeros[1] == 0
    assert zeros[3] > zeros[2]
    assert stepped.frames[1].objective > stepped.frames[0].objective


def test_fast_points_are_the_fast_solver_s(stepped):
    _, problem, settings, _ = algorithm.small_problem(0)
    fit = solve_problem(problem, settings, max_iter=3)
    assert stepped.fast[3].objective == pytest.approx(fit.objective)
    assert stepped.fast[-1].objective <= stepped.frames[-1].objective


def test_rescaling_lowers_the_objective_and_keeps_W(stepped):
    objective, *_ = algorithm.small_problem(0)
    frame = [f for f in stepped.frames if f.iteration == 1][-1]
    found = algorithm.rescaling(frame, 0)
    s = found.best
    assert found.at(1.0) == pytest.approx(frame.objective)
    assert found.at(s) == pytest.approx(objective.value(s * frame.Z2, frame.V / s))
    assert found.at(s) < found.at(1.0)
    assert found.at(s) <= found.total.min() + 1e-9


def test_starts_end_at_different_places():
    found = restarts.landscape(3, 20, 0.5, 16, 0)
    assert found.n_distinct > 1
    best, worst = found.ends[0], found.ends[-1]
    assert best.objective < worst.objective
    assert best.error < worst.error
    assert best.agreement > worst.agreement
    assert len(found.of_kind("paper")) == 1


@pytest.mark.parametrize("n_train", [20, 60])
def test_every_start_has_a_mark_of_its_own(n_train):
    found = restarts.landscape(3, n_train, 0.5, 16, 0)
    words = content().lesson("not-convex").words
    figure = landscape_figure(found, words)
    stacks = [t for t in figure.data if t.yaxis == "y6" and len(t.x) and t.text]
    low, high = figure.layout.xaxis6.range
    marks = [  # in mark widths
        np.array([24 * x / (high - low), y])
        for t in stacks
        for x, y in zip(t.x, t.y, strict=True)
    ]
    assert len(marks) == 16
    assert min(np.linalg.norm(a - b) for a, b in combinations(marks, 2)) > 0.9
    assert high - low > 0.019 * high


def test_training_error_cannot_choose():
    found = choosing.choosing("gamma1", 2, 40, 0)
    assert found.train_error.argmin() < found.best
    assert found.cv_error[found.best] < found.cv_error[0]
    assert found.cv_error[-2] > 2 * found.cv_error[found.best]
    assert (found.fits[-2].W == 0).mean() > 0.5


def test_one_standard_error_buys_fewer_variables():
    found = choosing.choosing("gamma2", 2, 40, 0)
    limit = found.cv_error[found.best] + found.cv_se[found.best]
    assert found.cv_error[found.one_se] <= limit
    assert found.n_variables[found.one_se] < found.n_variables[found.best]


@pytest.mark.parametrize("parameter", ["n_latent", "k"])
def test_counts_have_a_path_too(parameter):
    found = choosing.choosing(parameter, 2, 20, 0)
    assert len(found.fits) == len(found.values) == len(found.cv_error)
    assert found.values[found.best] >= 1


def test_learning_v_does_not_profit_from_more_tasks():
    few, many = (bound.measure(bound.Setting(T=t, scale=1.0)).bound for t in (5, 60))
    assert few.weights / few.beta == pytest.approx(many.weights / many.beta, rel=0.1)
    assert many.representation < few.representation / 2


def test_theorem_applies_only_after_rescaling():
    setting = bound.Setting(scale=1.0)
    found = bound.measure(setting)
    assert not found.bound.applies
    assert found.bound.rescaled().applies
    assert found.bound.total > found.excess
    along = bound.bound_curve(setting, "alpha1")
    np.testing.assert_array_equal(along.applies, along.at**2 <= setting.K)
    assert along.applies.any()
    assert not along.applies.all()


@pytest.mark.parametrize("axis", ["N", "T", "K"])
def test_lesson_opens_where_the_theorem_applies(axis):
    setting = bound.Setting()
    assert bound.measure(setting).bound.alpha1 == pytest.approx(setting.K**0.5)
    assert bound.bound_curve(setting, axis).applies.all()


def test_bound_and_excess_fall_with_observations():
    found = bound.bound_curve(bound.Setting(), "N")
    assert found.total[0] > found.total[-1]
    assert found.excess[0] > found.excess[-1]
    one = bound.measure(bound.Setting(N=100))
    at = found.at.tolist().index(100)
    assert found.total[at] == pytest.approx(one.bound.total)


@pytest.fixture(scope="module")
def cases():
    return {name: failures.failure(name, 0) for name in failures.CASES}


def test_sharing_pays_only_where_there_is_something_to_share(cases):
    assert cases["healthy"].error < cases["healthy"].alone
    for name in ("unrelated", "singles", "tiny"):
        assert cases[name].error > cases[name].alone


def test_every_failure_shows_in_the_stability(cases):
    sure = cases["healthy"].certainty_variables
    for name in failures.CASES[1:]:
        assert cases[name].certainty_variables < sure
    assert cases["collinear"].error < 1.1 * cases["collinear"].alone


@pytest.mark.parametrize("name", norms.NORMS)
def test_level_sets_are_seen_whole(name):
    met = norms.contact(name, 1, (1.6, 0.5), 0.0)
    reach = np.linalg.norm(met.point - met.centre)
    for (low, high), at in zip(SPAN, met.centre, strict=True):
        assert low < at - reach
        assert at + reach < high
