"""Names that visitors chose, in places where Streamlit reads Markdown.

Markdown of strangers can load pictures from elsewhere and hide where a link leads, so
that what came from a file, a link or a run is always written as it is.
"""

import re

SIGNS = re.compile(r"([\\`*_\[\]<>#|~$&!])")
WORD_JOINER = "\u2060"  # unseen; keeps addresses from being made links


def plain(text: object) -> str:
    """The text as Markdown that shows it sign by sign, in one line."""
    line = " ".join(str(text).split())
    line = SIGNS.sub(r"\\\1", line)
    line = re.sub(r"([:@])(?=\S)", rf"\1{WORD_JOINER}", line)
    return re.sub(r"(?i)\bwww\.", lambda m: f"{m[0][:3]}{WORD_JOINER}.", line)
