"""Cleans the names that people give to files and folders, for storage and display."""

import re
import unicodedata


def visible(text: str) -> str:
    """Remove invisible characters and those that change the direction of writing; collapse white space."""
    shown = "".join(letter for letter in unicodedata.normalize("NFC", text) if _is_visible(letter))
    return re.sub(r"\s+", " ", shown).strip()


def _is_visible(letter: str) -> bool:
    return letter == " " or unicodedata.category(letter) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
