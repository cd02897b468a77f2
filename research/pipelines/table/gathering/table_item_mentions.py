"""Mentions of an item in a text."""

import re
from collections.abc import Iterable

from citations.text.quote_normalizing import normalize
from research.pipelines.common.report_name_definitions import find_other_names

# What companies and bodies have behind their name, and pages leave out.
_LEGAL_FORM = re.compile(
    r",?\s+(?:inc|incorporated|corp|corporation|co|company|ltd|limited|llc|plc|gmbh|ag|kg|se|s\.?a|n\.?v|b\.?v|s\.?p\.?a"
    r"|oy|ab|a/s|asa|kgaa|e\.?v)\.?$",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"\s*\(([^()]{2,60})\)")


def names(text: str, item: str) -> bool:
    r"""Return True if the item stands in the text as whole words, regardless of case and typography.

    >>> names("Geography of Niger", "niger"), names("Geography of Nigeria", "Niger")
    (True, False)
    """
    return stands_in(normalize(text), item)


def stands_in(normal: str, item: str) -> bool:
    """Return True if a text in its normal form names the item."""
    return bool(re.search(rf"(?<!\w){re.escape(normalize(item))}(?!\w)", normal))


def longest_word(text: str) -> str:
    return max(re.findall(r"\w+", text), key=len, default=text)


def other_names(item: str, texts: Iterable[str] = ()) -> list[str]:
    """Return what else an item is called: without its legal form or what stands in brackets, by what does, and by the
    short or long form that a text defines for it.

    >>> other_names("Acme Tools, Inc."), other_names("Burma (Myanmar)")
    (['Acme Tools'], ['Burma', 'Myanmar'])
    """
    found = [_LEGAL_FORM.sub("", item), _BESIDE.sub("", item), *_BESIDE.findall(item)]
    defined = find_other_names(item, texts)
    found += [other for name, other in defined.items() if normalize(name) == normalize(item)]
    whole = (name.strip() for name in reversed(found))
    names_by_key = {normalize(name): name for name in whole if len(name) > 1 and not _is_cut_off(name)}
    return [name for key, name in reversed(names_by_key.items()) if key != normalize(item)]


def _is_cut_off(name: str) -> bool:
    """Return True where the last word is no name's: "Bank of"."""
    return name.split()[-1].islower() and len(name.split()[-1]) < 4
