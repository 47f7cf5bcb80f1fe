"""The words of the story that Explore opens with."""

STORY_TERMS = {  # name in the glossary, and how it is written
    "task": ("task", "shop"),
    "variable": ("variable", "columns"),
    "W": ("W", "W"),
    "U": ("U", "U"),
    "V": ("V", "V"),
    "basis": ("basis", "patterns"),
    "group": ("group", "group"),
}
STORY_STEPS = (
    (
        "The data",
        "Weekly sales of 24 shops, and 14 {variable} that may explain them. Every "
        "{task} is a prediction task.",
    ),
    (
        "Coefficients",
        "{W} has one row per variable and one column per shop. Empty: no effect.",
    ),
    (
        "Shared patterns",
        "W = {U}·{V}: U says which variables make up the {basis}, V which shops use "
        "them.",
    ),
    (
        "The answer",
        "Shops with the same patterns form a {group} (A, B, …); six variables count.",
    ),
)
TO_THE_PAPER = "Have you read the paper? Open its Syn1"
