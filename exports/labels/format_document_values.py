"""Formats values in documents and on pages: shares, dates as precise as known, durations, a claim's evidence."""

from collections.abc import Mapping, Sequence
from math import floor
from typing import TYPE_CHECKING
from unicodedata import bidirectional

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exports.document.document_attribution import attribution, date_of, shorten_title, title_of
from exports.document.document_original_links import original_url
from exports.document.document_plain_text import as_read
from exports.document.document_tree import (
    BlockEntry,
    CitationEntry,
    ClaimEntry,
    DegradationEntry,
    Document,
    SearchedEntry,
    SentenceEntry,
    VerificationEntry,
)
from exports.document.format_document_dates import as_known
from exports.labels.document_labels import DEGRADATIONS, DOUBTS, SHORTFALLS, folder_name, word
from exports.stored.exported_headings import translate_heading
from exports.stored.translate_exported_sentences import read_searched_part, translate_stored_text

if TYPE_CHECKING:  # the child process that writes files has no tables
    from citations.models import Citation

SETTING_WORDS = {
    "regions": "region",
    "source_types": "source_type",
    "recency_bias": "recency_bias",
    "depth": "depth",
    "sources": "drawn_on",
    "thin_claims": "thin_claims",
}

NEWEST_TITLE = 100  # letters
OPEN_PART = "G007"
FEWEST_SHARING = 3  # claims with one attribution

# Kinds whose headings and connecting words are ours; those of a report come from its question.
IN_OUR_WORDS = frozenset({"brief", "digest", "synthesis"})


def quoted(text: str) -> str:
    """Return the text in the quotation marks of the active language."""
    return _("“%(text)s”") % {"text": text}


def own_words(text: str, kind: str) -> str:
    """Return a heading or connecting sentence, translated into the reader's language if the wording is ours."""
    return translate_stored_text(text) if kind in IN_OUR_WORDS else translate_heading(text)


def between_claims(text: str, document: Document) -> str:
    """Return a sentence between claims, translated into the reader's language if the wording is ours."""
    translated = translate_stored_text(text)
    is_final = translated != text or document.engine == "extractive"
    return translated if is_final else own_words(text, document.kind)


def sources_missing(claim: "ClaimEntry") -> str:
    """Return the note on a claim with fewer sources than its run requires; empty if it has enough."""
    if not claim.is_thin:
        return ""
    return _("%(found)d of %(wanted)d sources wanted") % {
        "found": claim.origins,
        "wanted": claim.sources_wanted,
    }


def empty_section(document: Document) -> str:
    """Return the text for an empty section. Sections of a report are parts of its question."""
    if document.status == "partial":
        return _("This section is not written yet.")
    if document.kind == "report":
        return _("No source that was read says anything on this.")
    return _("There is nothing to say here.")


def percent(share: float | None) -> str:
    """Format a share: 0.824 → "82%"; empty if it is unknown."""
    return "" if share is None else _("%(number)s%%") % {"number": number_format(round(share * 100))}


def duration(seconds: float | None) -> str:
    """Format a duration: 7.3 → "7 s", 130 → "2 min 10 s"; empty if it is unknown."""
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return _("%(seconds)d s") % {"seconds": rest}
    return _("%(minutes)d min %(seconds)d s") % {"minutes": minutes, "seconds": rest}


def origins(count: int) -> str:
    """Return the number of independent sources as text."""
    return ngettext("%(count)d independent source", "%(count)d independent sources", count) % {"count": count}


def sources_and_publishers(claim: ClaimEntry) -> str:
    """Return "3 sources, 3 publishers", or "3 pages, 1 publisher" if a publisher has several of them."""
    count, publishers = claim.source_count, claim.publisher_count
    is_repeated = 0 < publishers < count
    found = ngettext("%(count)d page", "%(count)d pages", count) if is_repeated else _sources(count)
    if not publishers:
        return found % {"count": count}
    named = ngettext("%(count)d publisher", "%(count)d publishers", publishers)
    return f"{found % {'count': count}}, {named % {'count': publishers}}"


