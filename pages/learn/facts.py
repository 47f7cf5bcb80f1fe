"""The numbers in the answers, computed for the state in which a lesson opens."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from pages.learn import models
from pages.shared.lessons.content import Lesson, content
from vstg.data import Array
from vstg.inspection import TaskGroup
from vstg.lessons import bound, failures, norms, sharing, toy
from vstg.lessons.prox import Operator, ticks
from vstg.notation import decimal_text as number
from vstg.notation import power
from vstg.penalties import L1, L1Inf

Facts = dict[str, Any]


def point(values: Array) -> str:
    """(x, y) for a sentence."""
    return "(" + ", ".join(number(float(v)) for v in values) + ")"


def why_share() -> Facts:
    """Lesson 1."""
    found = models.sharing("Syn1", 1.0, 0)
    errors = {
        n: dict(zip(found.sizes, found.errors[n], strict=True)) for n in sharing.METHODS
    }
    target = errors["vstg"][15]
    needs = next(
        (n for n in found.sizes if errors["lasso"][n] <= target), found.sizes[-1]
    )
    few, many = found.sizes[0], found.sizes[-1]
    return {
        "vstg_15": number(target), "lasso_needs": needs, "few": few, "many": many,
        "pooled_few": number(errors["pooled"][few]),
        "pooled_many": number(errors["pooled"][many]),
        "lasso_many": number(errors["lasso"][many]),
        "vstg_many": number(errors["vstg"][many]),
        "lasso_10": number(errors["lasso"][10]), "vstg_10": number(errors["vstg"][10]),
        "noise": f"{found.noise:g}",
    }  # fmt: skip


def factors() -> Facts:
    """Lesson 2."""
    lesson = content().lesson("factors")
    assert lesson is not None
    words = lesson.words
    figure = toy.read_toy(toy.FIGURE_1_U, toy.FIGURE_1_V)
    zero = [i + 1 for i in range(len(figure.U)) if i not in figure.kept]
    turned = figure.U.copy()
    turned[2] = [1.0, -1.0, 0.0]
    return {
        "zero_rows": listed(zero),
        "groups": "; ".join(group_words(g) for g in figure.groups),
        "shared_13": listed([r + 1 for r in figure.shared(0, 2)]),
        "shared_15": listed([r + 1 for r in figure.shared(0, 4)]) or words["none"],
        "cancelled": f"{toy.Toy(turned, figure.V).W[2, 0]:g}",
    }


def group_words(group: TaskGroup) -> str:
    """The tasks of a group, counted from one."""
    return listed([j + 1 for j in group.tasks])


def listed(values: list[int]) -> str:
    """1, 2 and 3."""
    page, texts = content().page, [str(value) for value in values]
    parts = [page["comma"].join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts
    return page["and"].join(parts)


def of_norms() -> Facts:
    """Lesson 3."""
    met = {
        n: norms.contact(n, 1, models.CENTRE, 0.0).point for n in ("l1", "l2", "linf")
    }
    pairs = {k: models.twins(k) for k in (1, 2, 3, 4)}
    idle = max(float(np.abs(t.weights[:, 3]).max()) for t in pairs.values())
    shares = {f"share_{k}": f"{pairs[k].share(0.95):.0%}" for k in (1, 3)}
    return {name: point(p) for name, p in met.items()} | shares | {"idle": f"{idle:g}"}


def of_prox() -> Facts:
    """Lesson 4; the strength is the one at which the lesson opens."""
    g = 0.75
    ops = {n: Operator(n, g, g, g, 1) for n in ("l1", "l1_inf", "both")}
    a = np.array([[2.0, 1.9]])
    right = ops["both"](a)
    other = L1(g).prox(L1Inf(g).prox(a, 1.0), 1.0)
    at = ticks()
    points = np.stack(np.meshgrid(at, at), axis=-1).reshape(-1, 2)
    gap = ops["both"](points) - L1(g).prox(L1Inf(g).prox(points, 1.0), 1.0)
    return {
        "l1": point(ops["l1"](np.array([[2.0, 0.5]]))[0]),
        "linf": point(ops["l1_inf"](np.array([[2.0, 0.5]]))[0]),
        "deleted": point(ops["l1_inf"](np.array([[0.4, 0.3]]))[0]),
        "kept": point(ops["l1_inf"](np.array([[0.5, 0.4]]))[0]),
        "right": point(right[0]), "other": point(other[0]),
        "gap": f"{float(np.abs(gap).max()):.0e}", "points": len(points),
    }  # fmt: skip


def algorithm() -> Facts:
    """Lesson 5."""
    found = models.steps(0)
    last, frames = found.last_U_step, found.frames
    first = next(f for f in reversed(frames) if f.iteration == 1)
    scaled = models.rescaling(0)
    zeros = {
        f"zeros_{n}": int((getattr(last, n) == 0).sum())
        for n in ("U", "Z1", "Z2", "Z3")
    }
    return zeros | {
        "entries": last.U.size, "primal": number(last.primal, 3),
        "F_start": number(frames[0].objective), "F_first": number(frames[1].objective),
        "F_1": number(first.objective), "F_end": number(frames[-1].objective),
        "F_fast": number(found.fast[-1].objective), "best_s": number(scaled.best),
        "F_now": number(scaled.at(1.0)), "F_best": number(scaled.at(scaled.best)),
    }  # fmt: skip


def not_convex() -> Facts:
    """Lesson 6."""
    found = models.landscape("Syn3", 20, 16)
    best, worst = found.ends[0], found.ends[-1]
    return {
        "count": len(found.ends), "distinct": found.n_distinct,
        "lowest": sum(e.objective <= best.objective * 1.001 for e in found.ends),
        "best": number(best.objective), "worst": number(worst.objective),
        "error_best": number(best.error), "error_worst": number(worst.error),
        "agree_best": number(best.agreement), "agree_worst": number(worst.agreement),
    }  # fmt: skip


def of_choosing() -> Facts:
    """Lesson 7."""
    one, two = (
        models.choosing("gamma1", "Syn2", 40),
        models.choosing("gamma2", "Syn2", 40),
    )
    strong = len(one.values) - 2
    counts = two.n_variables
    return {
        "train_weak": number(one.train_error[0]), "cv_weak": number(one.cv_error[0]),
        "cv_best": number(one.cv_error[one.best]),
        "gamma_best": power(one.values[one.best]),
        "gamma_strong": power(one.values[strong]),
        "variables_strong": int(one.n_variables[strong]),
        "cv_strong": number(one.cv_error[strong]),
        "empty": f"{float((one.fits[strong].W == 0).mean()):.0%}",
        "variables_best": int(counts[two.best]),
        "variables_one": int(counts[two.one_se]),
        "error_best": number(two.cv_error[two.best]),
        "error_one": number(two.cv_error[two.one_se]),
        "variables_true": int(two.truth.relevant.sum()),
    }  # fmt: skip


def theorem() -> Facts:
    """Lesson 8."""
    setting = bound.Setting()
    scaled = models.measure(setting)
    fitted = models.measure(replace(setting, scale=1.0)).bound
    few, many = (replace(scaled.bound, n_tasks=t) for t in (5, 80))
    return {
        "T_few": few.n_tasks, "T_many": many.n_tasks,
        "weights_few": number(few.weights), "weights_many": number(many.weights),
        "repr_few": number(few.representation),
        "repr_many": number(many.representation),
        "alpha1": number(fitted.alpha1, 1), "K": setting.K, "N": setting.N,
        "s": number(fitted.scale, 3), "beta": number(fitted.beta),
        "beta_scaled": number(scaled.bound.beta, 1),
        "bound_scaled": number(scaled.bound.total, 1),
        "excess": number(scaled.excess, 3),
    }  # fmt: skip


def when_it_fails() -> Facts:
    """Lesson 9."""
    facts: Facts = {"resamples": failures.N_RESAMPLES}
    for name in failures.CASES:
        case = models.failure(name, 0)
        facts[name], facts[f"{name}_alone"] = (
            number(case.error),
            number(case.alone),
        )
        facts[f"{name}_certainty"] = number(case.certainty_variables)
    return facts


def not_unique() -> Facts:
    """Lesson 10."""
    found = models.forms()
    W = found["fitted"].W
    change = max(float(np.abs(form.W - W).max()) for form in found.values())
    counts = {name: form.n_nonzero for name, form in found.items()}
    return counts | {"change": f"{change:.0e}"}


def two_jobs() -> Facts:
    """Lesson 11."""
    found = models.two_jobs("Syn1", 30)
    errors, wrong = found.errors["shrunken"], found.wrong["shrunken"]
    best, right = found.best("shrunken"), int(wrong.argmin())
    return {
        "g_error": power(found.strengths[best]), "error": number(errors[best]),
        "wrong_there": int(wrong[best]), "g_choice": power(found.strengths[right]),
        "wrong": int(wrong[right]), "error_there": number(errors[right]),
        "size": f"{found.size[right]:.0%}",
        "wrong_refit": int(found.wrong["refitted"][right]),
        "error_refit": number(found.errors["refitted"][right]),
    }  # fmt: skip


def how_sure() -> Facts:
    """Lesson 12."""
    few, many = models.resampling(16, 0), models.resampling(40, 0)
    return {
        "halves": len(few.selected), "whole": int(few.whole.sum()),
        "always": few.among(1.0, 1.0), "often": few.among(0.8, 1.0),
        "whole_many": int(many.whole.sum()), "always_many": many.among(1.0, 1.0),
    }  # fmt: skip


def new_task() -> Facts:
    """Lesson 13."""
    found = models.arrival("Syn1", 0)
    at = found.rows.index(5)
    return {
        "bases_5": number(found.errors["bases"][at]),
        "alone_5": number(found.errors["alone"][at]),
        "alone_40": number(found.errors["alone"][-1]),
        "pooled": number(found.errors["pooled"][at]),
    }


@models.remember
def worked_out(slug: str) -> Facts:
    """The facts of a lesson, once for all visitors."""
    return FACTS[slug]()


FACTS: dict[str, Callable[[], Facts]] = {
    "why-share": why_share,
    "factors": factors,
    "norms": of_norms,
    "prox": of_prox,
    "algorithm": algorithm,
    "not-convex": not_convex,
    "choosing": of_choosing,
    "theorem": theorem,
    "failures": when_it_fails,
    "not-unique": not_unique,
    "two-jobs": two_jobs,
    "how-sure": how_sure,
    "new-task": new_task,
}


def facts(lesson: Lesson) -> Facts:
    """The numbers of a lesson's questions and answers."""
    return worked_out(lesson.slug)
