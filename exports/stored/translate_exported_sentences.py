"""Translates stored sentences into the reader's language.

A worker that stores a reason does not know its readers, so it writes English. This module finds the template from
which the sentence was made, and fills in the template's translation. A sentence that matches no template stays
unchanged.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache

from django.utils.translation import get_language

from exports.stored.exported_brief_sentences import BRIEFED
from exports.stored.exported_commentary_sentences import COMMENTED
from exports.stored.exported_digest_sentences import DIGESTED
from exports.stored.exported_failure_sentences import FAILED
from exports.stored.exported_input_errors import REFUSED
from exports.stored.exported_run_sentences import LOOKED_AGAIN, TOLD
from exports.stored.exported_sentences import GAP, PluralTemplate, Template, pattern_of, translate_template
from exports.stored.exported_synthesis_sentences import COUNTED_STATEMENTS, SYNTHESIZED
from exports.stored.exported_table_sentences import TABLED
from exports.stored.exported_technical_sentences import SOUGHT
from exports.stored.exported_verdict_sentences import JUDGED
from exports.stored.exported_webhook_sentences import HOOKED

# The first match is used, so specific templates come before general ones, which have wider gaps.
TEMPLATES: tuple[Template, ...] = (
    *(*JUDGED, *COMMENTED, *BRIEFED, *DIGESTED, *SYNTHESIZED, *HOOKED),
    *(*TOLD, *TABLED, *SOUGHT, *REFUSED, *FAILED),
)
OF_OLD = "\u202f"
NEXT_SENTENCE = re.compile(r"(?<=[.!?”…]) (?=[A-Z“\d])")


class _TemplatePattern:
    """A template, prepared for matching stored sentences."""

    def __init__(self, template: Template, words: str) -> None:
        self.template, self.words = template, words
        self.start = GAP.split(words, maxsplit=1)[0]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Return the pattern, compiled at first use: compiling all takes a tenth of a second, and most are never
        used.
        """
        return pattern_of(self.words)

    def values(self, text: str) -> Mapping[str, str] | None:
        """Return the values of the template's gaps in the text; None if the text does not match."""
        if not text.startswith(self.start):  # excludes most sentences without using the pattern
            return None
        found = self.pattern.fullmatch(text)
        return None if found is None else found.groupdict()


def _build_known_templates() -> Iterator[_TemplatePattern]:
    for template in TEMPLATES:
        forms = (template.one, template.many) if isinstance(template, PluralTemplate) else (template,)
        yield from (_TemplatePattern(template, words) for words in forms)


KNOWN = tuple(_build_known_templates())
_LOOKED_AGAIN = tuple(_TemplatePattern(words, words) for words in LOOKED_AGAIN)
_COUNTED = tuple(_TemplatePattern(words, words) for words in COUNTED_STATEMENTS)


def translate_stored_text(text: str) -> str:
    """Translate `text` into the reader's language; return it unchanged if that is English, or if no template matches.

    Tables stored before 26 November 2026 group digits by narrow spaces, which is not done in English.
    """
    language = get_language() or "en"
    if not text or language == "en" and OF_OLD not in text:
        return text
    return translate_sentences(text, language) or text


def translate_counted_statement(text: str) -> str:
    """Translate the text of a claim that was counted from rows of a table; other claims quote, and stay unchanged."""
    if (get_language() or "en") == "en" or all(known.values(text) is None for known in _COUNTED):
        return text
    return translate_stored_text(text)


def read_searched_part(text: str) -> str:
    """Return the part of a question of which the stored sentence says that it was looked for again in vain; else
    an empty string.
    """
    values = next((values for known in _LOOKED_AGAIN if (values := known.values(text))), {})
    return values.get("part", "")


@lru_cache(maxsize=4096)
def translate_sentences(text: str, language: str) -> str:
    """Translate a sentence, or several in a row, into `language`, which must be the active one; "" if unknown."""
    parts = NEXT_SENTENCE.split(text)
    if len(parts) > 1:
        each = [_sentence(part) for part in parts]
        if all(each):
            return " ".join(each)
    return _sentence(text)


def _sentence(text: str) -> str:
    for known in KNOWN:
        values = known.values(text)
        if values is not None:
            return translate_template(
                known.template, {name: translate_stored_text(value) for name, value in values.items()}
            )
    return ""
