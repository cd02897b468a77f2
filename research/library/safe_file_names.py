"""Names that people give to files and folders, made fit to be shown and stored."""

import re
import unicodedata


def visible(text: str) -> str:
    """Without what is invisible or turns the direction of writing; white space folded."""
    shown = "".join(letter for letter in unicodedata.normalize("NFC", text) if _is_visible(letter))
    return re.sub(r"\s+", " ", shown).strip()


def _is_visible(letter: str) -> bool:
    return letter == " " or unicodedata.category(letter) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
