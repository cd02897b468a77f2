"""Which language a text is in."""

from __future__ import annotations

import functools
import re

from py3langid.langid import MODEL_FILE, LanguageIdentifier

_SAMPLE = 4_000
_MIN_LETTERS = 40
_MIN_PROBABILITY = 0.8
_NOT_WORDS = re.compile(r"https?://\S+|[\w.]+@[\w.]+|[\d_|=<>{}()\[\]/\\*`#~^]+")


@functools.cache
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def detect_language(text: str) -> str | None:
    """ISO 639-1 code of the text's main language; None when it is too short or unclear.

    A sample from the middle is judged: beginnings are often titles, names and tables of contents.
    """
    middle = max(0, (len(text) - _SAMPLE) // 2)
    sample = " ".join(_NOT_WORDS.sub(" ", text[middle : middle + _SAMPLE]).split())
    if sum(map(str.isalpha, sample)) < _MIN_LETTERS:
        return None
    language, probability = _identifier().classify(sample)
    return str(language) if probability >= _MIN_PROBABILITY else None
