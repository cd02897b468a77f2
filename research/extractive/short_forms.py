"""Short forms that the sources explain: "incidence angle modifier (IAM)".

The pairs are found as Schwartz and Hearst (2003) describe it, "A simple algorithm for identifying abbreviation
definitions in biomedical text". A sentence with one of the two forms speaks of what a question calls by the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from research.extractive.terms import term_set, words

_IN_BRACKETS = re.compile(r"((?:[\w'’-]+[ /]){1,10})\(([A-Za-z][\w&.-]{1,9})\)")


def find_short_forms(texts: Iterable[str]) -> Mapping[str, str]:
    """Return the long form of each short form that the texts explain, the one that is explained first.

    >>> find_short_forms(["The Predicted Mean Vote (PMV) is an index."])
    {'PMV': 'Predicted Mean Vote'}
    """
    found: dict[str, str] = {}
    for text in texts:
        if "(" not in text:
            continue
        for before, short in _IN_BRACKETS.findall(text):
            if sum(map(str.isupper, short)) >= 2 and (long := _find_long_form(before.strip(), short)):
                found.setdefault(short, long)
    return found


def other_names(asked: str, short_forms: Mapping[str, str], thing: str = "") -> Mapping[str, str]:
    """Return what the sources call the things that the question names: other name -> name in the question.

    The initials of the thing that it asks to define may stand for it without an explanation.

    >>> other_names("What is the predicted mean vote?", {"PMV": "Predicted Mean Vote"})
    {'PMV': 'Predicted Mean Vote'}
    >>> other_names("What is PMV?", {"PMV": "Predicted Mean Vote"})
    {'Predicted Mean Vote': 'PMV'}
    """
    said, terms = words(asked), term_set((asked,))
    initials = "".join(word[0] for word in words(thing)).upper()
    names = {initials: thing} if len(initials) > 2 else {}
    for short, long in short_forms.items():
        if short in said:
            names[long] = short
        elif term_set((long,)) <= terms and long.lower() in asked.lower():
            names[short] = long
    return names


def name_as_asked(text: str, names: Mapping[str, str]) -> str:
    """Return the text with the names of the question instead of the other ones."""
    for name, asked in names.items():
        if name in text:
            text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", asked.replace("\\", r"\\"), text)
    return text


def _find_long_form(before: str, short: str) -> str:
    """Return the words before the brackets that contain the letters of the short form in order, "" if none do."""
    letters = [letter.lower() for letter in short if letter.isalnum()]
    tokens = before.split()[-min(len(letters) + 5, 2 * len(letters)) :]
    text = " ".join(tokens)
    place = len(text)
    for number in range(len(letters) - 1, -1, -1):
        place -= 1
        while place >= 0 and not (
            text[place].lower() == letters[number] and (number or place == 0 or not text[place - 1].isalnum())
        ):
            place -= 1
        if place < 0:
            return ""
    long = text[place:]
    return long if len(long) > len(short) and long != short and " " in long else ""
