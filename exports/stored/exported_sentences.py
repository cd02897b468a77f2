"""Templates of stored sentences, with named gaps like gettext's."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

GAP = re.compile(r"%\((?P<name>\w+)\)(?P<form>[-.\d]*[dfs])|%%")
_FILLED = {"d": r"-?\d+", "f": r"-?\d+(?:[,\u202f]\d{3})*(?:\.\d+)?", "s": r".+?"}
# A gap with this name contains figures in brackets after names: "Russia (17,098,242), Canada (9,984,670)".
AMOUNTS = "amounts"
_AMOUNT = re.compile(rf"(?<=\(){_FILLED['f']}(?=\))")


@dataclass(frozen=True, slots=True)
class PluralTemplate:
    """The singular and plural of a sentence, chosen by the number in the gap "count", else in the first gap."""

    one: str
    many: str


Template: TypeAlias = str | PluralTemplate


def mark_plural(singular: str, plural: str) -> PluralTemplate:
    """Mark both forms for extraction (.ci/messages)."""
    return PluralTemplate(singular, plural)


def pattern_of(words: str) -> re.Pattern[str]:
    """Return a pattern that matches a complete sentence made from `words`.

    A gap of any text never backtracks: the first position at which the text after it fits is as good as any later
    one, since the next such gap matches the rest. So a text is scanned only once.
    """
    parts, end = [""], 0
    for gap in GAP.finditer(words):
        parts[-1] += re.escape(words[end : gap.start()])
        if gap["name"] is None:
            parts[-1] += "%"
        else:
            form = gap["form"][-1]
            parts += [""] if form == "s" else []
            parts[-1] += f"(?P<{gap['name']}>{_FILLED[form]})"
        end = gap.end()
    first, *others = parts
    last = others.pop() if others else ""
    once = "".join(f"(?>{other})" for other in others)
    return re.compile(f"{first}{once}{last}{re.escape(words[end:])}", re.DOTALL)


def translate_template(template: Template, values: Mapping[str, str]) -> str:
    """Return the template in the reader's language, with its gaps filled."""
    if isinstance(template, PluralTemplate):
        count = values.get("count") or next(iter(values.values()))
        wording = ngettext(
            template.one, template.many, int(count) if count.isdecimal() and len(count) < 10 else 2
        )
    else:
        wording = gettext(template)
    return GAP.sub(lambda gap: _fill_gap(gap, values), wording)


def _fill_gap(gap: re.Match[str], values: Mapping[str, str]) -> str:
    if gap["name"] is None:
        return "%"
    value = values[gap["name"]]
    if gap["name"] == AMOUNTS:
        return _AMOUNT.sub(lambda found: _figure(found[0]), value)
    return _figure(value) if gap["form"].endswith("f") else value


def _figure(stored: str) -> str:
    """Format a stored figure with its precision, grouped if it was; older figures are grouped by narrow spaces."""
    plain = re.sub(r"[,\u202f]", "", stored)
    decimals = len(plain.partition(".")[2])
    return number_format(Decimal(plain), decimals, use_l10n=True, force_grouping=plain != stored)
