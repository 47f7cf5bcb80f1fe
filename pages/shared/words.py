"""Texts that several pages use; those of one page are in its own ``words.py``."""

from pages.shared.glossary import TERMS

TITLE = "vstg"
EXPLORE = "Explore"

# key: (label, help)
CONTROLS: dict[str, tuple[str, str]] = {
    "data": (
        "Data set",
        "Shops is a made-up table of the weekly sales of a chain. Syn1 to Syn4 are the "
        "synthetic problems of the paper; each picture is the true W: one row per "
        "variable, one column per task, empty where W is zero. In Syn2 and Syn4 groups "
        "of tasks overlap; in Syn3 and Syn4 bases share variables.",
    ),
    "size": (
        "Size",
        "Variables × tasks. Large problems are fitted when you ask for it.",
    ),
    "seed": ("Seed", "The same seed gives the same data on every machine."),
    "n": (
        "Rows (N)",
        "Training rows per task. With fewer rows the estimate gets noisier and the "
        "test error rises above the noise floor.",
    ),
    "noise": ("Noise (σ)", TERMS["noise"]),
    "K": ("Bases (K)", TERMS["K"]),
    "k": ("Bases per task (k)", TERMS["k"]),
    "g1": ("Sparsity of entries (γ₁)", TERMS["γ1"]),
    "g2": ("Sparsity of variables (γ₂)", TERMS["γ2"]),
    "tie": ("μ = γ₁, as in the paper", "Switch off to choose μ separately."),
    "mu": ("Shrinkage of tasks (μ)", TERMS["μ"]),
    "cut": ("Cut", TERMS["cut"]),
    "refit": ("Refit", TERMS["refit"]),
    "exact": (
        "Exact values",
        "Values between or beyond the slider positions, such as K=20 g1=0.3 cut=12% "
        "relax=0.5. Write g1, g2 and mu for γ₁, γ₂ and μ; powers such as 2^-5 work "
        "too. A value applies until you move its slider.",
    ),
    "solver": (
        "Solver",
        "Both minimise the same objective, eq. (6). Algorithm 1 follows the paper step "
        "by step and takes many times as long.",
    ),
    "starts": (
        "Starts",
        "The objective has many local minima, and the starting point decides which one "
        "is found. The best result of all starts is shown.",
    ),
    "view": (
        "Show",
        "Signed values, absolute values, or only which entries are non-zero (as in "
        "Fig. 1).",
    ),
    "by_group": ("tasks by group", "Place the tasks of a group side by side."),
    "by_size": (
        "sort variables",
        "Place the most important variable at the top.",
    ),
    "truth": (
        "show the truth",
        "Show the true U*, V* and W* from which the data were drawn.",
    ),
    "curves": (
        "Error curves",
        "Below each slider: the error on held-out rows at every position, while the "
        "other sliders stay where they are. One fifth of the training rows is held "
        "out, unless the data have validation rows.",
    ),
    "paper": (
        "x0, task0, …",
        "Number variables and tasks, as the paper does, in place of their names.",
    ),
    "zero": (
        "Treat as zero",
        "From an older link: groups and selected variables ignore entries that are "
        "smaller than this share of the largest. The model keeps these entries; the "
        "cut removes them from the model.",
    ),
    "var": ("Variable", "Or click a cell of W."),
    "task": ("Task", "Or click a cell of W."),
    "top": ("Rows", "The number of variables that the picture shows at a time."),
    "vpage": (
        "Page of variables",
        "The most important variables are on the first page.",
    ),
    "find": ("Find variables", "Show only variables whose name contains this text."),
    "group": ("Tasks", "All groups, one column per group, or the tasks of one group."),
    "tpage": ("Page of tasks", "Used when there are more columns than fit."),
}

SECTIONS = {"data": "Data", "model": "Model"}
YOURS = "{name}: {variables} × {tasks}"
DRAW_AGAIN = "Draw again"
DRAW_AGAIN_HELP = "New data from the next seed."
PRESETS = "Start from"
ARRANGE = "Arrange"
K_NEEDS = "These data allow at most K = {limit}, which is used."
MIXING_NEEDS = "k cannot exceed K, so k = K = {limit} is used."
MORE = "More"
TYPED = "Exactly: {settings}. The sliders show the closest positions."
NOT_TYPED = "Not used: {reasons}."

DOWNLOAD_TABLE = "Table as CSV"

COST = "This fit takes about {seconds}: too slow to update live."
COST_AFTER_ALL = "This fit takes longer than expected: too slow to update live."
COST_WHY = {
    "admm": "Algorithm 1 carries out every inner step of the paper.",
    "starts": "{count} starts are run one after another.",
    "size": "The problem has {variables:,} variables and {tasks:,} tasks.",
}
FIT_NOW = "Fit now"
CANCEL_FIT = "Cancel the fit"
FIT_CANCELLED = "The fit was cancelled."
FIT_FAILED = (
    "The solver failed with these settings: {error}. Change a control to try again."
)
FIT_RUNNING = (
    "Start {restart} of {starts}, iteration {iteration}, objective {objective}"
)
FIT_WAITING = "Waiting for a free worker"
FIT_STARTING = "Preparing the fit"

