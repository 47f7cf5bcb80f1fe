"""The texts of the Reproduce page."""

REPRODUCE = "Reproduce"
TAGLINE = (
    "The paper's tables and figures, measured again next to the printed ones: "
    "where we agree, and where we do not."
)
EXHIBIT = "Exhibit"
EXHIBITS = {
    "table1": "Table 1",
    "table2": "Table 2",
    "fig1": "Figure 1",
    "fig2": "Figure 2",
}

# Where results come from
SOURCE = "Results"
SHIPPED = "shipped with the project · {label}"
SHIPPED_REFITTED = "shipped with the project · with VSTG-MTL refitted"
SHIPPED_TODAY = "shipped with the project · with methods of today"
RUN = "run {number} · {label}"
NO_RESULTS = {
    "table1": (
        "There are no results for Table 1 yet: none came with this copy, and the store "
        "has no run of it. Run the quick version here, or the full one with the "
        "command below, which takes about an hour on two cores."
    ),
    "table2": (
        "There are no results for Table 2 yet: none came with this copy, and the store "
        "has no run of it. Run the quick version here, or the full one with the "
        "command below, which takes some hours."
    ),
}
NOTHING_YET = "The first method is running; the table fills in as methods finish."
UNREADABLE = "These results cannot be shown: {error}"
ABOUT = (
    "{title}, {label}: {repetitions} repetitions, {fits} fits, {time} of computing "
    "time."
)
MADE_BY = "The table above was made by:"
UNFINISHED = (
    "The table is not complete: some cells are missing or have few repetitions."
)

# Run it
RUN_NOW = "Run the quick version now"
RUN_NOW_SIZE = (
    "{repetitions} repetitions on a coarse grid: {fits} fits on {where}. It takes "
    "minutes where the full run takes hours."
)
RUN_KNOWN = "The store already has exactly this run; it is shown below."
RUN_FULL = "Commands for the full run"
RUN_FULL_NOTE = (
    "If it is stopped, the same command continues where it left off. This page shows "
    "the run while it works if both use the same store, and the results afterwards if "
    "they are in the folder {folder}."
)
RUN_REFITTED = (
    "To add a column that is not in the paper, VSTG-MTL with small entries cut and the "
    "others refitted:"
)
FOLDER = "Folder with the real data sets (optional)"
DATA_SOME = (
    "Available here: {there}. Missing: {missing}. `vstg data fetch` downloads what is "
    "missing; if you have the files, set the variable VSTG_DATA_DIR to their folder."
)
DATA_NONE = (
    "Table 2 needs the real data sets, and they are not on this computer. Download "
    "them with `vstg data fetch`, or set the variable VSTG_DATA_DIR to a folder that "
    "has the files, and reload this page. Table 1 needs no files."
)

# What the results say
WHO_ALL = "VSTG-MTL has the lowest mean error in all {total} rows"
WHO_SOME = "VSTG-MTL has the lowest mean error in {count} of {total} rows"
WHO_NONE = "VSTG-MTL has the lowest mean error in none of the {total} rows"
WHO_REST = "; the others: {others}"
WHO_SIGNIFICANT = (
    ". It is significantly better than every other column in {ours}, by Wilcoxon's "
    "test at 5 %; in the paper, {paper} of these rows have such a winner."
)
NONE = "none"
WHO_OTHER = "{method} on {row}"
TOO_FEW = (
    " With {n} repetitions no difference can be significant at 5 %; that takes six."
)
NEAR = (
    "{within} of {total} means lie within one standard deviation of the paper's; "
    "{better} are better than that and {worse} worse."
)
K_BETTER = "better on {rows} ({p}{paper})"
K_WORSE = "worse on {rows} ({p}{paper})"
K_SAME = "no significant difference on {rows} ({p}{paper})"
P_ONE, P_MOST, P_LEAST = "p = {p:.2g}", "p ≤ {p:.2g}", "p ≥ {p:.2g}"
K_PAPER = {True: "; paper: better", False: "; paper: worse"}
AGREE = {
    True: " We agree with the paper in every row on which method wins, whatever its k.",
    False: (
        " We disagree with the paper on which method wins, whatever its k, on {rows}."
    ),
}
PARTIAL = "So far, {done} of {total} rows have results for every method."

