"""Words that several pages use; those of one page are in its own ``words.py``."""

TITLE = "vstg"
EXPLORE = "Explore"

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

DOWNLOAD_TABLE = "Table as CSV"

COST = "This takes about {seconds} here, too long to follow a slider."
COST_AFTER_ALL = "This takes longer than expected, too long to follow a slider."
COST_WHY = {
    "admm": "Algorithm 1 works through every inner step of the paper.",
    "starts": "{count} starts are made, one after another.",
    "size": "The problem has {variables:,} variables and {tasks:,} tasks.",
}
FIT_NOW = "Fit now"
CANCEL_FIT = "Cancel the fit"
FIT_CANCELLED = "The fit was cancelled."
FIT_FAILED = "The solver gave up at these settings: {error}. Move a control and go on."
FIT_RUNNING = (
    "Start {restart} of {starts}, iteration {iteration}, objective {objective}"
)
FIT_WAITING = "Waiting for a free place"
FIT_STARTING = "Preparing the start"

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

TUNE, COMPARE, HISTORY = "Tune", "Compare", "History"

METHODS = ("Methods", "Each method is a run of its own, with its own grid.")

GRIDS = {"paper": "paper's", "coarse": "coarse", "own": "my own"}

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
RUN_QUEUED = "Waits for {count} other runs."
RUN_STARTING = "Starting: the numerical kernels are being loaded."
CANCEL_RUN = "Cancel the run"
RESUME_RUN = "Resume"
ENDED = {
    "cancelled": "Cancelled after {done} of {total} {unit}; they are kept.",
    "interrupted": "Interrupted after {done} of {total} {unit}: {message}",
    "failed": "It failed after {done} of {total} {unit}: {message}",
}
ENDED_EARLY = {  # before anybody knew how much there is to do
    "cancelled": "Cancelled before it began.",
    "interrupted": "Interrupted before it began: {message}",
    "failed": "It could not begin: {message}",
}
RESUME_HELP = "Goes on where it stopped; no finished fit is repeated."

READ_ONLY = (
    "The run store {path} is read-only: runs can be looked at, not started or changed."
)

KEEP = (
    "Keep in History",
    "Off: the run and the copy of your data that it needs are yours alone, and are "
    "removed when you leave: when this tab is closed for two minutes, or the server "
    "ends. On: both stay in the store of this server, for all its users.",
)
KEEPS_NOTHING = "Private: removed with your data when you leave."
KEEPS_DATA = "Stays on this server, for all its users, until the run is deleted."
NOT_SHOWN = "Explore's controls cannot show every value of this setting: {settings}."
NOT_HERE = (
    "Explore needs the data of this run, {name}, which are not in use in this visit: "
    "load them on the Data page first."
)

FIRST_ROWS = "The first {shown:,} of {total:,} rows; the file has all."
FIRST_ROWS_ONLY = "The first {shown:,} of {total:,} rows."

DATA, PREDICT = "Data", "Predict"

LIMITS = (
    "CSV, TSV, Excel (.xlsx), Parquet, or X and Y in a MATLAB (-v7) or NPZ file; up to "
    "{megabytes:.0f} MB, {cells:,} cells and {columns:,} columns. The file stays in "
    "this session: nobody else sees it, and it is gone when you leave."
)
TYPES = ["csv", "tsv", "txt", "tab", "xlsx", "xlsm", "parquet", "mat", "npz"]

HOW_READ = "How the file was read"
DELIMITER, DECIMAL, ENCODING, SHEET = "Delimiter", "Decimal mark", "Encoding", "Sheet"
GUESS = "guess"

LEVELS = {"error": "✗", "warning": "⚠", "info": "·"}
