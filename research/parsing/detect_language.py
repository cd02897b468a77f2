"""Language detection for texts."""

from __future__ import annotations

import functools
import mmap
import re
import tempfile

import numpy as np
from py3langid.langid import MODEL_FILE, LanguageIdentifier

_SAMPLE = 4_000
# If this many characters leave no doubt, no more are examined: each takes a microsecond, a fifth of the time
# for a page.
_SHORT_SAMPLE = 1_000
_MIN_LETTERS = 40
_MIN_PROBABILITY, _NO_DOUBT = 0.8, 0.99
_PART_OF = {"yue": "zh", "wuu": "zh", "ary": "ar", "arz": "ar"}
_NOT_WORDS = re.compile(r"https?://\S+|[\w.]+@[\w.]+|[\d_|=<>{}()\[\]/\\*`#~^]+")


@functools.cache
def _identifier() -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.tk_nextmove = _map_copy(identifier.tk_nextmove.tobytes()).cast(identifier.tk_nextmove.typecode)
    probabilities = identifier.nb_ptc
    mapped = np.frombuffer(_map_copy(probabilities.tobytes()), probabilities.dtype).reshape(
        probabilities.shape
    )
    identifier.nb_ptc = mapped
    identifier._full_model = (mapped, *identifier._full_model[1:])
    return identifier


def _map_copy(data: bytes) -> memoryview:
    """Return `data` mapped from a file without a name: only what is read of them takes memory.

    Texts in a few languages read a good half of the model's 67 MB.
    """
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def detect_language(text: str) -> str | None:
    """Return the ISO 639-1 code of the text's main language; None if it is too short or unclear.

    A sample from the middle is used: beginnings are often titles, names and tables of contents.
    """
    language, probability = _classify_sample(text, _SHORT_SAMPLE)
    if probability < _NO_DOUBT and len(text) > _SHORT_SAMPLE:
        language, probability = _classify_sample(text, _SAMPLE)
    return _two_letters(language) if probability >= _MIN_PROBABILITY else None


def _two_letters(language: str) -> str | None:
    """Return a two-letter code.

    None for languages with only a three-letter code, and for "zxx" (lists without words).
    """
    known = _PART_OF.get(language, language)
    return known if len(known) == 2 else None


def _classify_sample(text: str, size: int) -> tuple[str, float]:
    """Return the likeliest language of that many characters from the middle, and its probability.

    The probability is 0 with too few letters.
    """
    middle = max(0, (len(text) - size) // 2)
    sample = " ".join(_NOT_WORDS.sub(" ", text[middle : middle + size]).split())
    if sum(map(str.isalpha, sample)) < _MIN_LETTERS:
        return "", 0.0
    language, probability = _identifier().classify(sample)
    return str(language), float(probability)
