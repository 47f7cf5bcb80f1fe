"""The texts of the Data page."""

PREVIEW_COLUMNS = "The first {shown:,} of {total:,} columns."

DATA_TAGLINE = "Upload a table, say what its columns mean, and check it before the fit."

FROM = "Where the data come from"
FROM_FILE, FROM_SAMPLE, FROM_KNOWN = "A file", "A sample table", "A known data set"
UPLOAD = "Your table"

TEMPLATES = "What your table can look like:"
LONG_TEMPLATE, WIDE_TEMPLATE = "Long template", "Wide template"
LONG_EXAMPLE = (
    "Long: one row per observation; one column says which task it belongs to."
)
WIDE_EXAMPLE = "Wide: all tasks share the rows; each task has its own target column."
SAMPLE = "Sample table"

READ = "{name}: {form}, {rows:,} rows and {columns:,} columns"
PREVIEW = "First rows"

LAYOUT = "Layout"
LAYOUTS = {
    "long": "a task column",
    "wide": "one column per task",
    "classes": "one task per class",
}
LAYOUT_HELP = (
    "A task column: one row per observation, and a column names its task. One column "
    "per task: all tasks share the rows. One task per class: each label against all "
    "others."
)
TASK, TARGET, TARGETS = "Task", "Target", "Targets, one per task"
CHOOSE = "choose a column"
ASK = {
    ("task", "target"): (
        "Choose the task and the target: they could not be guessed. If there are no "
        "tasks, choose the layout “one column per task”."
    ),
    ("task",): (
        "Choose the column that names the task: it could not be guessed. If there are "
        "no tasks, choose the layout “one column per task”."
    ),
    ("target",): "Choose the target column: it could not be guessed.",
    ("targets",): "Choose the targets, one column per task.",
}
PERHAPS = "Perhaps:"
LEAVE_OUT = "Leave out"
LEAVE_OUT_HELP = "Columns not to use as variables: row numbers, codes, copies."
LEAVE_OUT_NONE = "nothing"
FEATURES = "Use only"
FEATURES_HELP = "Empty: every other column that can be used."
FEATURES_ALL = "every other column that can be used"
PROBLEM, POSITIVE = "Kind of target", "Counts as +1"
PROBLEMS = {
    "regression": "numbers",
    "robust": "numbers with outliers",
    "counts": "counts",
    "classification": "two classes",
}
PROBLEM_HELP = (
    "Numbers: squared errors. Numbers with outliers: large errors count by their size, "
    "not by their square (Huber's loss). Counts: 0, 1, 2 and so on, whose logarithm of "
    "the mean is predicted (Poisson loss). Two classes: the logistic loss."
)
THRESHOLD = "Outliers are further off than"
THRESHOLD_HELP = (
    "In spreads of the target, which are estimated by the median distance from the "
    "median, so that outliers do not widen them; in its own unit, if it is not fitted "
    "in spreads. 1.345 loses little where there are no outliers."
)
USE_COUNTS, USE_ROBUST = "Treat it as counts", "Expect outliers"
CATEGORIES = "Categories"
MISSING, SCALING = "Missing values", "Scaling"
MISSING_LABELS = {
    "drop": "drop the rows",
    "mean": "fill in the mean",
    "median": "fill in the median",
}
SCALING_LABELS = {
    "max": "by the maximum, as in the paper",
    "standard": "mean 0, spread 1",
    "none": "none",
}
SCALING_HELP = "Learnt from the training rows only; 0/1 variables are left as they are."
TARGET_SCALING = "fit the target in units of its spread"
TARGET_SCALING_HELP = (
    "The penalties then mean the same whether the target is in euros or in millions. "
    "Errors, coefficients and predictions are shown in the units of your table."
)
DATES, DATES_NONE = "Dates become", "nothing: they are left out"
DATE_PARTS = {
    "year": "the year",
    "month": "the month (0/1 each)",
    "weekday": "the day of the week (0/1 each)",
    "days": "days since 1970",
}
TEST_SIZE, SEED, MIN_ROWS = (
    "Test rows (%)",
    "Seed of the split",
    "Fewest rows per task",
)
DROP_CONSTANT = "leave out constant variables"
DROP_DUPLICATES = "leave out repeated variables"

REPORT = "Before the fit"
LEAVE_ONE, LEAVE_ALL = "Leave it out", "Leave all {count} out"
FILL = "Fill gaps with the median"
SUMMARY = "{tasks}, {variables}, {train:,} training and {test:,} test rows."

TASKS_TABLE, COLUMNS_TABLE, PYTHON = "Tasks", "Columns", "The same in Python"
USE = "Use these data in Explore"
IN_USE = "In use: {name}, {tasks} and {variables}."
FORGET = "Forget my data"
TO_EXPLORE = "Explore them"

KNOWN = "Data set"
REPETITION = "Repetition"
REPETITION_HELP = "Which rows are drawn; the paper reports ten repetitions."
FOLDER = "Folder with the files (instead of a download)"
LOAD = "Load it"
KNOWN_SIZES = (
    "{tasks} tasks and {variables} variables; rows: {train} for training, {test} for "
    "testing."
)
KNOWN_HERE = "Its files are on this computer."
KNOWN_AWAY = "Loading it downloads its files once."
LOADING = "{name}: {done} of {total} kB"

PATH = "Or a file or folder on this computer"
PATH_EXAMPLE = "~/tables/shops.csv"
PATH_FILE = "Table in the folder"
NO_TABLES = "{path} contains no table."
IS_STORE = "{path} belongs to the run store: look at its runs on the History page."

SPLIT = "Split rows"
SPLIT_LABELS = {
    "random": "at random",
    "together": "by groups: equal values stay together",
    "order": "by time: the latest rows are tested",
}
SPLIT_HELP = (
    "Rows of one patient, batch or day resemble each other. If they are divided "
    "between training and test, a model looks better than it is. Folds on Tune follow "
    "this choice, too."
)
SPLIT_COLUMN = "by the column"
WEIGHT, WEIGHT_NONE = "Weigh rows by", "every row counts as one"
WEIGHT_HELP = (
    "A column of numbers of 0 or more. A row of weight 2 counts as two rows of its "
    "task, in the fit and in every error; a row of weight 0 is left out. The column is "
    "then no variable."
)
