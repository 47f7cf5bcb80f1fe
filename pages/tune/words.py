"""The words of Tune."""

TUNE_TAGLINE = (
    "Judge every setting of a grid on data it has not seen, in the background. Leave "
    "the page when you like: nothing stops, nothing is lost."
)

GRID = ("Grid", "Strengths are powers of two, so that Explore can show every one.")

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

CLUSTER_WHERE = "the cluster at {address}"
NO_VALUE = "The grid has no value for {symbol}; choose at least one."

NO_RUNS = (
    "No search yet. Choose data, methods and a grid in the sidebar and start: the map "
    "of errors fills in here while it runs."
)
STARTED = "{count} runs, one a method: find them in the list of runs."

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

PATH_PART = (
    "A summary: the {rows:,} of {all_rows:,} variables and {columns:,} of "
    "{all_columns:,} tasks with the largest entries along the path."
)
STABILITY_PART = (
    "A summary: U has the {rows:,} surest of {all_rows:,} variables, V {columns:,} of "
    "{all_columns:,} tasks; tasks with the same bases are averaged in {blocks:,} "
    "blocks of neighbours."
)
