"""The words of Explore."""

from typing import Any

from pages.shared.glossary import TERMS

TAGLINE = (
    "Many prediction tasks, one table of coefficients **W = U·V**. Which variables "
    "matter, and which tasks belong together?"
)

STORY_TERMS = {  # name in the glossary, and how it is written
    "task": ("task", "shop"),
    "variable": ("variable", "columns"),
    "W": ("W", "W"),
    "U": ("U", "U"),
    "V": ("V", "V"),
    "basis": ("basis", "patterns"),
    "group": ("group", "group"),
}
STORY_STEPS = (
    (
        "The data",
        "Weekly sales of 24 shops, and 14 {variable} that may explain them. Every "
        "{task} is a prediction task.",
    ),
    (
        "Coefficients",
        "{W} has one row per variable and one column per shop. Empty: no effect.",
    ),
    (
        "Shared patterns",
        "W = {U}·{V}: U says which variables make up the {basis}, V which shops use "
        "them.",
    ),
    (
        "The answer",
        "Shops with the same patterns form a {group} (A, B, …); six variables count.",
    ),
)
TO_THE_PAPER = "Have you read the paper? Open its Syn1"

BAD_LINK = (
    "The link asks for {key} = {value}, which is not possible; {used} is used instead."
)

FIND = "Find the settings"
FIND_HELP = (
    "Tries many settings and starts, evaluates them by cross-validation, moves the "
    "controls to the best, and shows how sure the result is. Runs in the background "
    "and is kept in History."
)
FIND_FAILED = "The search for the settings ended early. {reason}"
FOUND_ELSEWHERE = (
    "The settings were found for the data that were chosen before; they are in History."
)
FOUND_BADGE = "Found by cross-validation"
FOUND_SUMMARY = "What was found"
FOUND_EXACTLY = (
    "The controls show the closest values; the exact settings are {settings}."
)
NOT_REPEATABLE = (
    "The search found this model from a start of its own: a fit of the same settings "
    "may end elsewhere."
)

LAST_PICTURE = "The last picture, of other settings:"

CURVE = (
    "Validation error ({measure}) for {symbol} from {first} to {last}: {error} at "
    "{now}, where it is now; lowest {lowest} at {least}."
)
PLAY = "Play {symbol} from its lowest to its highest value"
CURVE_SOON = "The curve of the validation error is being computed."
CURVES_LEGEND = (
    "Error on held-out rows: "
    '<i class="vstg-now"></i> now, <i class="vstg-least"></i> lowest. '
    "Drag along a curve, and the picture follows."
)
CURVES_SLOW = "No error curves below the sliders: a fit of these data takes too long."
CURVES_OFF = "No error curves below the sliders: this server has them switched off."
CURVES_FAILED = (
    "No error curves below the sliders: too few rows to hold some of them out."
)

HEAD = {
    "test": "Test error ({measure})",
    "ree": "Estimation error (REE)",
    "variables": "Variables kept",
    "groups": "Groups of tasks",
    "objective": "Objective F",
    "run": "Run",
}
UNLIKE = "The main difference from {letter} is {difference}."
UNLIKE_NOTE = (
    "A difference is in the units of the target: its mean change with one standard "
    "deviation of the variable, or from 0 to 1."
)
BASES_ARE = "What the bases consist of: {names}"
EFFECTS = "Effects in the units of the table"
EFFECTS_NOTE = (
    "How much the target changes, on average over the tasks of a group, when one "
    "variable changes and the others stay fixed: by one unit, and by one standard "
    "deviation (for a 0/1 variable, from 0 to 1). Lowest and highest are the extremes "
    "over the tasks."
)
EFFECTS_OF_LOGS = {
    "deviance": (
        "“The target” is here the logarithm of the expected count: an effect of 0.1 is "
        "about 10 % more, and one of 0.69 twice as much."
    ),
    "error_rate": "“The target” is here the logarithm of the odds.",
}
HOW_GOOD = "Compared with plain models, on the test rows"
PLAIN_MODELS = "plain models"
TRAIN_AND_FLOOR = "train {train} · noise floor {floor}"
TRAIN_ONLY = "mean over tasks · train {train}"
REE_NOTE = "‖W − W*‖ / ‖W*‖"
VARIABLES_TRUE = "{right:,} right · {wrong:,} wrong · {missed:,} missed"
VARIABLES_PLAIN = "{dropped:,} dropped"
GROUPS_TRUE = "{true} true · agreement {agreement}"
GROUPS_PLAIN = "{shared:,} {pairs} bases"
ONE_PAIR, PAIRS = "pair of groups shares", "pairs of groups share"
TERMS_NOTE = "loss {loss} + penalties {penalty}"
CONVERGED = "converged"
NOT_CONVERGED = "not converged"
RUN_NOTE = "{iterations} iterations · {milliseconds}"
STOP_REASONS = {
    "tolerance": (
        "The solver stopped because neither U nor V could be improved by more than the "
        "tolerance."
    ),
    "max_iter": (
        "The solver reached the limit of iterations before the tolerance was met."
    ),
    "callback": "The solver was stopped early.",
}
SOLVED_ON = "The data were used as {form}."
REFITTED = (
    "After this descent small entries were cut and the others fitted again in {rounds} "
    "rounds; the curves show the descent before."
)

