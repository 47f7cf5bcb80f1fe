"""The texts of the Predict page."""

FIRST_COLUMNS = "{shown:,} of {total:,} columns are shown; the download contains all."

PREDICT_TAGLINE = (
    "Predict new rows with a fitted model, and see what contributes to a prediction."
)

MODEL = "Model"
MODEL_EXPLORE, MODEL_FILE = "The fit on Explore ({name})", "A model file"
MODEL_RUN = "A run in History"
RUN, RUN_SETTING = "Run", "Setting"
NO_RUN = (
    "History has no model yet. Run a search on Tune or pin a fit on Explore, and it "
    "will be offered here."
)
FITTING = "Fitting the run’s setting on its data …"
FIT_ONE, SEARCH_ONE = "Fit a model on Explore", "Search for one on Tune"
MODEL_UPLOAD = "Model file (.npz)"
MODEL_DOWNLOAD = "Model file"
MODEL_DOWNLOAD_HELP = (
    "Contains the model and how its table was encoded and scaled. It predicts new rows "
    "of that table here, in Python or with vstg predict."
)
PREPARATION_UPLOAD = "Preparation (.json), if an older vstg saved one with the model"

KINDS = {
    "rmse": "numbers",
    "mae": "numbers with outliers",
    "deviance": "counts",
    "error_rate": "classes",
}
COUNTS_NOTE = (
    "Predictions are expected counts: the mean of many such rows, e to the power of "
    "intercept and contributions."
)
MODEL_FACTS = "{kind} · {tasks:,} tasks · {used:,} of {variables:,} variables used"
MODEL_ERROR = "{measure} {error}, mean over tasks ({rows})"
PLAIN_MODELS = "plain models: {models}"
HELD_OUT = "a fifth of its rows, held out"
NO_MODEL = (
    "No model has been fitted in this session: open Explore, or upload a model file."
)
ENCODED_NOTE = (
    "This model does not record how its table was prepared: enter the variables as the "
    "model uses them, encoded and scaled."
)
ROWS = "New rows"
ROWS_FILE, ROWS_TYPED = "From a file", "Type one row"
ROWS_NEW_TASK = "Add a new task"
UNKNOWN_MEAN = "Predict tasks that the model does not know by the mean of all tasks"
UNKNOWN_MEAN_HELP = (
    "Such rows are marked in the column “fallback”. With a few rows whose targets are "
    "known, “Add a new task” does better."
)

INTERVAL, INTERVAL_NONE = "Prediction interval", "none"
INTERVAL_HELP = (
    "Adds the columns lower and upper. Of new rows like those the model was evaluated "
    "on, about this share has its target between them (conformal prediction)."
)
INTERVAL_FACTS = (
    "{level:.0%} intervals from the errors on {rows}: {own:,} of {tasks:,} tasks have "
    "enough rows for a width of their own; the others share one."
)
INTERVAL_ENDS = "{level:.0%} interval"
TOO_FEW_ROWS = "too few rows"

MODEL_ADDED = "With new tasks"
NEW_TASK_INTRO = (
    "Upload a few rows, with known targets, of a task that was not in the fit. The "
    "variables and bases of the model stay as they are; only how much of each basis "
    "the new task uses, and its intercept, are fitted to the rows."
)
NEW_TASK_BASES = "Only VSTG-MTL has bases that a new task can use."
NEW_TASK_UPLOAD = "Table with rows of the new task"
NEW_TASK_TARGET, NEW_TASK_NAME = "Column with the target", "Name of the new task"
NEW_TASK_DEFAULT = "new task"
NEW_TASK_FITTING = "Fitting the new task, and holding its rows out in turn …"
NEW_TASK_SCORES = "{measure} on the rows of the new task, held out in turn"
NEW_TASK_SHARES = (
    "How much of each basis a new task uses, next to the most similar task"
)
NEW_TASK_SHARES_AXIS = "size of the basis in the task"
NEW_TASK_SIMILAR = "{task} is most similar to {similar}."
NEW_TASK_USE = "Predict with it"
NEW_TASK_USE_HELP = "Keeps the model with its new tasks for this session."
ADDED_FACTS = "added after the fit: {tasks}"
ADDED_TASK, ADDED_MORE = "{task} ({rows} rows)", "and {count} more"
ROWS_TEMPLATE = "Template with these columns"
ROWS_TEMPLATE_HELP = "A CSV file with typical rows: replace the values with yours."
ROWS_UPLOAD = "Table with new rows"
TASK_COLUMN = "Task column"
ALL_TASKS = "(none: predict all tasks)"
NEEDS = "Columns that the model needs: {columns}"
PREDICTIONS = "{rows:,} rows predicted."
DOWNLOAD = "Predictions as CSV"
ONE_TASK = "Task"
EXPECTED_COUNT = "Expected count"
PREDICTION, PROBABILITY = "Prediction", "Probability of {label}"
CONTRIBUTION = "contribution to the prediction"
CONTRIBUTIONS = (
    "Contributions: weight × (value − from) of every variable, and the intercept, in "
    "the units of the table"
)
START, START_MEANS, START_ROW = "Start from", "the means of the task", "row {row}"
NOTHING_NEEDED = "The model uses no variable: every row of a task gets its mean."
OTHERS_FIXED = "{count:,} further variables keep their typical values."
WEIGHTS = "Fitted with weights: {weights}."
