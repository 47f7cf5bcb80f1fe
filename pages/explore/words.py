"""The words of Explore."""

TAGLINE = (
    "Many prediction tasks, one table of coefficients **W = U·V**. Which variables "
    "matter, and which tasks belong together?"
)

BAD_LINK = "The link asks for {key} = {value}, which is not possible; {used} is used."

HEAD = {
    "test": "Test error ({measure})",
    "ree": "Distance to truth (REE)",
    "variables": "Variables kept",
    "groups": "Groups of tasks",
    "objective": "Objective F",
    "run": "Run",
}
TRAIN_AND_FLOOR = "train {train} · noise floor {floor}"
TRAIN_ONLY = "train {train}"
NO_TRUTH = "the truth is unknown"
REE_NOTE = "‖W − W*‖ / ‖W*‖"
VARIABLES_TRUE = "{right:,} right · {wrong:,} wrong · {missed:,} missed"
VARIABLES_PLAIN = "{dropped:,} dropped"
GROUPS_TRUE = "{true} in truth · agreement {agreement}"
GROUPS_PLAIN = "{shared:,} pairs share bases"
TERMS_NOTE = "loss {loss} + penalties {penalty}"
CONVERGED = "converged"
NOT_CONVERGED = "not converged"
RUN_NOTE = "{iterations} iterations · {milliseconds}"
STOP_REASONS = {
    "tolerance": "It stopped because no block could be improved beyond the tolerance.",
    "max_iter": "It stopped at the limit of iterations, before the tolerance was met.",
    "callback": "It was stopped from outside.",
}
SOLVED_ON = "Solved on: {form}."

PANEL_GROUPS = "Task groups"
PANEL_VARIABLES = "Variables"
NO_BASIS = "no basis: these tasks predict zero"
STATUS = {
    "right": ("✓", "kept, and truly relevant"),
    "wrong": ("✗", "kept, but irrelevant in truth"),
    "missed": ("○", "dropped, but relevant in truth"),
    "dropped": ("–", "dropped"),
    "selected": ("✓", "kept"),
}
MORE = "and {count} more"
NOTHING_LEFT = (
    "Everything is zero: the penalties outweigh the data. Lower γ₁, γ₂ or μ to see "
    "something."
)

SCHEME_ALT = (
    "Heat maps of U, V and their product W, estimated{truth}. {kept} of {total} "
    "variables have a non-zero row in U; the tasks form {groups} groups."
)
SCHEME_ALT_TRUTH = " on the left and true on the right"
SCHEME_WORDS = {
    "estimate": "estimated",
    "truth": "true",
    "U": "variables × bases",
    "V": "bases × tasks",
    "zoom_in": "click: these tasks alone",
    "zoom_out": "click: all tasks",
    "open": "click: its tasks",
    "mean": "mean",
}
LEGENDS = {
    "signed": (
        "Brown is below zero, teal above; empty is exactly zero. Click a cell of W, "
        "or a letter to see its tasks alone; keys: arrows, + and −."
    ),
    "magnitude": "The stronger the colour, the larger; empty cells are exactly zero.",
    "pattern": "Grey is not zero; empty cells are exactly zero, as in Fig. 1.",
}
FORMULA_ZERO = "No basis connects this variable with this task."
FORMULA_HIDDEN = {
    True: "1 further term is zero.",
    False: "{count} further terms are zero.",
}
FORMULA_TRUE = "true value {value}"

TABS = {
    "groups": "Task groups",
    "variables": "Variables",
    "convergence": "Convergence",
    "tasks": "Per task",
    "share": "Share and take away",
}
MEMBERSHIP = "Who uses which basis"
MEMBERSHIP_NOTE = (
    "A row with several colours is a basis that groups share: there they overlap."
)
AGREEMENT_NOTE = (
    "Agreement with the truth, where 1 is perfect and 0 is chance: {groups} on which "
    "tasks form a group, {overlaps} on how many bases two tasks share."
)
OVERLAPS = "Bases that two groups share"
NO_OVERLAPS = "No task uses a basis, so there are no groups."
TRUE_MEMBERSHIP = "In truth"
TRUE_OVERLAPS = "In truth"
MEMBERSHIP_ALT = "Bases down, tasks across: which task uses which basis."
OVERLAPS_ALT = "A square of numbers: bases that each pair of groups has in common."
IMPORTANCE_ALT = "A bar a variable: largest entry of its row of U, and the row's sum."

GROUP_COLUMNS = {
    "group": "group",
    "n_tasks": "tasks (number)",
    "tasks": "tasks",
    "bases": "bases",
    "n_variables": "variables (number)",
    "variables": "variables",
}
VARIABLE_COLUMNS = {
    "max": "max |u|",
    "l1": "Σ |u|",
    "n_bases": "bases",
    "status": "status",
    "groups": "used by groups",
}
TASK_COLUMNS = {
    "n_train": "training rows Nⱼ",
    "n_test": "test rows",
    "train": "train {measure}",
    "test": "test {measure}",
    "group": "group",
}
TERMS_TITLE = "The objective and its four terms"
GAP_TITLE = "Distance to the end, logarithmic"
RESIDUALS_TITLE = "Residuals of the U-step (Algorithm 1)"
RESTARTS_TITLE = "Where each start ended"
SPREAD = "{count} starts ended between {best} and {worst}; the best is shown."
ONE_START = "One start was made. Raise “Starts” to see how far ends differ."
CONVERGENCE_ALT = "Curves of the objective's terms over the iterations."
TASKS_ALT = "Two bars a task: training and test error, with the noise floor as a line."
NOISE_FLOOR_NOTE = "The dashed line is the noise floor σ: no model can do better."

LINK_TITLE = "A link to this page"
LINK_NOTE = "It holds every control. Whoever opens it sees what you see."
PYTHON_TITLE = "The same in Python"
FILES_TITLE = "Files"
DOWNLOADS = {
    "U": "U as CSV",
    "V": "V as CSV",
    "W": "W as CSV",
    "model": "Model file",
    "report": "Report (HTML)",
}
MODEL_NOTE = "The model file opens in Python; it holds numbers only."
REPORT_NOTE = "The report is one file that opens without a network."

REPORT_TITLE = "VSTG-MTL: variables and groups of tasks"
REPORT_SETTINGS = "Settings"

PIN_HELP = "Keep it for Compare."

PIN = "Pin for Compare"
PINNED = "Pinned: it is on Compare and in History."

SUMMARY = "A summary: {variables:,} variables × {tasks:,} tasks do not fit a picture."
ROWS = "Rows: variables {first:,} to {last:,} by importance{of}."
FOUND = ", of the {count:,} with that name"
REST = "{count:,} further variables: {kept:,} non-zero, largest |u| = {largest}."
GROUPS = "Columns: groups {first:,} to {last:,} of {count:,}, the largest first."
TASKS = "Columns: tasks {first:,} to {last:,} of {count:,}."
MEANS = "A column is the mean over its tasks; click it to see them one by one."
HIDDEN = "{count:,} tasks are not in the picture."
NO_GROUP = "∅ · {n}"
ALL_GROUPS = "all groups"

FIRST_BARS = "The bars show the first {shown:,} of {total:,}."

LARGEST_GROUPS = (
    "The {shown:,} largest of {total:,} groups; one column a group, with the number of "
    "its tasks."
)
LARGEST_SQUARE = "The {shown:,} largest of {total:,} groups."
ONE_A_GROUP = "One column a group, with the number of its tasks."