REFITTED = (
    "of all methods it has the lowest mean error in {count} of {total} rows, and is "
    "significantly better than every other column in {significant}."
)
POINTS = {
    "who": "Who wins",
    "near": "How close",
    "k": "k = 3 against k = 1",
    "refitted": "Cut and refitted, which is not in the paper",
}

# The table
TABLE_NOTE = (
    "Each cell shows our result, the paper's below it, and the distance between them "
    "in the paper's standard deviations. Lower is better. **Bold**: significantly "
    "better than all others (ours: Wilcoxon's test at 5 %; paper: as printed). Click a "
    "cell to see its repetitions."
)
TABLE_ALT = "{title}: our means and standard deviations next to those of the paper."
BETTER, WORSE, SAME = "{sd:.1f} sd better", "{sd:.1f} sd worse", "the same"
PAPER = "paper {text}"
FEWER = " (n = {n})"
NOT_IN_PAPER = "not in the paper"
MISSING = "–"
SCALE = ("{sd:g} sd better than the paper", "{sd:g} sd worse")
DOWNLOAD_TABLE = "Table as CSV"
DOWNLOAD_REPETITIONS = "All repetitions as CSV"

# A cell
CELL = "Repetitions of {method} on {data}"
PICK_DATA, PICK_METHOD, PICK_MEASURE = "Data set", "Method", "Measure"
BOXES_ALT = (
    "{measure} of every repetition of every method on {data}, with the mean and "
    "standard deviation of the paper as bands."
)
COLUMNS = {
    "repetition": "repetition",
    "n_latent": "K",
    "k": "k",
    "gamma1": "γ₁",
    "gamma2": "γ₂",
    "alpha": "α",
    "cut": "cut",
    "relax": "relax",
    "error": "{measure}",
    "choice_error": "CV error",
    "n_variables": "variables",
    "seconds": "seconds",
}
TESTS = "{method} against the others, {measure}"
TEST_COLUMNS = {
    "other": "against",
    "difference": "difference",
    "p_value": "p-value",
    "verdict": "verdict",
}
VERDICTS = {-1: "better", 0: "undecided", 1: "worse"}
TESTS_NOTE = (
    "Mean difference over the repetitions (below zero: {method} is better), and the "
    "p-value of Wilcoxon's test."
)
TESTS_FEW = "With so few repetitions ({n}) no p-value can be below {p:.3g}."
ROWS_NOTE = "Click a row to choose that repetition below."
REPETITION = "Repetition"
OPEN = "Open in Explore"
OPEN_WORDS = "Repetition {repetition}: {setting}. Its number is also the data seed."
OPEN_NOT_VSTG = (
    "Explore shows VSTG-MTL; choose one of its columns to open a repetition there."
)
OPEN_REAL = (
    "Repetition {repetition}: {setting}. Explore opens it with these settings on the "
    "same rows; it replaces your own data on the other pages."
)
OPEN_REAL_NOT_HERE = (
    "Repetition {repetition}: {setting}. To open it in Explore, load {data} with "
    "repetition {repetition} on the Data page, then set these values there."
)

# Figures
FIGURE_1 = (
    "The paper's example of W = U V. Filled entries are not zero. Variables 2, 6 and 7 "
    "are dropped; tasks 1 and 2 form a group that shares a basis with tasks 3 and 4, "
    "and nothing with task 5. Click an entry of U or V to change it, or an entry of W "
    "to see the sum behind it."
)
FIGURE_1_LESSON = "More in the lesson “{title}”"
FIGURE_2 = (
    "Magnitudes of the coefficients, with one row per variable and one column per "
    "task: the truth above, the estimate of VSTG-MTL below. Dark is large, white is "
    "zero. The paper shows k = 1 for Syn1 and Syn2, and k = 3 for Syn3 and Syn4."
)
FIGURE_2_K = "Bases per task (k)"
FIGURE_2_KS = {"paper": "as in the paper", "vstg_k1": "k = 1", "vstg_k3": "k = 3"}
FIGURE_2_ALT = "Eight grey maps: true and estimated coefficients of Syn1 to Syn4."
TRUE, ESTIMATED = "{data} true", "{data} VSTG-MTL k={k}"
FIGURE_2_SETTINGS = "{setting}; REE {ree:.3f}"
FIGURE_2_OPEN = "{data} in Explore"
FIGURE_2_UNSEARCHED = (
    "No search has chosen settings for {data}: these fits use fixed settings."
)
FIGURE_COMMAND = "On the command line"
