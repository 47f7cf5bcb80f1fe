"""Every word of Tune, History and Compare; those of Explore are in texts.py."""

TUNE, COMPARE, HISTORY = "Tune", "Compare", "History"
TUNE_TAGLINE = (
    "Judge every setting of a grid on data it has not seen, in the background. Leave "
    "the page when you like: nothing stops, nothing is lost."
)
COMPARE_TAGLINE = (
    "Methods on the same splits, and runs beside each other: what differs, and "
    "whether it is more than chance."
)

METHODS = ("Methods", "Each method is a run of its own, with its own grid.")
GRID = ("Grid", "Strengths are powers of two, so that Explore can show every one.")
GRIDS = {"paper": "paper's", "coarse": "coarse", "own": "my own"}
OWN_K = ("Bases (K)", "Values to try.")
OWN_MIX = ("Mixing (k)", "Values to try; those above K are left out.")
OWN_G1 = ("γ₁ from 2^a to 2^b", "μ follows γ₁, as in the paper.")
OWN_G2 = ("γ₂ from 2^a to 2^b", "Walked from weak to strong, each fit from the last.")
OWN_STEP = ("Step of the exponents", "1 tries every power of two, 2 every other.")
JUDGED = ("Judged on", "Folds of the training data, or the test rows at once.")
JUDGES = {"folds": "folds", "validation": "validation set"}
FOLDS = ("Folds", "Every row is held out once.")
REPEATS = ("Repeats", "How often the folds are drawn anew.")
FOLD_SEED = ("Seed", "The same seed deals the same folds.")
HALVING = (
    "Successive halving",
    "All settings on two folds, the best third on more, until the last have seen all: "
    "a third of the work or less. Off: every setting on every fold.",
)
THREADS = ("Threads", "The search has a low priority: sliders are served first.")
SCHEDULER = (
    "Dask scheduler",
    "An address such as tcp://10.0.0.1:8786. Empty: this machine. Needs vstg[cluster].",
)
ADVANCED = "Threads and cluster"
SECTION_SEARCH = "Search"
START = "Start the search"
SIZE = "**{settings} settings × {parts} = {fits} fits**, about {time} on {where}."
SIZE_PARTS = {"folds": "{n} folds", "validation": "1 validation set"}
SIZE_HALVING = (
    "**{settings} settings by halving, some {fits} fits**, about {time} on {where}."
)
THREADS_WHERE = "{n} threads"
ONE_THREAD = "one thread"
CLUSTER_WHERE = "the cluster at {address}"
NO_VALUE = "The grid has no value for {symbol}; choose at least one."
NO_METHOD = "Choose at least one method."

NO_RUNS = (
    "No search yet. Choose data, methods and a grid in the sidebar and start: the map "
    "of errors fills in here while it runs."
)
STARTED = "{count} runs, one a method: find them in the list of runs."
CHOOSE_RUN = "Run"
STATUS = {
    "queued": "waiting",
    "running": "running",
    "done": "finished",
    "cancelled": "cancelled",
    "failed": "failed",
    "interrupted": "interrupted",
}
PROGRESS = "{done} of {total} {unit} · {seconds} so far · {left} left"
PROGRESS_NEW = "{done} of {total} {unit} · {seconds} so far"
QUEUED = "Waits for {count} other runs."
STARTING = "Starting: the numerical kernels are being loaded."
CANCEL = "Cancel the run"
RESUME = "Resume"
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

BEST_SHOWN = "best shown"
ANY_SHOWN = "another shown"
SIGNS = {"best": "★", "one_se": "○"}
ONE_SE = "one standard error"
BEST_TILE = "Least {measure} (± SE)"
ONE_SE_TILE = "Sparsest within one SE"
FITS_TILE = "Fits"
TIME_TILE = "Time"
FROM_BEFORE = "{count} fits were there"
OPEN_BEST = "Open the best in Explore"
OPEN_ONE_SE = "Open the one-SE choice"
PIN_HELP = "Keep it for Compare."
NOT_EXPLORABLE = "Explore shows VSTG-MTL; this is a search of {method}."

FILTER_SHARE = (
    "Show",
    "One filter for all figures and the table; Path and Stability begin from a setting "
    "that passes it. The best and the one-SE choice are those of the whole search.",
)
SHARES = {1.0: "all settings", 0.5: "best half", 0.25: "best quarter", 0.1: "best 10 %",
          0.05: "best 5 %", 0.01: "best 1 %"}  # fmt: skip
FILTER_RANGES = "Ranges"
FILTER_ALL = "{total} settings"
FILTER_COUNT = (
    "{shown} of {total} settings, in every tab below; the two choices above are those "
    "of the whole search"
)
FILTER_EMPTY = "No setting passes the filter. Widen the ranges."
ERROR_RANGE = "error"

