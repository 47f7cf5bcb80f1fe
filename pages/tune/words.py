"""The texts of the Tune page."""

TUNE_TAGLINE = (
    "Cross-validate a grid of settings in the background. You can leave the page: the "
    "search goes on, and nothing is lost."
)

GRID = (
    "Grid",
    "γ₁ and γ₂ are powers of two. Begin with the coarse grid, then use a custom one to "
    "look closer around its best settings. The paper's grid takes minutes to hours.",
)

OWN_K = ("Bases (K)", "Values to try.")
OWN_MIX = ("Bases per task (k)", "Values to try; those above K are skipped.")
OWN_G1 = ("γ₁ from 2^a to 2^b", "μ follows γ₁, as in the paper.")
OWN_G2 = (
    "γ₂ from 2^a to 2^b",
    "Fitted from weak to strong, each fit starting from the last.",
)
OWN_STEP = ("Step of the exponents", "1 tries every power of two, 2 every second one.")
CUTS = (
    "Cuts to try",
    "After each fit, entries of U and V below this share of the largest become zero. "
    "All cuts share one fit, so they cost little.",
)
SHARES_KEPT = (
    "Penalties kept in the refit",
    "0 %: the remaining entries are refitted without shrinkage; 100 %: with the full "
    "penalties.",
)
EVALUATED_ON = (
    "Evaluated on",
    "Folds of the training rows, or the test rows as one validation set.",
)
EVALUATIONS = {"folds": "folds", "validation": "validation set"}
FOLDS = ("Folds", "Every row is held out once.")
REPEATS = ("Repeats", "How often new folds are drawn.")
FOLD_SEED = ("Seed", "The same seed gives the same folds.")
HALVING = (
    "Successive halving",
    "Evaluate all settings on two folds, then only the best third on more, until the "
    "last have seen all folds: a third of the work or less. Off: every setting on "
    "every fold.",
)
THREADS = (
    "Threads",
    "The search runs at low priority, so that sliders stay responsive.",
)
SCHEDULER = (
    "Dask scheduler",
    "An address such as tcp://10.0.0.1:8786. Empty: this machine. Needs vstg[cluster].",
)
ADVANCED = "Threads and cluster"
SECTION_SEARCH = "Search"
START = "Start the search"
SIZE = "**{settings} settings × {parts} = {fits} fits**, about {time} on {where}."
SIZE_CUTS = (
    "**{settings} settings × {parts}, {fits} fits** (all cuts share one), about "
    "{time} on {where}."
)
SIZE_PARTS = {"folds": "{n} folds", "validation": "1 validation set"}
SIZE_HALVING = (
    "**{settings} settings by halving, some {fits} fits**, about {time} on {where}."
)

CLUSTER_WHERE = "the cluster at {address}"
NO_VALUE = "The grid has no value for {symbol}; choose at least one."

NO_RUNS = (
    "No search yet. Choose data, methods and a grid in the sidebar and start: the "
    "error maps appear here while it runs."
)
STARTED = "{count} runs started, one per method: see the list of runs."

BEST_SHOWN = "best of those shown"
ANY_SHOWN = "another one"
SIGNS = {"best": "★", "one_se": "○"}
FOUND_SIGN = " ◇ found settings, at the closest point of the grid."
FOUND_TILE = "Find the settings"
FOUND_NOTE = (
    "The found settings were evaluated on their own folds, with the whole search "
    "repeated in each, so picking the best of many does not flatter their error."
)
OPEN_FOUND = "Open the found settings"
EDGES = {
    "best": "The setting with the lowest error",
    "one_se": "The one-SE choice",
}
ON_EDGE = (
    "{choice} is at the edge of the grid: {edges}. There may be better settings beyond "
    "it: search again with {advice}{where}."
)
CUSTOM = " (a custom grid)"
EDGE = {
    True: "{symbol} = {value} is the largest",
    False: "{symbol} = {value} is the smallest",
}
BEYOND = {True: "{symbol} above {value}", False: "{symbol} below {value}"}
ONE_SE = "one standard error"
BEST_TILE = "Lowest {measure} (± SE)"
ONE_SE_TILE = "Sparsest within one SE"
FITS_TILE = "Fits"
TIME_TILE = "Time"
FROM_BEFORE = "{count} fits reused"
OPEN_BEST = "Open the best in Explore"
OPEN_ONE_SE = "Open the one-SE choice"

