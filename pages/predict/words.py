"""The words of Predict."""

FIRST_COLUMNS = "Of {total:,} columns {shown:,} are shown; the file has all."

PREDICT_TAGLINE = "New rows through a fitted model: predictions, and what makes them."

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
