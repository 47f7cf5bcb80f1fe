"""The words about what is too large to be shown whole."""

SUMMARY = "A summary: {variables:,} variables × {tasks:,} tasks do not fit a picture."
ROWS = "Rows: variables {first:,} to {last:,} by importance{of}."
FOUND = ", of the {count:,} with that name"
REST = "{count:,} further variables: {kept:,} non-zero, largest |u| = {largest}."
GROUPS = "Columns: groups {first:,} to {last:,} of {count:,}, the largest first."
TASKS = "Columns: tasks {first:,} to {last:,} of {count:,}."
MEANS = "A column is the mean over its tasks; click it to see them one by one."
HIDDEN = "{count:,} tasks are not in the picture."
NO_GROUP = "∅ · {n}"
ALL_GROUPS = "all groups"

FIRST_ROWS = "The first {shown:,} of {total:,} rows; the file has all."
FIRST_ROWS_ONLY = "The first {shown:,} of {total:,} rows."
FIRST_BARS = "The bars show the first {shown:,} of {total:,}."
TOP = (
    "A summary: the {rows:,} of {all_rows:,} variables and {columns:,} of "
    "{all_columns:,} tasks with the largest entries. No entry of the other variables "
    "is larger than {rest}."
)
TOP_TASKS = "The {shown:,} of {total:,} tasks that differ most."
LARGEST_GROUPS = (
    "The {shown:,} largest of {total:,} groups; one column a group, with the number of "
    "its tasks."
)
LARGEST_SQUARE = "The {shown:,} largest of {total:,} groups."
ONE_A_GROUP = "One column a group, with the number of its tasks."
PATH_PART = (
    "A summary: the {rows:,} of {all_rows:,} variables and {columns:,} of "
    "{all_columns:,} tasks with the largest entries along the path."
)
STABILITY_PART = (
    "A summary: U has the {rows:,} surest of {all_rows:,} variables, V {columns:,} of "
    "{all_columns:,} tasks; tasks with the same bases are averaged in {blocks:,} "
    "blocks of neighbours."
)
FIRST_COLUMNS = "Of {total:,} columns {shown:,} are shown; the file has all."
PREVIEW_COLUMNS = "The first {shown:,} of {total:,} columns."
