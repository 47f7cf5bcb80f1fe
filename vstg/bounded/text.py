"""Text from outside, made fit to be stored and shown."""

from typing import Any

MAX_NAME = 500  # characters of a column, task, label, run or file name


def clean_text(text: str, max_characters: int | None = None) -> str:
    """Return valid UTF-8 without zero characters, cut with "…" when it is too long.

    Half of a surrogate pair, which JSON can hold and no file or browser takes, becomes
    the replacement character.
    """
    if max_characters is not None and len(text) > max_characters:
        text = text[: max_characters - 1] + "…"
    if text.isascii() and "\0" not in text:
        return text
    text = text.replace("\0", "\ufffd")
    # Pairs of escapes that belong together become the character that they mean.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def clean_tree(value: Any) -> Any:
    """Return what a JSON text held with every text in it, and every key, clean."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [clean_tree(item) for item in value]
    if isinstance(value, dict):
        return {clean_text(key): clean_tree(item) for key, item in value.items()}
    return value


def clean_name(name: object) -> str:
    """Return a name on one line, of at most ``MAX_NAME`` characters."""
    text = name if isinstance(name, str) else str(name)
    return clean_text(" ".join(text[: 4 * MAX_NAME].split()), MAX_NAME)
