"""Every word of the dashboard, in one place, so that it can be translated.

Controls say what they do to the picture; the paper's symbol stands beside the word.
"""

TITLE = "vstg"
EXPLORE = "Explore"
TAGLINE = (
    "Many prediction tasks, one table of coefficients **W = U·V**. Which variables "
    "matter, and which tasks belong together?"
)

# key: (label, help)
CONTROLS: dict[str, tuple[str, str]] = {
    "data": (
        "Data set",
        "Each picture is the true W: a row a variable, a column a task, empty where "
        "zero. Syn2 and Syn4 have overlapping groups of tasks, Syn3 and Syn4 bases "
        "that share variables.",
    ),
    "size": ("Size", "Variables × tasks. Larger problems are fitted on request."),
    "seed": ("Seed", "The same seed draws the same data, on every machine."),
    "n": (
        "Rows (N)",
        "Training rows of each task. Fewer: the estimate gets noisier and the test "
        "error leaves the noise floor.",
    ),
    "noise": (
        "Noise (σ)",
        "Spread of what no model can predict. It is the floor of the test error.",
    ),
    "K": (
        "Bases (K)",
        "Latent bases: columns of U, rows of V, the building blocks of all tasks.",
    ),
    "k": (
        "Mixing (k)",
        "Bases that a task may mix freely. k = 1 makes every column of V as sparse as "
        "can be; a larger k lets tasks use related bases together: more overlap.",
    ),
    "g1": (
        "Sparsity of entries (γ₁)",
        "Larger: more single entries of U become exactly zero.",
    ),
    "g2": (
        "Sparsity of variables (γ₂)",
        "Larger: whole rows of U vanish, so those variables leave every task.",
    ),
    "tie": ("μ = γ₁, as in the paper", "Switch off to move μ on its own."),
    "mu": (
        "Shrinkage of tasks (μ)",
        "Larger: tasks use fewer bases with smaller weights, V empties.",
    ),
    "solver": (
        "Solver",
        "Both minimise the same objective, eq. (6). Algorithm 1 is the paper's, step "
        "by step, and takes many times as long.",
    ),
    "starts": (
        "Starts",
        "The problem has many local minima. More starts, and the best end is shown.",
    ),
    "view": (
        "Show",
        "Signed values, their size, or only where they are not zero (as in Fig. 1).",
    ),
    "by_group": ("tasks by group", "Put tasks of one group side by side."),
    "by_size": ("variables by importance", "Put the most important variable on top."),
    "truth": ("truth beside it", "Show U*, V* and W* from which the data were drawn."),
    "zero": (
        "Counts as zero",
        "For groups and selected variables. The solver gives exact zeros, so exact is "
        "the default; a share treats entries below it (of the largest) as zero.",
    ),
    "var": ("Variable", "Or click a cell of W."),
    "task": ("Task", "Or click a cell of W."),
    "top": ("Rows", "How many variables the picture shows at a time."),
    "vpage": ("Page of variables", "The first page has the most important ones."),
    "find": ("Find variables", "Only those whose name contains this."),
    "group": ("Tasks", "All groups, a column each; or the tasks of one group."),
    "tpage": ("Page of tasks", "Where there are more columns than fit."),
}

SECTIONS = {"data": "Data", "model": "Model"}
YOURS = "{name}: {variables:,} variables × {tasks:,} tasks"
DRAW_AGAIN = "Draw again"
DRAW_AGAIN_HELP = "New data from the next seed."
PRESETS = "Start from"
K_NEEDS = "These data allow at most K = {limit}; shown for K = {limit}."
MIXING_NEEDS = "k cannot exceed K: shown for k = K = {limit}."
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
DOWNLOAD_TABLE = "Table as CSV"
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

COST = "This takes about {seconds} here, too long to follow a slider."
COST_AFTER_ALL = "This takes longer than expected, too long to follow a slider."
COST_WHY = {
    "admm": "Algorithm 1 works through every inner step of the paper.",
    "starts": "{count} starts are made, one after another.",
    "size": "The problem has {variables:,} variables and {tasks:,} tasks.",
}
RUN = "Fit now"
CANCEL = "Cancel the fit"
CANCELLED = "The fit was cancelled."
FAILED = "The solver gave up at these settings: {error}. Move a control and go on."
RUNNING = "Start {restart} of {starts}, iteration {iteration}, objective {objective}"
WAITING = "Waiting for a free place"
STARTING = "Preparing the start"

REPORT_TITLE = "VSTG-MTL: variables and groups of tasks"
REPORT_SETTINGS = "Settings"

# Of the login that `vstg app --login` asks for.
LOGIN_ASK = "This dashboard is for people who are known to it."
LOG_IN, LOG_IN_WITH, LOG_OUT = "Log in", "Log in with {name}", "Log out"
NOT_ADMITTED = (
    "You are logged in as {who}, who is not on the list of this dashboard. Ask whoever "
    "runs it, or log out and come in as somebody else."
)
LOGIN_BROKEN = (
    "This dashboard was started with a login, and nobody can log in yet: {trouble} "
    "Whoever runs it has to mend that and start it again."
)
LOGIN_PACKAGES = "{names} missing; pip install 'vstg[login]' brings what it needs."
LOGIN_SECRETS = "there is no .streamlit/secrets.toml that can be read and has [auth]."
LOGIN_KEYS = "{section} of .streamlit/secrets.toml lacks {names}."
LOGIN_SHORT = "cookie_secret has fewer than {least} characters."
