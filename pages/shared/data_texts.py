"""The words of the Data and Predict pages."""

DATA, PREDICT = "Data", "Predict"
DATA_TAGLINE = "Bring a table, say what its columns mean, see what is wrong with it."
PREDICT_TAGLINE = "New rows through a fitted model: predictions, and what makes them."

FROM = "Where the data come from"
FROM_FILE, FROM_SAMPLE, FROM_KNOWN = "A file", "A sample table", "A known data set"
UPLOAD = "Your table"
LIMITS = (
    "CSV, TSV, Excel (.xlsx), Parquet, or X and Y in a MATLAB (-v7) or NPZ file; up to "
    "{megabytes:.0f} MB, {cells:,} cells and {columns:,} columns. The file stays in "
    "this session: nobody else sees it, and it is gone when you leave."
)
TYPES = ["csv", "tsv", "txt", "tab", "xlsx", "xlsm", "parquet", "mat", "npz"]
TEMPLATES = "What your table can look like:"
LONG_TEMPLATE, WIDE_TEMPLATE = "Long template", "Wide template"
LONG_EXAMPLE = (
    "Long: one row per observation; one column says which task it belongs to."
)
WIDE_EXAMPLE = "Wide: all tasks share the rows; each task has its own target column."
SAMPLE = "Sample table"
HOW_READ = "How the file was read"
DELIMITER, DECIMAL, ENCODING, SHEET = "Delimiter", "Decimal mark", "Encoding", "Sheet"
GUESS = "guess"
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
FEATURES = "Variables"
FEATURES_HELP = "Empty: every column that can be used."
FEATURES_ALL = "every column that can be used"
PROBLEM, POSITIVE = "Kind of target", "Counts as +1"
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
TEST_SIZE, SEED, MIN_ROWS = "Test rows (%)", "Seed of the split", "Fewest rows per task"
DROP_CONSTANT = "leave out constant variables"
DROP_DUPLICATES = "leave out repeated variables"

REPORT = "Before the fit"
SUMMARY = (
    "{tasks:,} tasks, {variables:,} variables, {train:,} training and {test:,} test "
    "rows."
)
LEVELS = {"error": "✗", "warning": "⚠", "info": "·"}
TASKS_TABLE, COLUMNS_TABLE, PYTHON = "Tasks", "Columns", "The same in Python"
USE = "Use these data in Explore"
IN_USE = "In use: {name}, {tasks:,} tasks and {variables:,} variables."
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

MODEL = "Model"
MODEL_EXPLORE, MODEL_FILE = "The fit in Explore ({name})", "A model file"
MODEL_RUN = "A run in History"
RUN, RUN_SETTING = "Run", "Setting"
NO_RUN = (
    "History has no model yet: search on Tune, or pin a fit on Explore, and it will be "
    "offered here."
)
FITTING = "Fitting the setting of the run on its data …"
FIT_ONE, SEARCH_ONE = "Fit a model on Explore", "Search for one on Tune"
MODEL_UPLOAD = "Model file (.npz)"
MODEL_DOWNLOAD = "Model file"
MODEL_DOWNLOAD_HELP = (
    "The model and how its table was encoded and scaled: here, in Python or with "
    "vstg predict, it predicts new rows of that table."
)
PREPARATION_UPLOAD = "Preparation (.json), if an older vstg saved one beside the model"
PATH = "Or a file or folder on this computer"
PATH_EXAMPLE = "~/tables/shops.csv"
PATH_FILE = "Table in the folder"
NO_TABLES = "{path} holds no table."
IS_STORE = "{path} belongs to the store of runs, which is opened on History alone."
MODEL_FACTS = "{kind} · {tasks:,} tasks · {variables:,} variables"
NO_MODEL = "There is no fit of this visit: open Explore, or give a model file."
ENCODED_NOTE = (
    "This model knows nothing of how its table was prepared: give the variables as the "
    "model has them, scaled and encoded."
)
ROWS = "New rows"
ROWS_FILE, ROWS_TYPED = "From a file", "Type one row"
ROWS_TEMPLATE = "Template with these columns"
ROWS_TEMPLATE_HELP = "A CSV of typical rows: put your values in their place."
ROWS_UPLOAD = "Table with new rows"
TASK_COLUMN = "Task column"
ALL_TASKS = "(none: predict all tasks)"
NEEDS = "Columns that the model needs: {columns}"
PREDICTIONS = "{rows:,} rows predicted."
DOWNLOAD = "Predictions as CSV"
ONE_TASK = "Task"
PREDICTION, PROBABILITY = "Prediction", "Probability of {label}"
CONTRIBUTION = "contribution to the prediction"
CONTRIBUTIONS = "What makes it: value × weight of every variable, and the intercept"
OTHERS_FIXED = "{count:,} further variables stay at their typical values."
