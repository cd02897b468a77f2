"""How values read on the page: words, shares, dates as precise as known, durations, sizes."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from math import floor
from unicodedata import bidirectional

from django import template
from django.core.serializers.json import DjangoJSONEncoder
from django.utils.formats import date_format, number_format
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy
from pydantic import JsonValue

from citations.models import Citation
from exports.document import CitationEntry, ClaimEntry, DegradationEntry, SourceEntry
from exports.pieces import Piece
from research.web.folder_names import folder_name
from research.web.links import original_url
from research.web.step_notes import step_notes
from research.web.stored.matching import stored
from research.web.trace.failures import what_follows, without_failures
from research.web.words import DEGRADATIONS, DOUBTS, SHORTFALLS
from research.web.words import word as word_for

register = template.Library()
register.filter("folder_name", folder_name)
SETTING_WORDS = {
    "regions": "region",
    "source_types": "source_type",
    "recency_bias": "recency_bias",
    "depth": "depth",
    "sources": "drawn_on",
}
BLANK_LINES = re.compile(r"\n\s*\n")
DATE_SHAPES = {1: "Y", 2: "F Y", 3: pgettext_lazy("form of a date", "j F Y")}
DOTS = {"strong": 3, "moderate": 2, "limited": 1}


@register.filter
def word(value: str, kind: str) -> str:
    return word_for(value, kind)


register.filter("stored", stored)  # what a run stored in English, in the reader's language


@register.filter
def filled_dots(strength: str) -> list[bool]:
    """Three dots, filled from the left."""
    return [index < DOTS.get(strength, 0) for index in range(3)]


@register.filter
def percent(share: float | None) -> str:
    """0.824 → "82%"; nothing where the figure is unknown."""
    return "" if share is None else _("%(number)s%%") % {"number": number_format(round(share * 100))}


@register.filter
def as_known(iso: str) -> str:
    """An ISO 8601 date as precise as it is known: "2017", "June 2017", "22 June 2017"."""
    try:
        parts = [int(part) for part in iso.split("-")]
        shape = DATE_SHAPES[len(parts)]
        day = date(*(parts + [1, 1])[:3])
    except (ValueError, KeyError):
        return iso
    return date_format(day, str(shape))


@register.filter
def duration(seconds: float | None) -> str:
    """7.3 → "7 s", 130 → "2 min 10 s"; nothing where it is unknown."""
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return _("%(seconds)d s") % {"seconds": rest}
    return _("%(minutes)d min %(seconds)d s") % {"minutes": minutes, "seconds": rest}


@register.filter
def milliseconds(value: int | None) -> str:
    if value is None:
        return ""
    return _("%(number)s ms") % {"number": value} if value < 1000 else duration(value / 1000)


@register.filter
def origins(count: int) -> str:
    """What a strength counts."""
    return ngettext("%(count)d independent source", "%(count)d independent sources", count) % {"count": count}


@register.filter
def sources_and_publishers(claim: ClaimEntry) -> str:
    """ "3 sources, 3 publishers"; "3 pages, 1 publisher" where one of them is behind several."""
    count, publishers = claim.source_count, claim.publisher_count
    is_repeated = 0 < publishers < count
    found = ngettext("%(count)d page", "%(count)d pages", count) if is_repeated else _sources(count)
    if not publishers:
        return found % {"count": count}
    named = ngettext("%(count)d publisher", "%(count)d publishers", publishers)
    return f"{found % {'count': count}}, {named % {'count': publishers}}"


def _sources(count: int) -> str:
    return ngettext("%(count)d source", "%(count)d sources", count)


@register.filter
def labels(claim: ClaimEntry) -> str:
    """What a claim's citations are called in the text, each source once: "[1][3]"."""
    return "".join(dict.fromkeys(citation.label for citation in claim.citations))


TONES = {
    "queued": "live",
    "taken": "good",
    "refused": "warn",
    "verified": "good",
    "paraphrased_accurate": "good",
    "corrected": "good",
    "disputed": "bad",
    "partially_supported": "warn",
    "unsupported": "bad",
    "contradicted": "bad",
    "unverifiable": "warn",
    "passed": "good",
    "needs_revision": "warn",
    "failed": "bad",
    "critical": "bad",
    "major": "warn",
    "still there": "good",
    "changed": "warn",
    "gone": "bad",
    "unreadable": "warn",
}


@register.filter
def tone(status: str) -> str:
    """The class that colours the outcome of a check, which is always named in words as well."""
    return TONES.get(status, "")