TABS = {
    "maps": "Error maps",
    "values": "K and k",
    "parallel": "All parameters",
    "importance": "What matters",
    "sparsity": "Error and sparsity",
    "path": "Path",
    "stability": "Stability",
    "table": "Table",
}
MAP_NOTE = "Lower is better. ★ best, ○ sparsest within one standard error."
CLICK_CELL = "Click a cell to open it in Explore."
MAP_ALT = "Heat maps of the cross-validated error over γ1 and γ2."
FOLLOW = (
    "Follow the search",
    "The map shows the K and k that are being judged. Off: choose them yourself.",
)
LIVE_CURVE = "Best so far"
CURVE_ALT = "Curve of the least mean error against the number of fits."
VALUES_NOTE = (
    "The best setting for each value; bars are one standard error. ★ best, ○ sparsest "
    "within one standard error."
)
VALUES_ALT = "Error against each parameter with error bars."
PARALLEL_NOTE = "Drag along an axis to pick settings; strengths are logarithmic."
PARALLEL_ALT = "Parallel coordinates of all settings shown."
IMPORTANCE_NOTE = (
    "How much of the differences in error a parameter explains by itself. What is "
    "missing to 100 % is due to parameters acting together."
)
IMPORTANCE_ALT = "Bars: share of the variance of the error by parameter."
SPARSITY = {"n_variables": "variables", "n_nonzero": "entries of W"}
SPARSITY_PICK = "Sparsity in"
PARETO_NOTE = "The line joins settings that no other beats in both."
CLICK_POINT = "Click one to open it in Explore."
PARETO_ALT = "Error against sparsity with the Pareto front."
TABLE_NOTE = "★ best, ○ sparsest within one standard error."
TICK_ROW = "Tick a row to open it in Explore."
TABLE_COLUMNS = {
    "choice": "choice", "n_latent": "K", "k": "k", "gamma1": "γ₁", "gamma2": "γ₂",
    "mu": "μ", "error": "error", "se": "SE", "n_folds": "folds",
    "n_variables": "variables", "n_nonzero": "entries of W",
}  # fmt: skip
DOWNLOAD_SETTINGS = "Settings as CSV"
DOWNLOAD_CELLS = "All fits as CSV"

PATH_PARAMETER = "Move"
PATH_START = "From"
PATH_NOTE = (
    "All else as in the chosen setting. Move the slider or press ▶: bases empty, "
    "variables leave, groups join."
)
PATH_RUN = "Fit the path (about {time})"
PATH_WORDS = "{symbol} = {value}: {variables} variables, {bases} bases, {groups} groups"
PATH_ALT = "Heat maps of U, V and W along the path, with a slider."
ONLY_VSTG = "This view is for VSTG-MTL; choose such a run."

STABILITY_NOTE = (
    "The same fit on many random halves of the data: what is selected again and again "
    "does not hang on single rows."
)
STABILITY_OF = "Stability of"
STABILITY_COUNT = "Resamples"
STABILITY_RUN = "Run {count} resamples"
STABILITY_U = "U: how often not zero"
STABILITY_V = "V: how often not zero"
STABILITY_TASKS = "Tasks with the same bases"
STABILITY_VARIABLES = "Variables, surest first (bars: 95 % interval)"
STABILITY_COLOURS = "Grey: not selected by the fit on all rows."
STABILITY_THRESHOLD = "Sure from"
STABILITY_SURE = (
    "{count} variables are selected in at least {threshold:.0%} of the resamples; at "
    "most {false} of them are expected to be false (Meinshausen and Bühlmann 2010)."
)
STABILITY_SURE_PLAIN = (
    "{count} variables are selected in at least {threshold:.0%} of the resamples."
)
STABILITY_ALT = "Heat maps of selection frequencies."

READ_ONLY = (
    "The run store {path} is read-only: runs can be looked at, not started or changed."
)

# Compare
COMPARE_TABS = {"methods": "Methods", "runs": "Runs"}
SPLIT = "Repetition"
SPLITS = ("Repetitions", "Each draws new data, the same for every method.")
SPLITS_OF_TABLE = (
    "Each splits the training rows anew, 70 % to fit and 30 % to judge, the same for "
    "every method."
)
COMPARE_GRID = ("Grid of each method", "Tuned anew in every repetition, by folds.")
COMPARE_START = "Start the comparison"
COMPARE_SIZE = "{methods} methods × {n} repetitions, about {time} on {where}."
COMPARE_EMPTY = (
    "No comparison yet. Choose methods in the sidebar and start: the table fills in as "
    "methods finish."
)
FEW = (
    "With so few repetitions no p-value can be below {p:.3g}: nothing can be "
    "significant at 5 % before six."
)
TABLE_1 = "Test {measure}, mean ± sd; bold: significantly better than all others"
P_VALUES = "p-values of Wilcoxon's signed-rank tests (Holm's correction in brackets)"
BOXES = "Every repetition"
TIMES = "Seconds of each repetition, tuning included (logarithmic)"
COEFFICIENTS = "W of each method, repetition {number}"
DIFFERENCES = "Distance from the truth: W − W*"
DIFFERENCES_TO = "Difference from {method}"
WINS = "Task by task, beside {method}"
WINS_NOTE = "Mean over the repetitions. Above the line {method} is better."
WINS_TABLE = "Tasks that {method} wins, draws and loses"
REFERENCE = "Method to look at"
TRUE_W = "truth W*"
PICK_RUNS = "Runs to set side by side"
PICK_NOTE = "Finished searches stand for their best setting; pin fits on Explore."
PICK_LEFT_OUT = (
    "Left out: {numbers}. Only fits and searches of VSTG-MTL that have found a setting "
    "can stand side by side."
)
RUN_NUMBER = "run {number}"
PICK_TWO = "Choose at least two runs."
SETTINGS_DIFFER = "Settings (differences marked)"
GROUPS_DIFFER = "Groups of tasks"
VARIABLES_DIFFER = "Selected variables"
W_DIFFER = "W of each run"
W_MINUS = "Difference from {name}"
OTHER_SHAPE = "Runs on data of another shape cannot be subtracted."
PIN = "Pin for Compare"
PINNED = "Pinned: it is on Compare and in History."
AGREE = "pairs of tasks grouped alike: {share:.0%}"
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
