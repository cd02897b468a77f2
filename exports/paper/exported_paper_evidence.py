"""The list of sources and the appendix of evidence, in which each quote has its context and links back."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from exports.building.build_document_references import format_cited_references
from exports.document.document_marked_text import Piece
from exports.document.document_original_links import original_url
from exports.document.document_tree import CitationEntry, ClaimEntry, Document, SourceEntry
from exports.formats.export_options import ExportOptions
from exports.labels.document_labels import word
from exports.labels.format_document_values import match
from exports.paper.exported_paper_citations import at_place, format_source_credit, original_of, weight_of
from exports.paper.exported_paper_nodes import (
    BlockQuote,
    CodeBlock,
    Heading,
    Inline,
    Link,
    Node,
    Paragraph,
    StyledText,
    words,
)
from exports.stored.translate_exported_sentences import translate_stored_text


def sources(document: Document, options: ExportOptions) -> Iterator[Node]:
    """Yield the cited sources in the order of their numbers, in the chosen style. Raises PandocError."""
    listed = format_cited_references(document.sources, options.citation_style, options.language)
    if listed:
        yield Heading(1, _("Sources"), "sources")
    for place, (source, reference) in enumerate(listed):
        # Neither one source nor two stand alone on a page, before the rest or behind it.
        is_kept = place < min(2, len(listed) - 1) or len(listed) - 3 <= place < len(listed) - 1
        style = "source kept" if is_kept else "source"
        yield Paragraph(_build_source_line(source, reference.text), style, f"source-{source.number}")


def _build_source_line(source: SourceEntry, text: str) -> tuple[Inline, ...]:
    # The blank belongs to the text: after one in the number, WeasyPrint breaks a line that the text fills to its end.
    line: list[Inline] = [StyledText(f"[{source.number}]", "strong")]
    text = f" {text}"
    address = original_url(source.url, source.media_type)
    if address and source.url in text:
        before, _own, after = text.partition(source.url)
        line += [StyledText(before), Link(source.url, address), StyledText(after)]
    else:
        line.append(StyledText(text))
        line += [StyledText(" "), Link(_("Open original"), address)] if address else []
    if not address and source.file:
        line.append(StyledText(" " + _("Saved copy only: there is no original to open."), "quiet"))
    return tuple(inline for inline in line if not isinstance(inline, StyledText) or inline.text)


def appendix(document: Document, options: ExportOptions) -> Iterator[Node]:
    claims = [claim for claim in document.claims if claim.citations]
    if not claims:
        return
    yield Heading(1, _("Evidence"), "evidence", starts_page=True)
    quotes = [citation.words for claim in claims for citation in claim.citations]
    if any(quote.before or quote.after for quote in quotes):
        lead = _(
            "Every claim by number, with the exact words it is based on and the text around them as it was "
            "saved."
        )
    else:
        lead = _("Every claim by number, with the exact words it is based on.")
    yield Paragraph(words(lead), "small")
    for claim in claims:
        yield from _claim(claim, options)


def _claim(claim: ClaimEntry, options: ExportOptions) -> Iterator[Node]:
    yield Paragraph(
        (StyledText(str(claim.number), "strong"), StyledText(f" {claim.plain_text}")),
        "claim",
        f"evidence-{claim.number}",
    )
    judgement = " · ".join(
        filter(None, (weight_of(claim).rstrip("."), word(claim.verification_status, "check")))
    )
    note = f" – {translate_stored_text(claim.verification_note)}" if claim.verification_note else ""
    back: tuple[Inline, ...] = (StyledText(" · "), Link(_("Back to the text"), f"#claim-{claim.number}"))
    yield Paragraph((StyledText(judgement + note, "quiet"), *back), "weight")
    if claim.computation and claim.computation.code:
        yield Paragraph((StyledText(_("Computed in Python:"), "quiet"),), "weight")
        yield CodeBlock(claim.computation.code)
    seen: set[int | None] = set()
    for citation in claim.citations:
        yield BlockQuote(_words(citation), citation.source.language)
        number = citation.source.number
        anchor = "" if number in seen else f"cited-{claim.number}-{number}"
        seen.add(number)
        yield Paragraph(_below(citation, options), "cite", anchor)


def _words(citation: CitationEntry) -> tuple[Inline, ...]:
    around = citation.words
    before, after = _join_pieces(around.before), _join_pieces(around.after)
    line = (StyledText(before, "quiet"), StyledText(citation.quote, "quoted"), StyledText(after, "quiet"))
    return tuple(inline for inline in line if inline.text)


def _join_pieces(pieces: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def _below(citation: CitationEntry, options: ExportOptions) -> tuple[Inline, ...]:
    source = citation.source
    label: Inline = StyledText(citation.label)
    if options.include_sources and source.number:
        label = Link(citation.label, f"#source-{source.number}")
    credit = f" {source.title}{at_place(citation)} · {format_source_credit(source)} · {match(citation)}"
    line: list[Inline] = [label, StyledText(credit)]
    address = original_of(citation)
    if address:
        line += [StyledText(" · "), Link(_("Open original"), address)]
    return tuple(line)
