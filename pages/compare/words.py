"""The words of Compare."""

COMPARE_TAGLINE = (
    "Methods on the same splits, and runs beside each other: what differs, and "
    "whether it is more than chance."
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

AGREE = "pairs of tasks grouped alike: {share:.0%}"

TOP = (
    "A summary: the {rows:,} of {all_rows:,} variables and {columns:,} of "
    "{all_columns:,} tasks with the largest entries. No entry of the other variables "
    "is larger than {rest}."
)
TOP_TASKS = "The {shown:,} of {total:,} tasks that differ most."
