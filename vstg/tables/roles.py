"""Recipe: a record of all choices on the columns of a table."""

import json
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from vstg.tables.dates import PARTS
from vstg.tables.limits import TableError

Layout = Literal["long", "wide", "classes"]
ProblemKind = Literal["regression", "robust", "counts", "classification"]
Categories = Literal["one-hot", "leave out"]
Missing = Literal["drop", "mean", "median"]
Scaling = Literal["none", "max", "standard"]
TargetScaling = Literal["none", "spread"]

VERSION = 1
LOSSES: dict[ProblemKind, str] = {
    "regression": "squared",
    "robust": "huber",
    "counts": "poisson",
    "classification": "logistic",
}
CHOICES: dict[str, tuple[str, ...]] = {
    "layout": get_args(Layout),
    "problem": get_args(ProblemKind),
    "categories": get_args(Categories),
    "missing": get_args(Missing),
    "scaling": get_args(Scaling),
    "target_scaling": get_args(TargetScaling),
}


@dataclass(frozen=True)
class Recipe:
    """How a table becomes training and test data; see :func:`vstg.tables.prepare`.

    Attributes
    ----------
    layout : {"long", "wide", "classes"}
        Long: one row per observation, its task in a column. Wide: all tasks share the
        variables, and each has a column of targets. Classes: one column of labels,
        and each label is a task against all others.
    task : str or None
        The task column of the long layout.
    targets : tuple of str
        The target column; several in the wide layout.
    features : tuple of str or None
        The variables; None for every other column that can be used.
    leave_out : tuple of str
        Columns that are no variables, such as a row's number.
    dates : tuple of {"year", "month", "weekday", "days"}
        What columns of dates become: the year, one 0/1 variable per month or day of the
        week, the days since 1970. Empty: they are left out.
    problem : {"regression", "robust", "counts", "classification"}
        Numbers (squared loss), numbers with outliers (Huber's loss), counts (Poisson
        loss, the mean is e to the power of a linear function) or two classes.
    positive : str or None
        The label that counts as +1; the last of two in sorted order by default.
    categories : {"one-hot", "leave out"}
        One-hot gives one 0/1 variable per level, and a single one for two levels.
    missing : {"drop", "mean", "median"}
        Drop rows in which a variable is missing, or fill in the mean or median of the
        training rows (the most frequent level of a category). Rows without a target
        or task are always dropped.
    scaling : {"none", "max", "standard"}
        Divide by the largest absolute value (the paper's scaling) or standardise;
        by the training rows, and never 0/1 variables.
    target_scaling : {"spread", "none"}
        Divide the target of a regression by its standard deviation within the tasks
        (each by its own, if every task has its own column), so that the meaning of
        the penalties does not depend on its unit. Errors and predictions are given in
        the user's unit all the same. With outliers the spread is 1.4826 times the
        median distance from the median of the task; counts are never divided.
    test_size : float
        Share of the rows of each task in the test part; 0 for no test part.
    seed : int
        Which rows these are.
    together : str or None
        A column whose equal values stay together, such as a patient or a batch: they
        are all in the training part, all in the test part, and in one fold. It is not
        a variable.
    order : str or None
        A column of dates or numbers that orders the rows in time: the latest rows are
        the test part, and folds hold out stretches of time. Instead of ``together``.
    weight : str or None
        A column of numbers that says how much a row counts within its task; rows
        without one, or with 0, are left out. It is not a variable.
    task_weights : tuple of (str, float)
        What the loss of a task is multiplied by; 1 for tasks that are not named.
    drop_constant : bool
        Leave out variables with one value in all training rows.
    drop_duplicates : bool
        Leave out variables that equal an earlier one in all training rows.
    min_rows : int
        Tasks with fewer rows are left out.
    threshold : float or None
        With outliers: an error of more than this many spreads (of what the target is
        divided by) counts by its size and no longer by its square; 1.345 by default.
    """

    layout: Layout = "long"
    task: str | None = None
    targets: tuple[str, ...] = ()
    features: tuple[str, ...] | None = None
    problem: ProblemKind = "regression"
    positive: str | None = None
    categories: Categories = "one-hot"
    missing: Missing = "drop"
    scaling: Scaling = "max"
    target_scaling: TargetScaling = "spread"
    test_size: float = 0.25
    seed: int = 0
    drop_constant: bool = True
    drop_duplicates: bool = False
    min_rows: int = 4
    leave_out: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    together: str | None = None
    order: str | None = None
    threshold: float | None = None
    weight: str | None = None
    task_weights: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            value = getattr(self, name)
            if value not in allowed:
                msg = f"{name}={value!r} must be one of {', '.join(allowed)}"
                raise TableError(msg)
        _check_names(self)
        unknown = [part for part in self.dates if part not in PARTS]
        if unknown:
            msg = f"dates={unknown[0]!r} must be one of {', '.join(PARTS)}"
            raise TableError(msg)
        if not 0 <= self.test_size < 1:
            msg = f"test_size={self.test_size} must be at least 0 and less than 1"
            raise TableError(msg)
        if self.threshold is not None:
            _check_threshold(self.problem, self.threshold)
        if self.min_rows < 2 or self.seed < 0:
            msg = "min_rows must be at least 2 and seed at least 0"
            raise TableError(msg)

    @property
    def loss(self) -> str:
        """The name of the loss that suits the target."""
        if self.problem == "robust" and self.threshold is not None:
            return f"huber:{float(self.threshold)!r}"
        return LOSSES[self.problem]

    def to_json(self) -> str:
        """Return a text that :meth:`from_json` reads back."""
        return json.dumps({"version": VERSION, **asdict(self)})

    @classmethod
    def from_json(cls, text: str | bytes) -> "Recipe":
        """Read a recipe; TableError if it is not one."""
        try:
            content = json.loads(text)
            version = content.pop("version")
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as e:
            msg = "this is not a recipe: give the JSON text of Recipe.to_json"
            raise TableError(msg) from e
        if version != VERSION:
            msg = (
                f"the recipe has version {version!r}, and this program reads {VERSION}"
            )
            raise TableError(msg)
        unknown = sorted(set(content) - {field.name for field in fields(cls)})
        if unknown:
            msg = f"a recipe has no {unknown[0]!r}"
            raise TableError(msg)
        content.setdefault("target_scaling", "none")  # recipes of earlier versions
        return cls(**{name: _checked(name, value) for name, value in content.items()})

    def python(self) -> str:
        """Return the Python call that makes this recipe, without default values."""
        default = type(self)()
        parts = [
            f"    {field.name}={getattr(self, field.name)!r},"
            for field in fields(self)
            if getattr(self, field.name) != getattr(default, field.name)
        ]
        return "\n".join(["Recipe(", *parts, ")"]) if parts else "Recipe()"