# Of the login that `vstg app --login` asks for.
LOGIN_ASK = "Please log in: access is restricted."
LOG_IN, LOG_IN_WITH, LOG_OUT = "Log in", "Log in with {name}", "Log out"
NOT_ADMITTED = (
    "You are logged in as {who}, but this account has no access to the dashboard. Ask "
    "its operator for access, or log out and use another account."
)
LOGIN_BROKEN = (
    "This dashboard requires a login, but nobody can log in yet: {trouble} The "
    "operator has to fix this and restart it."
)
LOGIN_PACKAGES = "{names} missing; install with pip install 'vstg[login]'."
LOGIN_SECRETS = "there is no readable .streamlit/secrets.toml with a section [auth]."
LOGIN_KEYS = "{section} of .streamlit/secrets.toml lacks {names}."
LOGIN_SHORT = "cookie_secret has fewer than {least} characters."

TUNE, COMPARE, HISTORY = "Tune", "Compare", "History"

METHODS = ("Methods", "Each method becomes a separate run with its own grid.")

GRIDS = {"paper": "paper", "coarse": "coarse", "own": "custom"}

THREADS_WHERE = "{n} threads"
ONE_THREAD = "one thread"

NO_METHOD = "Choose at least one method."

CHOOSE_RUN = "Run"
RUN_STATUS = {
    "queued": "waiting",
    "running": "running",
    "done": "finished",
    "cancelled": "cancelled",
    "failed": "failed",
    "interrupted": "interrupted",
}
PROGRESS = "{done} of {total} {unit} · {seconds} so far · {left} left"
PROGRESS_NEW = "{done} of {total} {unit} · {seconds} so far"
RUN_QUEUED = "Waiting for {count} other runs."
RUN_STARTING = "Starting: loading the compiled solver."
CANCEL_RUN = "Cancel the run"
RESUME_RUN = "Resume"
ENDED = {
    "cancelled": (
        "Cancelled after {done} of {total} {unit}; the finished ones are kept."
    ),
    "interrupted": "Interrupted after {done} of {total} {unit}: {message}",
    "failed": "Failed after {done} of {total} {unit}: {message}",
}
ENDED_EARLY = {  # before the amount of work was known
    "cancelled": "Cancelled before it started.",
    "interrupted": "Interrupted before it started: {message}",
    "failed": "Could not start: {message}",
}
RESUME_HELP = "Continues where it stopped; finished fits are not repeated."

READ_ONLY = (
    "The run store {path} is read-only: runs can be viewed, but not started or changed."
)

KEEP = (
    "Keep in History",
    "Off: the run and its copy of your data are visible only to you, and are deleted "
    "when you leave, that is when this tab has been closed for two minutes or the "
    "server stops. On: both stay on this server, visible to all its users.",
)
KEEPS_NOTHING = "Private: deleted together with your data when you leave."
KEEPS_DATA = "Stays on this server, visible to all its users, until the run is deleted."
NOT_SHOWN = "Explore's controls cannot show every value of this setting: {settings}."
FITTED_WITH = {  # what a run was asked for, by the field of its request
    "loss": "loss = {asked} (shown: {shown})",
    "fit_intercept": "intercepts = {asked} (shown: {shown})",
}
NO_NAME = "unnamed"
NOT_HERE = (
    "Explore needs the data of this run ({name}), which neither this session nor the "
    "store has: load them on the Data page first, prepared in the same way."
)
OF_RUN = (
    "The data of run {number} come from the store, which keeps training rows only: "
    "errors called test errors are here those on the training rows."
)
PUT_AWAY = "They took the place of {name}: load it again on the Data page."

FIRST_ROWS = "The first {shown:,} of {total:,} rows; the download contains all."
FIRST_ROWS_ONLY = "The first {shown:,} of {total:,} rows."

DATA, PREDICT = "Data", "Predict"

LIMITS = (
    "CSV, TSV, Excel (.xlsx), Parquet, or X and Y in a MATLAB (-v7) or NPZ file; up to "
    "{megabytes:.0f} MB, {cells:,} cells and {columns:,} columns. The file is kept "
    "in this session only: nobody else sees it, and it is deleted when you leave."
)
TYPES = ["csv", "tsv", "txt", "tab", "xlsx", "xlsm", "parquet", "mat", "npz"]

HOW_READ = "How the file was read"
DELIMITER, DECIMAL, ENCODING, SHEET = "Delimiter", "Decimal mark", "Encoding", "Sheet"
GUESS = "guess"
FIRST_SHEET = "the first with values"
ARRAYS = {"x": "X (variables)", "y": "Y (targets)", "tasks": "Task of each row"}
ARRAY_GUESS = {"x": "X", "y": "Y", "tasks": "none: Y has one column per task"}

LEVELS = {"error": "✗", "warning": "⚠", "info": "·"}
