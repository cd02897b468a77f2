"""References from claims to their evidence: the mark after a claim, its footnote, the attribution below a quote."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from exports.building.build_document_references import authors_in_short
from exports.document.document_attribution import date_of
from exports.document.document_original_links import original_url
from exports.document.document_tree import CitationEntry, ClaimEntry, SourceEntry
from exports.document.format_document_dates import as_known
from exports.formats.export_options import ExportOptions
from exports.labels.document_labels import word
from exports.labels.format_document_values import (
    cell_names,
    describe_attribution,
    doubt,
    percent,
    quoted,
    sources_missing,
)
from exports.paper.exported_paper_nodes import Footnote, Inline, Line, Link, NoteReference, StyledText

TITLE = 64  # characters of a source's title in a footnote, which then fits on one line with the weight
QUOTED = 280  # characters of a quote in a footnote, if no appendix has the whole quote


class Citing:
    """Numbers and targets of a paper, because the place of a claim's evidence depends on the parts that it includes."""

    def __init__(self, options: ExportOptions) -> None:
        self.options = options
        self._noted: set[int] = set()

    def cite_in_text(self, claim: ClaimEntry, *, is_attributed: bool = True) -> Line:
        """Return a claim in running text, with its doubt, footnote and attribution.

        A repeated claim has only its number instead of the footnote.
        """
        named = build_attribution(claim) if is_attributed else ()
        return (*_build_claim_words(claim), self.call(claim), *named)

    def cite_in_table(self, claim: ClaimEntry, heads: Sequence[str]) -> Line:
        """Return a claim in a table; `heads` are the headings of its row and column."""
        disputed = claim.contradiction_status != "none"
        said = (StyledText(" " + _("(disputed)"), "quiet"),) if disputed else ()
        return (*_build_claim_words(claim), *said, self.mark(claim), *build_attribution(claim, heads))

    def call(self, claim: ClaimEntry) -> Inline:
        if claim.number in self._noted:
            return NoteReference(claim.number, self.evidence_of(claim))
        self._noted.add(claim.number)
        return Footnote(claim.number, self._note(claim), f"claim-{claim.number}")

    def mark(self, claim: ClaimEntry) -> Inline:
        """Return the mark of a claim in a table: only the number if the appendix has its evidence, otherwise the
        footnote.
        """
        if not self.options.include_appendix or claim.number in self._noted:
            return self.call(claim)
        self._noted.add(claim.number)
        return NoteReference(claim.number, self.evidence_of(claim), f"claim-{claim.number}")

    def evidence_of(self, claim: ClaimEntry) -> str:
        return f"#evidence-{claim.number}" if self.options.include_appendix else f"#claim-{claim.number}"

    def quote_of(self, claim: ClaimEntry, citation: CitationEntry) -> str:
        """Return the link to the quote in the appendix, or to its source in the list, or to the original."""
        number = citation.source.number
        if self.options.include_appendix:
            return f"#cited-{claim.number}-{number}"
        if self.options.include_sources and number:
            return f"#source-{number}"
        return original_of(citation)

    def _note(self, claim: ClaimEntry) -> Line:
        parts: list[Inline] = []
        for citation in one_a_source(claim.citations):
            parts += [StyledText("; ")] if parts else []
            parts += self._build_citation_inlines(claim, citation)
        return (*parts, StyledText(f"{_stop(parts)}{weight_of(claim)}"))

    def _build_citation_inlines(self, claim: ClaimEntry, citation: CitationEntry) -> list[Inline]:
        target = self.quote_of(claim, citation)
        label: Inline = Link(citation.label, target) if target else StyledText(citation.label)
        named: list[Inline] = [
            label,
            StyledText(f" {short(citation.source.title, TITLE)}{at_place(citation)}"),
        ]
        if not self.options.include_appendix:
            named.append(StyledText(f": {quoted(short(citation.quote, QUOTED))}"))
        return named


def _build_claim_words(claim: ClaimEntry) -> Line:
    """Return the text of the claim, with the doubts of its check."""
    doubts = "; ".join(filter(None, (doubt(claim.verification_status), sources_missing(claim))))
    said: tuple[Inline, ...] = (StyledText(claim.plain_text),)
    return (*said, StyledText(f" ({doubts})", "quiet")) if doubts else said


def build_attribution(claim: ClaimEntry, beside: Sequence[str] = ()) -> Line:
    """Build the attribution after a claim, with source and date: " (Django 5.2 release notes, April 2025)"."""
    named = describe_attribution(claim, beside)
    return (StyledText(f" ({named})", "attribution"),) if named else ()


def _stop(line: Sequence[Inline]) -> str:
    """Return the full stop and space that end the line as a sentence; only a space if its text ends with one."""
    last = line[-1] if line else StyledText("")
    said = last.text if isinstance(last, StyledText | Link) else ""
    return " " if said.endswith((".", "?", "!", "…")) else ". " if said else ""


def one_a_source(citations: Iterable[CitationEntry]) -> list[CitationEntry]:
    """Return the first citation of each source, in order."""
    found: dict[str, CitationEntry] = {}
    for citation in citations:
        found.setdefault(str(citation.source.id), citation)
    return list(found.values())


def weight_of(claim: ClaimEntry) -> str:
    """Format strength and confidence: "Strong evidence, confidence 82%." """
    strength = _("%(strength)s evidence") % {"strength": word(claim.strength, "strength")}
    if claim.confidence is None:
        return f"{strength}."
    return _("%(evidence)s, confidence %(share)s.") % {
        "evidence": strength,
        "share": percent(claim.confidence),
    }


def at_page(citation: CitationEntry) -> str:
    return _(", p. %(page)s") % {"page": citation.printed_page} if citation.printed_page else ""


def at_place(citation: CitationEntry) -> str:
    """Return where the quote stands: its page, and the names of its row and columns if a table holds it."""
    names = cell_names(citation)
    return f"{at_page(citation)} ({names})" if names else at_page(citation)


def original_of(citation: CitationEntry) -> str:
    """Return the URL of the original at the quote; empty if there is none."""
    source = citation.source
    return original_url(source.url, source.media_type, citation.quote, citation.page)


def format_source_credit(source: SourceEntry) -> str:
    """Format the author or publisher and the date: "World Health Organization, 5 March 2024", "Lind et al., 2021"."""
    who = authors_in_short(source) or source.author or source.publisher or source.domain or source.file
    when = as_known(date_of(source)) or _("date unknown")
    return ", ".join(filter(None, (who, when)))


def short(text: str, most: int) -> str:
    """Shorten the text to at most `most` characters, between words if possible."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    return (line[: most - 1].rpartition(" ")[0] or line[: most - 1]) + "…"