@register.filter
def doubt(status: str) -> str:
    """What the report's text says of a claim whose check was not clean; empty for a clean one."""
    return str(DOUBTS.get(status, ""))


@register.filter
def left_out(dropped: Sequence[Mapping[str, object]]) -> str:
    """How many passages reading left out because nobody sees them."""
    count = sum(int(str(one["passages"])) for one in dropped)
    words = ngettext(
        "%(count)s hidden passage was left out", "%(count)s hidden passages were left out", count
    )
    return words % {"count": number_format(count)}


@register.filter
def passages(count: int) -> str:
    words = ngettext("%(count)s passage", "%(count)s passages", count)
    return words % {"count": number_format(count)}


@register.filter
def characters(count: int) -> str:
    words = ngettext("%(count)s character", "%(count)s characters", count)
    return words % {"count": number_format(count)}


@register.filter
def given_up(entry: DegradationEntry) -> str:
    """What the run did less of than planned, in a sentence; what a failure took, with how much that is."""
    if entry.code in SHORTFALLS:
        return f"{SHORTFALLS[entry.code]} {stored(entry.reason)}"
    return str(DEGRADATIONS.get(entry.code) or stored(entry.reason))


@register.filter
def is_exact(citation: CitationEntry | Citation) -> bool:
    return citation.match_type in ("exact", "normalized") and citation.similarity == 1


@register.filter
def match(citation: CitationEntry | Citation) -> str:
    """How the quote was found: "Exact words", or "Close match 94%", rounded down so that it never says 100%."""
    if citation.similarity == 1:
        return word_for(citation.match_type, "match")
    share = _("%(number)s%%") % {"number": number_format(floor(citation.similarity * 100))}
    return _("Close match %(share)s") % {"share": share}


@register.filter
def notes(output: object, error_code: str = "") -> tuple[str, ...]:
    """What went otherwise than wished, from the output of a step or a tool, in sentences."""
    return step_notes(output, error_code) if isinstance(output, Mapping) else ()


@register.filter
def result_of(output: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """A step's output without what is told in words beside it."""
    return without_failures(output)


@register.filter
def follows(error_code: str) -> str:
    """What the definition of a failure has follow when no try is left."""
    return what_follows(error_code, None, is_last=True)


@register.filter
def marked(pieces: Iterable[Piece]) -> SafeString:
    """The pieces in a row, without a blank between; each that says something in an element of its own."""
    return format_html_join("", "{}", ((_marked(piece),) for piece in pieces))


def _marked(piece: Piece) -> SafeString:
    if not piece.state:
        return conditional_escape(piece.text)
    return format_html('<span class="part {}">{}</span>', piece.state, piece.text)


@register.filter
def direction(text: str) -> str:
    """Of a paragraph with these words: that of the first letter (Unicode's rules P2 and P3), left to right for none.

    `dir="auto"` does not see it where each sentence is an element with a direction of its own.
    """
    classes = (bidirectional(character) for character in text)
    return "rtl" if next((one for one in classes if one in ("L", "R", "AL")), "L") != "L" else "ltr"


@register.filter
def paragraph_a_line(text: str) -> str:
    """Words around a quote, without the blank lines of its source."""
    return BLANK_LINES.sub("\n", text)


@register.filter
def link_to_words(citation: CitationEntry) -> str:
    """The original's address with the quote (web page) or the page (PDF) as its target; empty without one."""
    return original_url(citation.source.url, citation.source.media_type, citation.quote, citation.page)


@register.filter
def web_address(url: str) -> str:
    """The address where it is safe to follow; empty where it is none."""
    return original_url(url)


@register.filter
def link_to_original(source: SourceEntry) -> str:
    return original_url(source.url, source.media_type)


@register.filter
def setting_value(value: str, name: str) -> str:
    """A setting of a run as the form calls it."""
    return word_for(value, SETTING_WORDS[name]) if name in SETTING_WORDS else value


@register.filter
def percentage(share: float) -> float:
    """0.824 → 82.4, for drawing."""
    return 100 * share


@register.filter
def points(value: float | None) -> str:
    """A part of a sum: "+0.15"; nothing where it is not known."""
    if value is None:
        return ""
    return ("-" if value < 0 else "+") + number_format(abs(value), 2)


@register.filter
def unlocalized(value: float) -> str:
    """A number as SVG wants it, whatever the interface's language."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


@register.filter
def indented(value: object) -> str:
    """A JSON value for people."""
    return DjangoJSONEncoder(ensure_ascii=False, indent=2).encode(value)
