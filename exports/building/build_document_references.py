"""Converts a run's sources to references, and formats lists of them in any style."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from urllib.parse import unquote

from django.core.cache import cache

from citations.bibliography.author_names import names
from citations.bibliography.csl_references import PartialDate, Reference, WorkType
from citations.citation_styles import CitationStyle, FormattedReference, format_references
from exports.document.document_tree import SourceEntry, select_cited_sources

AT_ONCE = 250  # references; telling works apart takes quadratic time: 0.5 s for 200, 2 s for 400
KEPT_S = 24 * 3600  # cache time of a formatted list; the same list gives the same text
_PAPER = frozenset(
    {"application/pdf", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"}
)
_TYPES = {
    "academic": WorkType.JOURNAL_ARTICLE,
    "news": WorkType.NEWSPAPER_ARTICLE,
    "blog": WorkType.POST,
    "code": WorkType.SOFTWARE,
}
_REPORTING = frozenset({"government", "industry", "company"})
_PART_OF_A_WHOLE = frozenset(
    {WorkType.JOURNAL_ARTICLE, WorkType.NEWSPAPER_ARTICLE, WorkType.POST, WorkType.WEBPAGE}
)
_OWN_NUMBER = re.compile(r"^\[\d+\]\s*")  # in IEEE style
_DOI = re.compile(r"https?://(?:dx\.)?doi\.org/(10\.\d{4,9}/\S+)", re.IGNORECASE)


def references(entries: Iterable[SourceEntry]) -> tuple[Reference, ...]:
    """Return a reference for each source, in order."""
    return tuple(map(_reference, entries))


def load_formatted_references(
    listed: Sequence[Reference], style: CitationStyle, language: str = ""
) -> tuple[FormattedReference, ...]:
    """Format the list in a style, or return it from the cache. Raises PandocError."""
    digest = sha256(f"{language}{listed!r}".encode("utf-8", "replace")).hexdigest()
    key = f"references:{style.value}:{digest}"
    known: tuple[FormattedReference, ...] | None = cache.get(key)
    if known is None:
        known = format_references(listed, style, language)
        cache.set(key, known, KEPT_S)
    return known


def format_cited_references(
    sources: Iterable[SourceEntry], style: CitationStyle, language: str
) -> list[tuple[SourceEntry, FormattedReference]]:
    """Format the cited sources by their numbers, without the style's own numbers.

    `inline` is a style for sentences, whose list is that of APA. Styles define their own variety of English. Long
    lists are formatted in parts, and the letters after years ("2024a") are only unique within a part. Raises
    PandocError.
    """
    cited = select_cited_sources(sources)
    own_style = CitationStyle.APA if style is CitationStyle.INLINE else style
    own_language = "" if language.startswith("en") else language
    written: dict[str, FormattedReference] = {}
    for start in range(0, len(cited), AT_ONCE):
        made = format_references(references(cited[start : start + AT_ONCE]), own_style, own_language)
        written |= {reference.id: _remove_number(reference) for reference in made}
    return [(source, written[f"source{source.number}"]) for source in cited]


def _remove_number(reference: FormattedReference) -> FormattedReference:
    return replace(
        reference, text=_OWN_NUMBER.sub("", reference.text), html=_OWN_NUMBER.sub("", reference.html)
    )


def _reference(entry: SourceEntry) -> Reference:
    kind, read = work_type(entry), entry.retrieved
    doi = _DOI.match(entry.url)
    authors = names(entry.author, entry.publisher)
    reference = Reference(
        id=f"source{entry.number}" if entry.number else f"source-{entry.id}",
        type=kind,
        title=entry.title,
        authors=authors,
        issued=partial_date(entry.published),
        accessed=PartialDate(read.year, read.month, read.day) if read and entry.url else None,
        url=entry.url,
        doi=unquote(doi[1]) if doi else "",
        language=entry.language,
    )
    if kind not in _PART_OF_A_WHOLE:
        return replace(reference, publisher=entry.publisher)
    is_its_own = len(authors) == 1 and entry.publisher in authors[0].literal  # named only once
    return replace(reference, container_title="" if is_its_own else entry.publisher)


def authors_in_short(source: SourceEntry) -> str:
    """Return "Lind & Berg" or "Lind et al."; empty for fewer than two authors, whom the source's own author line
    names.
    """
    known = [name.family or name.literal for name in names(source.author, source.publisher)]
    if len(known) < 2:
        return ""
    return " & ".join(known) if len(known) == 2 else f"{known[0]} et al."


def work_type(entry: SourceEntry) -> WorkType:
    if entry.media_type == "text/csv":
        return WorkType.DATASET
    if entry.source_type in _TYPES:
        return _TYPES[entry.source_type]
    if entry.source_type in _REPORTING and (entry.media_type in _PAPER or not entry.url):
        return WorkType.REPORT
    return WorkType.WEBPAGE if entry.url else WorkType.DOCUMENT


def partial_date(iso: str) -> PartialDate | None:
    """Parse an ISO 8601 date of any precision; None for anything else."""
    try:
        return PartialDate(*map(int, iso.split("-")))
    except (ValueError, TypeError):
        return None
