"""Every key of the session's state that code reads or writes, declared once.

A widget that nobody asks by its key names itself where it is drawn. A key that begins
with a page's name is that page's alone.
"""

# Controls of Explore, Tune and Compare; the keys are those of links, too.
DATA, SIZE, SEED, N_TRAIN, NOISE = "data", "size", "seed", "n", "noise"
N_LATENT, K_SUPPORT, GAMMA1, GAMMA2 = "K", "k", "g1", "g2"
TIE, MU, SOLVER, STARTS = "tie", "mu", "solver", "starts"
CUT, REFIT, EXACT = "cut", "refit", "exact"
VIEW, BY_GROUP, BY_SIZE, TRUTH, ZERO = "view", "by_group", "by_size", "truth", "zero"
CURVES, PAPER = "curves", "paper"
VARIABLE, TASK, TOP, FIND, GROUP = "var", "task", "top", "find", "group"
VARIABLE_PAGE, TASK_PAGE = "vpage", "tpage"
TAB = "tab"

# What belongs to one visitor.
OWN_DATA = "own_data"
LAST_MODEL = "last_model"  # what Explore showed last
EXPLORE_STATE = "explore_state"  # the controls that it had
OWNER = "visitor"  # the mark on private runs
KEEP_RUNS = "keep_runs"

# Between pages, and between two runs of a page.
PAGE = "page_shown"
DUE = "due_in_address"  # parameters of the data still to be read
LEAVE = "leave_for"  # the controls to open Explore with
NOT_SHOWN = "not_shown"  # what Explore could not take over, and the settings it shows
ERROR = "action_error"  # what went wrong in a button's action

EXPLORE_NOTES = "link_notes"
EXPLORE_FINDINGS = "findings"
EXPLORE_LATE = "picture_last"  # the next run draws the controls before the picture
EXPLORE_PICTURE = "scheme"
EXPLORE_LETTERS = "scheme_letters"
EXPLORE_MU_TIED = "mu_tied"
EXPLORE_CURVES = "curves_drawn"  # the last curve beside each slider, and its data
# Frames of a slider: the component, whose they are, that they are due, the last ones.
EXPLORE_FRAMES, EXPLORE_REQUESTED = "frames", "frames_wish"
EXPLORE_REQUEST_PENDING, EXPLORE_FRAMES_MADE = "frames_wished", "frames_made"
EXPLORE_FIND, EXPLORE_FIND_NOTE = "finding", "finding_note"
TUNE_RUN = "tune_run"
COMPARE_RUN, COMPARE_PART, COMPARE_PINS = "compare_run", "compare_part", "compare_pins"
COMPARE_LEFT_OUT = "compare_left_out"
PREDICT_RUN, PREDICT_READ = "predict_run", "predict_read"
PREDICT_MODEL, PREDICT_WAY = "predict_model", "predict_way"
PREDICT_ADDED = "predict_added"  # the model with tasks that were added to it
HISTORY_DELETED, HISTORY_IMPORTED = "deleted", "imported"
DATA_REPORT, DATA_MAPPED = "report", "mapped_table"
DATA_GUESS = "guessed_roles"
DATA_ROLES = "map_"  # begins the keys of the controls that name columns
LEARN_TOY, LEARN_TOY_FOCUS = "learn_toy", "learn_toy_focus"
REPRODUCE_EXHIBIT, REPRODUCE_LINK = "exhibit", "reproduce_written"
REPRODUCE_REPETITION = "reproduce_repetition"
REPRODUCE_REPETITIONS = "reproduce_repetitions"
REPRODUCE_FOLDER = "reproduce_folder"


def link(key: str) -> str:
    """What the page itself wrote into the link for the choice with this key."""
    return f"{key}_link"


def role(name: str) -> str:
    """A control of the Data page that says what the columns of a table mean."""
    return f"{DATA_ROLES}{name}"


def picked(run: int) -> str:
    """The box that selects a run in History."""
    return f"pick_{run}"


def run_name(run: int) -> str:
    """The field with the name of a run in History."""
    return f"name_{run}"


def run_note(run: int) -> str:
    """The field with the note on a run in History."""
    return f"note_{run}"


def usual_cell(exhibit: str) -> str:
    """The cell that Reproduce shows unasked."""
    return f"{exhibit}_usual"


def file_parts(key: str) -> str:
    """The sheets or arrays of the file that an uploader has."""
    return f"{key}_parts"


def read_file(uploader: str) -> str:
    """What was read from the file of an uploader."""
    return f"{uploader}_read"
