"""Names that try to be more than names, and a table that is full of them."""

FLAG = "window.hacked=1"
NAMES = (
    f"<img src=x onerror={FLAG}>",
    f'"><script>{FLAG}</script>',
    f"![p](javascript:{FLAG})",
    f"[click](javascript:{FLAG})",
    f"<a href='javascript:{FLAG}'>go</a>",
    f"<svg/onload={FLAG}>",
    "=cmd|' /C calc'!A0",
    "![spy](http://evil.invalid/spy.png)",
    ":red[no] $x$ `c` **b** %{y}",
    "</textarea></style><h1 id=injected>x</h1>",
)
TASKS = NAMES[:5]
VARIABLES = NAMES[3:]


def quoted(text: str) -> str:
    """A cell of a CSV file."""
    return '"' + text.replace('"', '""') + '"'


def table() -> str:
    """A CSV file whose columns, tasks and file name are hostile."""
    lines = [",".join(map(quoted, ["<b>task</b>", *VARIABLES, "=target"]))]
    for number in range(100):
        values = [((number * (7 + 2 * i)) % 23) / 4 for i in range(len(VARIABLES))]
        target = sum(values[:3]) + (number % 5) + ((number * 11) % 7) / 9
        task = TASKS[number % len(TASKS)]
        lines.append(",".join([quoted(task), *map(str, values), str(target)]))
    return "\n".join(lines) + "\n"