PANEL_GROUPS = "Task groups"
PANEL_VARIABLES = "Variables"
HOW_SURE = "How sure is this?"
HOW_SURE_HELP = (
    "Fits both halves of {halves} random splits of the rows again, and shows how often "
    "each variable is kept and how often the tasks of a group stay together."
)
SURE = "%: how often this is found on {count} random halves of the rows"
SURE_BARS = "A pale bar: few of {count} random halves of the rows keep the variable."
NO_BASIS = "no basis: no variable is used for these tasks"
STATUS = {
    "right": ("✓", "kept, and relevant in truth"),
    "wrong": ("✗", "kept, but irrelevant in truth"),
    "missed": ("○", "dropped, but relevant in truth"),
    "dropped": ("–", "dropped"),
    "selected": ("✓", "kept"),
}
MORE = "and {count} more"
NOTHING_LEFT = (
    "All coefficients are zero: the penalties outweigh the data. Lower γ₁, γ₂ or μ."
)

SCHEME_ALT = (
    "Heat maps of U, V and their product W, estimated{truth}. {kept} of {total} "
    "variables have a non-zero row in U; the tasks form {groups} groups."
)
SCHEME_ALT_TRUTH = " on the left and true on the right"
SCHEME_WORDS: dict[str, Any] = {
    "terms": {letter: TERMS[letter] for letter in "WUV"},
    "estimate": "estimated",
    "truth": "true",
    "U": "variables × bases",
    "V": "bases × tasks",
    "zoom_in": "click: show only these tasks",
    "zoom_out": "click: show all tasks",
    "open": "click: show its tasks",
    "mean": "mean",
    "sure_variable": "of the halves keep it",
    "sure_group": "of the halves keep its tasks together",
}
LEGENDS = {
    "signed": "Brown is negative, teal is positive, empty is exactly zero.",
    "magnitude": (
        "The stronger the colour, the larger the entry; empty cells are exactly zero."
    ),
    "pattern": "Grey entries are non-zero; empty cells are exactly zero, as in Fig. 1.",
}
CLICK = (
    "Click a cell of W to see how it is computed, or a letter to see only its tasks; "
    "with the keyboard use the arrows, + and −."
)
FORMULA_ZERO = "No basis connects this variable with this task."
FORMULA_HIDDEN = {
    True: "1 further term is zero.",
    False: "{count} further terms are zero.",
}
FORMULA_SAYS = {
    True: "The higher {variable}, the higher the prediction for {task}.",
    False: "The higher {variable}, the lower the prediction for {task}.",
}
FORMULA_TRUE = "true value {value}"

AS_TABLES = "U, V and W as tables"
MATRIX_NAMES = {
    "U": "U, the variables of each basis",
    "V": "V, the bases of each task",
    "W": "W = U·V, the coefficient of each variable for each task",
}

