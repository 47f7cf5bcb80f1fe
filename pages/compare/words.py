"""The texts of the Compare page."""

COMPARE_TAGLINE = (
    "Compare methods on the same splits, or runs with each other: what differs, and "
    "could it be chance?"
)

COMPARE_TABS = {"methods": "Methods", "runs": "Runs"}
SPLIT = "Repetition"
SPLITS = ("Repetitions", "Each repetition draws new data, the same for every method.")
SPLITS_OF_TABLE = (
    "Each repetition splits the training rows again, 70 % to fit and 30 % to evaluate, "
    "the same for every method."
)
COMPARE_GRID = (
    "Grid of each method",
    "Every repetition tunes each method by cross-validation.",
)
COMPARE_START = "Start the comparison"
COMPARE_SIZE = "{methods} methods × {n} repetitions, about {time} on {where}."
COMPARE_EMPTY = (
    "No comparison yet. Choose methods in the sidebar and start: results appear here "
    "as methods finish."
)
FEW = (
    "With so few repetitions no p-value can be below {p:.3g}: significance at 5 % "
    "needs at least six."
)
TABLE_1 = "Test {measure}, mean ± sd; bold: significantly better than all others"
P_VALUES = "p-values of Wilcoxon's signed-rank tests (Holm's correction in brackets)"
BOXES = "Error of each repetition"
TIMES = "Seconds per repetition, including tuning (log scale)"
COEFFICIENTS = "W of each method, repetition {number}"
DIFFERENCES = "Difference from the truth: W − W*"
DIFFERENCES_TO = "Difference from {method}"
WINS = "Task by task, compared with {method}"
WINS_NOTE = "Means over the repetitions. Above the line, {method} is better."
WINS_TABLE = "Tasks on which {method} wins, draws or loses"
REFERENCE = "Reference method"
TRUE_W = "truth W*"
PICK_RUNS = "Runs to compare"
PICK_NOTE = (
    "A finished search is represented by its best setting, found settings by their "
    "model. Pin single fits on Explore."
)
PICK_LEFT_OUT = (
    "Left out: {numbers}. Only fits, searches and found settings of VSTG-MTL can be "
    "compared, once they have a setting."
)
RUN_NUMBER = "run {number}"
PICK_TWO = "Choose at least two runs."
SETTINGS_DIFFER = "Settings (differences marked)"
GROUPS_DIFFER = "Groups of tasks"
VARIABLES_DIFFER = "Selected variables"
W_DIFFER = "W of each run"
W_MINUS = "Difference from {name}"
OTHER_SHAPE = "Runs with different variables or tasks cannot be subtracted."

AGREE = "{share:.0%} of all pairs of tasks are grouped the same way"

TOP = (
    "A summary: the {rows:,} of {all_rows:,} variables and {columns:,} of "
    "{all_columns:,} tasks with the largest entries. No entry of the other variables "
    "is larger than {rest}."
)
TOP_TASKS = "The {shown:,} of {total:,} tasks with the largest differences."