def _sources(count: int) -> str:
    return ngettext("%(count)d source", "%(count)d sources", count)


def labels(claim: ClaimEntry) -> str:
    """Return the labels of a claim's citations, each source once: "[1][3]", "[Lind, 2020] [Ray, 2022]"."""
    named = dict.fromkeys(citation.label for citation in claim.citations)
    numbers = [label.strip("[]") for label in named]
    if all(number.isdecimal() for number in numbers):
        return "".join(f"[{number}]" for number in sorted(numbers, key=int))
    return " ".join(named)


def describe_attribution(claim: ClaimEntry, beside: Sequence[str] = ()) -> str:
    """Return the source and date of a claim, without what is shown `beside` it.

    Empty if the labels of its citations already name the source.
    """
    names = [citation.label.strip("[]") for citation in claim.citations]
    is_said = bool(names) and not any(name.isdecimal() for name in names if name)
    return "" if is_said and any(names) else claim.attribution_beside(*beside)


def describe_shared_attribution(sentences: Sequence[SentenceEntry]) -> str:
    """Return "All from Django 5.2 release notes, April 2025.", said once for sentences whose claims all have that
    attribution.

    Empty if there are fewer than three claims, or if one of them differs.
    """
    named = [describe_attribution(sentence.claim) for sentence in sentences if sentence.claim]
    if len(named) < FEWEST_SHARING or len(set(named)) > 1 or not named[0]:
        return ""
    return _("All from %(source)s.") % {"source": named[0]}


def describe_list_attribution(block: BlockEntry) -> str:
    """Return the attribution that all items of a list have in common; empty if they differ, and for other blocks."""
    return describe_shared_attribution(block.sentences) if block.kind in ("list", "steps") else ""


def newest_source(document: Document) -> str:
    """Return "Newest source: Django 5.2 release notes, 2 April 2025."; empty if no cited source has a date, or all of
    the short answer already names that source beside its claims.
    """
    newest = document.newest
    if newest is None:
        return ""
    named_above = {sentence.claim.attribution for sentence in document.answer if sentence.claim}
    if named_above == {attribution((newest,))}:
        return ""
    named = {"title": shorten_title(title_of(newest), NEWEST_TITLE), "date": as_known(date_of(newest))}
    return _("Newest source: %(title)s, %(date)s.") % named


def describe_open_parts(document: Document) -> str:
    """Return what of the question the sources leave open, in the question's words; empty if that is nothing.

    Sentences of the analysis stand in for the words if it did not search again, or did so for the whole question.
    """
    found = [gap.text for gap in document.gaps if gap.code == OPEN_PART]
    searched = {text: part for text in found if (part := read_searched_part(text))}
    parts = dict.fromkeys(part for part in searched.values() if not _is_whole(part, document.title))
    if parts:
        return _("No clear answer was found to %(parts)s.") % {"parts": "; ".join(map(quoted, parts))}
    return " ".join(translate_stored_text(text) for text in found if text not in searched)


def _is_whole(part: str, title: str) -> bool:
    return part.casefold().rstrip(" ?.") == title.casefold().rstrip(" ?.")


def notes_on_answer(document: Document) -> list[str]:
    """Return the lines below the short answer: what is left open, and the newest source."""
    return [note for note in (describe_open_parts(document), newest_source(document)) if note]


def doubt(status: str) -> str:
    """Return the note in the report's text on a claim with a problem found by its check; empty if there is none."""
    return str(DOUBTS.get(status, ""))


def describe_check(check: VerificationEntry) -> str:
    """Return what was compared with the sources, and how much of it stands in them; then what was not compared."""
    if not check.checked:
        return _("Nothing in it could be checked.")
    counts = {"supported": check.supported, "checked": check.checked}
    if check.quoted == check.checked:
        found = _("Quotes checked against their sources: %(supported)s of %(checked)s found.") % counts
    else:
        found = _("Claims checked against their sources: %(supported)s of %(checked)s supported.") % counts
    if not check.unchecked:
        return found
    left = ngettext("%(count)s claim was not checked.", "%(count)s claims were not checked.", check.unchecked)
    return f"{found} {left % {'count': check.unchecked}}"