TABS = {
    "groups": "Task groups",
    "variables": "Variables",
    "convergence": "Convergence",
    "tasks": "Per task",
    "share": "Share and export",
}
MEMBERSHIP = "Which task uses which basis"
MEMBERSHIP_NOTE = (
    "A row with several colours is a basis that several groups share: these overlap."
)
AGREEMENT_NOTE = (
    "Agreement with the truth (1 is perfect, 0 is chance): {groups} for which tasks "
    "form a group, {overlaps} for how many bases two tasks share."
)
NOT_UNIQUE = "W is unique, its factors are not"
NOT_UNIQUE_WHY = (
    "The data determine W. For every invertible M, **U·M** and **M⁻¹·V** have the same "
    "product, so they predict the same. The penalties and the starting point decide "
    "which of these forms is found. So overlap between groups can show in V, where "
    "tasks combine bases, or in U, where bases share variables."
)
OVERLAP_IN_U = (
    "Here no two groups share a basis, but {count:,} variables are in several bases: "
    "the overlap is in U. With a larger k and more starts, the fit may find a similar "
    "W with its overlap in V."
)
OVERLAP_IN_V = "Here groups share bases: the overlap is in V."
FORM = "Write the same W with"
AS_FITTED = "fitted"
FORMS = {
    AS_FITTED: "the fitted factors",
    "sparse": "few non-zeros",
    "tasks": "one task per basis",
    "variables": "one variable per basis",
}
FORM_NOTES = {
    "sparse": (
        "As few non-zeros in U and V as could be found by adding multiples of one "
        "basis to another."
    ),
    "tasks": (
        "Each basis holds the coefficients of one task, and the other tasks combine "
        "these bases. The tasks with the fewest coefficients are chosen."
    ),
    "variables": (
        "Each basis has one variable to itself, and the other variables are in several "
        "bases. The variables that the fewest tasks use are chosen."
    ),
}
FORM_COUNTS = (
    "Non-zero entries: {u:,} in U (fitted: {u0:,}) and {v:,} in V (fitted: {v0:,}), "
    "with {bases} bases (fitted: {bases0})."
)
FORM_SAME = (
    "Non-zero entries: {u:,} in U and {v:,} in V, as in the fitted factors, with "
    "{bases} bases."
)
SAME_W = (
    "W is the same: the largest difference is {difference} of its largest entry, which "
    "is rounding."
)
FORM_ALT = "Heat maps of U, V and W, written with {form}."
OVERLAPS = "Bases that two groups share"
NO_OVERLAPS = "No task uses a basis, so there are no groups."
TRUE_MEMBERSHIP = "In truth"
TRUE_OVERLAPS = "In truth"
MEMBERSHIP_ALT = (
    "A table with one row per basis and one column per task: which task uses which "
    "basis."
)
OVERLAPS_ALT = "A square table: the number of bases that each pair of groups shares."
IMPORTANCE_ALT = (
    "One bar per variable: the largest entry of its row of U, and the sum of the row."
)

GROUP_COLUMNS = {
    "group": "group",
    "n_tasks": "tasks (number)",
    "tasks": "tasks",
    "bases": "bases",
    "n_variables": "variables (number)",
    "variables": "variables",
    "cohesion": "cohesion",
}
VARIABLE_COLUMNS = {
    "max": "max |u|",
    "l1": "Σ |u|",
    "n_bases": "bases",
    "status": "status",
    "groups": "used by groups",
    "frequency": "frequency",
}
TASK_COLUMNS = {
    "n_train": "training rows Nⱼ",
    "n_test": "test rows",
    "train": "train {measure}",
    "test": "test {measure}",
    "group": "group",
    "few": "remark",
}
FEW_ROWS = "few rows"
TERMS_TITLE = "The objective and its four terms"
GAP_TITLE = "Gap to the final objective (log scale)"
RESIDUALS_TITLE = "Residuals of the U-step (Algorithm 1)"
RESTARTS_TITLE = "Final objective of each start"
SPREAD = (
    "{count} starts reached objectives between {best} and {worst}; the best result is "
    "shown."
)
ONE_START = "This is one start. Raise “Starts” to see how much the results differ."
CONVERGENCE_ALT = "Curves of the terms of the objective over the iterations."
TASKS_ALT = "Two bars per task: training and test error; a line marks the noise floor."
NOISE_FLOOR_NOTE = "The dashed line is the noise floor σ: no model can do better."

