"""Text that comes from outside, made fit to be stored and shown."""

import re

LONE = re.compile("[\ud800-\udfff]")  # halves of a character: no encoding has them
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # all but tab and line feed


def without_surrogates(text: str) -> str:
    """Lone surrogates replaced by U+FFFD, so that the text can be encoded."""
    return text if text.isascii() else LONE.sub("\ufffd", text)


def clean_text(text: str, longest: int = 500) -> str:
    """Valid Unicode without control characters, cut to ``longest`` characters."""
    text = CONTROL.sub("", without_surrogates(text[: 2 * longest]))
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