def describe_even_evidence(counts: Mapping[str, int]) -> str:
    """Return a sentence on the evidence of a report whose claims all have the same strength; else an empty string.

    `counts` has the number of claims for each strength.
    """
    found = [(strength, count) for strength, count in counts.items() if count]
    if len(found) != 1:
        return ""
    strength, count = found[0]
    return {
        "strong": ngettext(
            "The claim has three or more independent sources.",
            "Each of the %(count)s claims has three or more independent sources.",
            count,
        ),
        "moderate": ngettext(
            "The claim has two independent sources.",
            "Each of the %(count)s claims has two independent sources.",
            count,
        ),
        "limited": ngettext(
            "The claim has one independent source.",
            "Each of the %(count)s claims has one independent source.",
            count,
        ),
    }[strength] % {"count": count}


def describe_degradation(entry: DegradationEntry) -> str:
    """Describe in a sentence what the run did less of than planned; for a failure, with its extent."""
    if entry.code in SHORTFALLS:
        return f"{SHORTFALLS[entry.code]} {translate_stored_text(entry.reason)}"
    return str(DEGRADATIONS.get(entry.code) or translate_stored_text(entry.reason))


def is_exact(citation: "CitationEntry | Citation") -> bool:
    return citation.match_type in ("exact", "normalized") and citation.similarity == 1


def match(citation: "CitationEntry | Citation") -> str:
    """Return how the quote matched: "Exact words" or "Close match 94%", rounded down so that it is never 100%."""
    if citation.similarity == 1:
        return word(citation.match_type, "match")
    share = _("%(number)s%%") % {"number": number_format(floor(citation.similarity * 100))}
    return _("Close match %(share)s") % {"share": share}


def cell_names(citation: "CitationEntry | Citation") -> str:
    """Return what a table calls the row and columns of a quote: "Row: Berlin · Column: 2024"; empty outside tables."""
    media_types = (citation.source.media_type,) if isinstance(citation, CitationEntry) else ()
    row = [_("Row: %(name)s") % {"name": as_read(citation.row, media_types)}] if citation.row else []
    names = {"names": " | ".join(as_read(name, media_types) for name in citation.columns)}
    columns = [ngettext("Column: %(names)s", "Columns: %(names)s", len(citation.columns)) % names]
    return " · ".join([*row, *(columns if citation.columns else [])])


def direction(text: str) -> str:
    """Return the direction of a paragraph: that of its first letter (Unicode's rules P2 and P3), or "ltr" if it has
    none.

    `dir="auto"` does not detect it if each sentence is an element with a direction of its own.
    """
    classes = (bidirectional(character) for character in text)
    return "rtl" if next((kind for kind in classes if kind in ("L", "R", "AL")), "L") != "L" else "ltr"


def link_to_words(citation: CitationEntry) -> str:
    """Return the original's URL with the quote (web page) or the page (PDF) as its target; empty if it has no URL."""
    return original_url(citation.source.url, citation.source.media_type, citation.quote, citation.page)


def describe_search_scope(entry: SearchedEntry) -> str:
    """Return the names in the search scope of a run: "Sample library, Contracts; 61 documents"."""
    told = [folders_in_words(entry)] if entry.folders else []
    return "; ".join([*told, _("the web")] if entry.has_web else told)


def folders_in_words(entry: SearchedEntry) -> str:
    """Return the names of the folders, and how many documents they contain."""
    names = ", ".join(folder_name(folder.key) for folder in entry.folders)
    if entry.is_whole and len(entry.folders) > 1:
        names = _("the whole library (%(names)s)") % {"names": names}
    return f"{names}; {documents(entry.documents)}"


def documents(count: int) -> str:
    return ngettext("%(count)s document", "%(count)s documents", count) % {"count": number_format(count)}


def setting_value(value: str, name: str) -> str:
    """Return the label that the form uses for a value of a run's setting."""
    return word(value, SETTING_WORDS[name]) if name in SETTING_WORDS else value