LINK_TITLE = "A link to this page"
LINK_NOTE = "The link contains every control: whoever opens it sees what you see."
LINK_NOTE_OWN = (
    "The link holds your controls, not your data: others who open it cannot see them, "
    "and neither can you in another browser. To show your results, send the report."
)
PYTHON_TITLE = "The same in Python"
FIGURE_TITLE = "The picture for a paper or a talk"
FIGURE_LOOK, FIGURE_LOOKS = "Colours", ("in colour", "in greys, as in the paper")
FILES_TITLE = "Files"
DOWNLOADS = {
    "U": "U as CSV",
    "V": "V as CSV",
    "W": "W as CSV",
    "model": "Model file",
    "report": "Report (HTML)",
}
MODEL_NOTE = "Opens in Python, on the Predict page and with vstg predict."
REPORT_NOTE = "One file that opens without a network connection."

REPORT_TITLE = "{name}: which variables matter, and which tasks belong together"
REPORT_QUESTION, REPORT_ANSWER = "The question", "The answer"
REPORT_ASKED = (
    "Which of {variables:,} variables help to predict {target}, and which of {tasks:,} "
    "tasks are alike? One table of coefficients W = U·V (VSTG-MTL) answers both: a "
    "variable without a coefficient is dropped, and tasks that use the same columns of "
    "U form a group."
)
REPORT_TARGET = "the target"
REPORT_KEPT = "{kept:,} of {total:,} variables are kept: {names}."
REPORT_UNSURE = (
    "How certain this is has not been checked yet: press “How sure is this?” or “Find "
    "the settings” on Explore, and download the report again."
)
REPORT_SURE = (
    "The model was fitted again on {halves} random halves of the rows: each of these "
    "variables was kept in at least {least} of them."
)
REPORT_TOGETHER = (
    "Two tasks of a group stayed together in at least {least}, on average."
)
REPORT_PICTURES = "Pictures"
REPORT_INTERVALS = "Prediction intervals"
REPORT_INTERVALS_NOTE = (
    "Half the width of the interval that covers so many new rows of a task: its "
    "prediction plus or minus this. From the errors on the test rows (split conformal "
    "prediction); a task with few of them has the width of all tasks together."
)
REPORT_OWN_WIDTH, REPORT_CALIBRATION = "own width at 90%", "test rows"
REPORT_BY_TASK = "Task by task, on the test rows"
EXPLAINED = {
    "R²": "R² is the share of the variation within the tasks that a model explains.",
    "D²": (
        "D² is the share of the deviance (for numbers with outliers, of Huber's loss) "
        "within the tasks that a model explains."
    ),
}
REPORT_DATA = "The data"
REPORT_PREPARED = "Rows with gaps: {missing}. Scaling of the variables: {scaling}."
REPORT_UNITS = (
    "The target was fitted in units of its spread ({unit}); all errors, effects and "
    "predictions here are in the units of the table."
)
REPORT_WEIGHTS = "Not everything counts alike, in the fit and in the errors: {weights}."
REPORT_SETTINGS = "Settings and results"
REPORT_REPEAT = "How to repeat it"
REPORT_VERSION = "With vstg {version}:"

PIN_HELP = "Keep this fit, to compare it with others."

PIN = "Pin for Compare"
PINNED = "Pinned: see Compare and History."

SUMMARY = (
    "A summary: {variables:,} variables × {tasks:,} tasks are too many for one picture."
)
ROWS = "Rows: variables {first:,} to {last:,} by importance{of}."
FOUND = ", of the {count:,} whose name matches"
REST = "{count:,} further variables: {kept:,} non-zero, largest |u| = {largest}."
GROUPS = "Columns: groups {first:,} to {last:,} of {count:,}, the largest first."
TASKS = "Columns: tasks {first:,} to {last:,} of {count:,}."
MEANS = "Each column is the mean over its tasks; click it to see the tasks."
HIDDEN = "{count:,} tasks are not shown."
NO_GROUP = "∅ · {n}"
ALL_GROUPS = "all groups"

FIRST_BARS = "The bars show the first {shown:,} of {total:,}."

LARGEST_GROUPS = (
    "The {shown:,} largest of {total:,} groups: one column per group, with its number "
    "of tasks."
)
LARGEST_SQUARE = "The {shown:,} largest of {total:,} groups."
ONE_A_GROUP = "One column per group, with its number of tasks."
