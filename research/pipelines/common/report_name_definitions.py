"""Find short and long forms of names as sources define them: "non-revenue water (NRW)". Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from research.extractive.question.question_word_translation import is_english_word
from research.extractive.terms import is_stop_word

# "Non-revenue water (NRW)", "NRW (non-revenue water)"; read as Schwartz and Hearst do (PSB 2003).
_SHORT_IN_BRACKETS = re.compile(r"((?:[\w'’-]+ ){1,8})\(([A-Z][A-Za-z0-9-]{1,9})\)")
_LONG_IN_BRACKETS = re.compile(r"\b([A-Z][A-Za-z0-9-]{1,9}) \(((?:[\w'’-]+ ?){2,8})\)")


def rename(text: str, names: Mapping[str, str]) -> str:
    """Replace the names that the text uses with the other names."""
    for name, other in names.items():
        text = _pattern(name).sub(other.replace("\\", r"\\"), text)
    return text


def find_other_names(text: str, sources: Iterable[str]) -> dict[str, str]:
    """Return the short or long forms that sources define, keyed by the forms that the text uses."""
    other_names: dict[str, str] = {}
    for source in sources:
        for short, long in _definitions(source):
            if _stands_in(short, text):
                other_names.setdefault(short, long)
            elif _stands_in(long, text):
                other_names.setdefault(long, short)
    return other_names


def _stands_in(name: str, text: str) -> bool:
    return _pattern(name).search(text) is not None


def _pattern(name: str) -> re.Pattern[str]:
    """Match the name in any case, but in its own if it is a word otherwise: "do" is not DO, dissolved oxygen."""
    is_word = is_stop_word(name.lower()) or is_english_word(name)
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", 0 if is_word else re.IGNORECASE)


def _definitions(text: str) -> Iterator[tuple[str, str]]:
    for match in _SHORT_IN_BRACKETS.finditer(text):
        if long := _long_form(match[2], match[1].split()):
            yield match[2], long
    for match in _LONG_IN_BRACKETS.finditer(text):
        words = match[2].split()
        if _long_form(match[1], words) == " ".join(words):
            yield match[1], " ".join(words)


def _long_form(short: str, words: Sequence[str]) -> str:
    """Return the fewest last words with the short form's letters in order, its first letter at their beginning."""
    letters = [sign for sign in short.casefold() if sign.isalnum()]
    for first in range(len(words) - 1, -1, -1):
        rest = " ".join(words[first:]).casefold()
        if rest[0] == letters[0] and len(words) - first > 1 and _holds_in_order(rest, letters):
            return " ".join(words[first:])
    return ""


def _holds_in_order(text: str, letters: Sequence[str]) -> bool:
    """Return True if each letter begins a word, or follows the previous one within a word that begins with one."""
    initials = [word[0] for word in re.split(r"[\s-]+", text) if word]
    place = 0
    for initial in initials:
        if place < len(letters) and initial == letters[place]:
            place += 1
    return place == len(letters)