def _check_threshold(problem: str, threshold: float) -> None:
    """Refuse a threshold where there is none, or that is none."""
    if problem != "robust":
        msg = f"threshold={threshold:g} is for problem='robust', not {problem!r}"
        raise TableError(msg)
    if not 0 < threshold < float("inf"):
        msg = f"threshold={threshold:g} must be above 0 and finite"
        raise TableError(msg)


def _check_names(recipe: Recipe) -> None:
    """Reject roles that contradict each other."""
    if recipe.layout != "long" and recipe.task is not None:
        msg = f"task={recipe.task!r}: the {recipe.layout} layout has no task column"
        raise TableError(msg)
    if recipe.layout != "wide" and len(recipe.targets) > 1:
        msg = f"the {recipe.layout} layout has one target, not {len(recipe.targets)}"
        raise TableError(msg)
    if recipe.together is not None and recipe.order is not None:
        msg = (
            f"together={recipe.together!r}, order={recipe.order!r}: split by groups or "
            "by time, not by both"
        )
        raise TableError(msg)
    if recipe.layout == "classes" and recipe.problem != "classification":
        msg = "the classes layout is for classification"
        raise TableError(msg)


def _checked(name: str, value: Any) -> Any:
    """Convert a JSON value to the type of its field."""
    texts = {"task", "positive", "together", "order", "weight", *CHOICES}
    lists = {"targets", "features", "leave_out", "dates"}
    good = False
    if name in texts:
        good = isinstance(value, str) or (value is None and name not in CHOICES)
    elif name in lists:
        good = value is None and name == "features"
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
    elif name == "task_weights":
        value = value if isinstance(value, list) else [None]
        pairs = [tuple(one) for one in value if isinstance(one, list)]
        kinds = [tuple(type(item) for item in pair) for pair in pairs]
        if len(pairs) == len(value) and set(kinds) <= {(str, float), (str, int)}:
            return tuple((task, float(weight)) for task, weight in pairs)
    elif name in ("drop_constant", "drop_duplicates"):
        good = isinstance(value, bool)
    elif name == "threshold" and value is None:
        good = True
    elif name in ("seed", "min_rows"):
        good = isinstance(value, int) and not isinstance(value, bool)
    else:
        good = isinstance(value, int | float) and not isinstance(value, bool)
    if not good:
        msg = f"a recipe cannot have {name}={str(value)[:40]!r}"
        raise TableError(msg)
    return value