NOT_EXPLORABLE = "Explore shows VSTG-MTL only; this run is a search of {method}."

FILTER_SHARE = (
    "Show",
    "Filters all figures and the table; Path and Stability start from a setting that "
    "passes the filter. The best and the one-SE choice are those of the whole search.",
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
    "values": "Each parameter",
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
    "The map shows the K and k that are being evaluated. Off: choose them yourself.",
)
LIVE_CURVE = "Best so far"
CURVE_ALT = "Curve of the lowest mean error against the number of fits."
VALUES_NOTE = (
    "The best setting for each value; bars are one standard error. ★ best, ○ sparsest "
    "within one standard error."
)
VALUES_ALT = "Error against each parameter with error bars."
PARALLEL_NOTE = "Drag along an axis to select settings; γ₁, γ₂ and μ have log scales."
PARALLEL_ALT = "Parallel coordinates of all settings shown."
IMPORTANCE_NOTE = (
    "The share of the variance of the error that each parameter explains by itself. "
    "The rest, up to 100 %, is due to interactions between parameters."
)
IMPORTANCE_ALT = "Bars: share of the variance of the error by parameter."
SPARSITY = {"n_variables": "variables", "n_nonzero": "entries of W"}
SPARSITY_PICK = "Sparsity in"
PARETO_NOTE = "The line connects the settings that no other setting beats in both."
CLICK_POINT = "Click one to open it in Explore."
PARETO_ALT = "Error against sparsity with the Pareto front."
TABLE_NOTE = "★ best, ○ sparsest within one standard error."
TICK_ROW = "Select a row to open it in Explore."
TABLE_COLUMNS = {
    "choice": "choice", "n_latent": "K", "k": "k", "gamma1": "γ₁", "gamma2": "γ₂",
    "mu": "μ", "cut": "cut", "relax": "relax", "alpha": "α",
    "error": "error", "se": "SE", "n_folds": "folds",
    "n_variables": "variables", "n_nonzero": "entries of W",
}  # fmt: skip
DOWNLOAD_SETTINGS = "Settings as CSV"
DOWNLOAD_CELLS = "All fits as CSV"

PATH_PARAMETER = "Vary"
PATH_START = "Start from"
PATH_NOTE = (
    "Everything else stays as in the chosen setting. Move the slider or press ▶ to "
    "watch bases become empty, variables disappear and groups merge."
)
PATH_RUN = "Fit the path (about {time})"
PATH_WORDS = "{symbol} = {value}: {variables} variables, {bases} bases, {groups} groups"
PATH_ALT = "Heat maps of U, V and W along the path, with a slider."
ONLY_VSTG = "This view is for VSTG-MTL only; choose a run of that method."

STABILITY_NOTE = (
    "The same fit on many random halves of the data: what is selected again and again "
    "does not depend on a few rows."
)
STABILITY_OF = "Stability of"
STABILITY_COUNT = "Resamples"
STABILITY_RUN = "Run {count} resamples"
STABILITY_U = "U: how often non-zero"
STABILITY_V = "V: how often non-zero"
STABILITY_TASKS = "Tasks with the same bases"
STABILITY_VARIABLES = "Variables, most often selected first (bars: 95 % interval)"
STABILITY_COLOURS = "Grey: not selected by the fit on all rows."
STABILITY_THRESHOLD = "Selection threshold"
STABILITY_SURE = (
    "{count} variables are selected in at least {threshold:.0%} of the resamples; at "
    "most {false} of them are expected to be false positives (Meinshausen and Bühlmann "
    "2010)."
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
    "A summary: U shows the {rows:,} most often selected of {all_rows:,} variables, V "
    "shows {columns:,} of {all_columns:,} tasks; the square averages neighbouring "
    "tasks in {blocks:,} blocks."
)
