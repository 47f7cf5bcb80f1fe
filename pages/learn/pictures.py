"""From the controls of a lesson to its figures."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pages.learn import models
from pages.shared.lessons.content import Lesson
from vstg.lessons import bound, norms, prox
from vstg.notation import decimal_text as number
from vstg.plots import lessons as draw

HEIGHT = 560
Values = Mapping[str, Any]


def why_share(lesson: Lesson, values: Values) -> Any:
    """Lesson 1."""
    found = models.sharing(
        values["l1_data"], float(values["l1_noise"]), int(values["l1_seed"])
    )
    return draw.sharing_figure(found, lesson.words)


def of_norms(lesson: Lesson, values: Values) -> Any:
    """Lesson 3: one of three pictures."""
    rho = round(float(values["l3_rho"]), 2)
    if values["l3_view"] == "twins":
        mixed = models.twins(int(values["l3_k"]))
        return draw.twins_figure(
            models.twins(1), mixed, lesson.words, rho, height=HEIGHT
        )
    if values["l3_view"] == "space":
        k = int(values["l3_k3"])
        balls = {n: norms.ball_3d(n, k) for n in ("l1", "l2", "linf", "ksp")}
        named = lesson.words | {"ksp": f"{lesson.words['ksp']} (k = {k})"}
        return draw.ball_figure(balls, named, height=HEIGHT)
    chosen, k = values["l3_norm"], int(values["l3_k2"])
    named = lesson.words | {"ksp": f"{lesson.words['ksp']} (k = {k})"}
    planes = {n: norms.ball_2d(n, k) for n in norms.NORMS}
    met = norms.contact(chosen, k, models.CENTRE, rho)
    return draw.contact_figure(planes, chosen, met, named, height=HEIGHT - 40)


def operator(values: Values, name: str | None = None) -> prox.Operator:
    """The operator of lesson 4 that the controls ask for."""
    g = float(values["l4_g"])
    return prox.Operator(name or values["l4_op"], g, g, g, int(values["l4_k"]))


def of_prox(lesson: Lesson, values: Values) -> Any:
    """Lesson 4: the curves; the plane is a component of its own."""
    second = float(values["l4_a2"])
    curves = {n: prox.curve(operator(values, n), second) for n in prox.OPERATORS}
    return draw.curve_figure(curves, values["l4_op"], second, lesson.words, height=430)


def field(lesson: Lesson, values: Values) -> Any:
    """Lesson 4: the plane, standing still, for print."""
    at = np.array([2.0, 1.0])
    lattice = prox.lattice(operator(values))
    return draw.field_figure(lattice, at, lesson.words, height=HEIGHT)


def algorithm(lesson: Lesson, values: Values) -> Any:
    """Lesson 5."""
    seed = int(values["l5_seed"])
    if values["l5_view"] == "rescaling":
        found = models.rescaling(seed)
        return draw.rescaling_figure(found, lesson.words, height=500)
    return draw.steps_figure(models.steps(seed), lesson.words)


def not_convex(lesson: Lesson, values: Values) -> Any:
    """Lesson 6."""
    found = models.landscape(
        values["l6_data"], int(values["l6_n"]), int(values["l6_starts"])
    )
    return draw.landscape_figure(found, lesson.words)


def of_choosing(lesson: Lesson, values: Values) -> Any:
    """Lesson 7."""
    found = models.choosing(values["l7_along"], values["l7_data"], int(values["l7_n"]))
    return draw.choosing_figure(found, lesson.words)


def bound_setting(values: Values) -> bound.Setting:
    """The model of lesson 8."""
    return bound.Setting(
        int(values["l8_N"]),
        int(values["l8_T"]),
        int(values["l8_K"]),
        float(values["l8_s"]) or None,  # 0: the scale with α1² = K
    )


def theorem(lesson: Lesson, values: Values) -> Any:
    """Lesson 8."""
    setting, words = bound_setting(values), lesson.words
    found = models.bound_curve(setting, values["l8_axis"])
    model = models.measure(setting)
    text = words["said" if model.bound.applies else "said_fails"].format(
        N=setting.N, T=setting.T, K=setting.K,
        total=number(model.bound.total), excess=number(model.excess, 3),
        alpha1=number(model.bound.alpha1), beta=number(model.bound.beta),
        **{name: number(getattr(model.bound, name)) for name in bound.TERMS},
    )  # fmt: skip
    return draw.told(draw.bound_figure(found, words), text)


def when_it_fails(lesson: Lesson, values: Values) -> Any:
    """Lesson 9."""
    seed = int(values["l9_seed"])
    case, healthy = (
        models.failure(values["l9_case"], seed),
        models.failure("healthy", seed),
    )
    return draw.failure_figure(case, healthy, lesson.words)


def not_unique(lesson: Lesson, values: Values) -> Any:
    """Lesson 10."""
    form = values["l10_form"]
    named = lesson.words | {"form": lesson.controls[0].name(form)}
    return draw.forms_figure(models.forms()[form], named)


def two_jobs(lesson: Lesson, values: Values) -> Any:
    """Lesson 11."""
    found = models.two_jobs(values["l11_data"], int(values["l11_n"]))
    return draw.two_jobs_figure(found, lesson.words)


def how_sure(lesson: Lesson, values: Values) -> Any:
    """Lesson 12."""
    found = models.resampling(int(values["l12_n"]), int(values["l12_seed"]))
    return draw.resampling_figure(found, lesson.words)


def new_task(lesson: Lesson, values: Values) -> Any:
    """Lesson 13."""
    found = models.arrival(values["l13_data"], int(values["l13_seed"]))
    return draw.arrival_figure(found, lesson.words)


PICTURES: dict[str, Callable[[Lesson, Values], Any]] = {
    "why-share": why_share,
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
