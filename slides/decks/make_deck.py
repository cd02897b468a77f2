"""Makes a deck: the report's tree, an outline by rules or by a model, fitting, and storing it as version 1.

A job is claimed with a fencing token, like files (`exports.files.export_lease`): if a worker is killed, the next one
makes the deck. The deck and its first version are stored in one transaction.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.urls import reverse

from citations.bibliography.bibliography_by_pandoc import PandocError
from citations.citation_styles import CitationStyle
from exports.building.build_document import build_document
from exports.building.build_document_references import authors_in_short, format_cited_references
from exports.document.document_tree import Document
from exports.files.export_file_state import ExportState
from exports.files.export_lease import SPENT, JobLeases, LostLease, take, work
from research.db.tenancy import tenant_context
from research.runtime.fault_injection import FaultPoint, crash_point
from slides.deck import DeckContent as DeckValue
from slides.decks.stored_deck import evidence_of, plain, renumber_slides
from slides.fitting import fit
from slides.models import MAX_TITLE, Change, Deck, DeckCode, DeckVersion, Length, Outline
from slides.outline import OutlineOptions, outline_deck

SLIDES_A_SECTION = {Length.SHORT: 1, Length.STANDARD: 0, Length.FULL: 3}  # 0: by the number of sections
EMPTY = "The report says nothing that a slide could show."


@dataclass(frozen=True, slots=True)
class OutlinedDeck:
    """A deck with the author of its outline. `note` says why no model made the outline, if one was requested."""

    deck: DeckValue
    by: Outline = Outline.RULES
    note: str = ""


def make_deck(tenant_id: UUID, deck_id: UUID) -> None:
    """Make the deck, unless it exists or is in progress. Safe to repeat, even late or after a crash."""
    with tenant_context(tenant_id):
        deck = take(Deck.objects.all(), deck_id)
    if deck is not None:
        taking = JobLeases(deck)
        work(taking, lambda: _make(taking), DeckCode.BROKEN)


def _make(taking: JobLeases[Deck]) -> None:
    deck = taking.row
    try:
        if taking.is_spent:
            taking.fail(DeckCode.INTERRUPTED, SPENT)
            return
        with tenant_context(deck.tenant_id):
            document = build_document(deck.run_id)
        taking.tell(0.2)
        outlined = _build_outline(deck, document)
        taking.tell(0.8)
        fitted, _report = fit(outlined.deck)
        if not fitted.slides:
            taking.fail(DeckCode.NOTHING_TO_SHOW, EMPTY)
            return
        crash_point(FaultPoint.EXPORT_BEFORE_STORING)
        _store(taking, fitted, outlined)
    except LostLease:
        return


def _build_outline(deck: Deck, document: Document) -> OutlinedDeck:
    options = OutlineOptions(
        language=deck.language,
        references=_references(document, deck.language),
        authors={source.number: authors_in_short(source) for source in document.sources if source.number},
        report_url=report_url(deck.run_id),
        slides_a_section=SLIDES_A_SECTION[Length(deck.length)],
    )
    by_rules = outline_deck(document, options)
    if deck.outline != Outline.MODEL:
        return OutlinedDeck(by_rules)
    from slides.decks.propose_deck import NotProposed, outline_with_model  # imports the model client

    try:
        return OutlinedDeck(outline_with_model(deck, document, by_rules), Outline.MODEL)
    except NotProposed as refused:
        return OutlinedDeck(by_rules, note=str(refused))


def _references(document: Document, language: str) -> Mapping[int, str]:
    """Format references in APA style; empty if that fails, in which case the outline composes plain ones."""
    try:
        listed = format_cited_references(document.sources, CitationStyle.APA, language)
    except PandocError:
        return {}
    return {source.number: reference.text for source, reference in listed if source.number}


def report_url(run_id: UUID) -> str:
    """Return the URL of the live report."""
    return f"{settings.PLUMBLINE_URL.rstrip('/')}{reverse('research:report', args=[run_id])}"


def _store(taking: JobLeases[Deck], value: DeckValue, outlined: OutlinedDeck) -> None:
    """Store the deck. Raises LostLease."""
    deck = taking.row
    with tenant_context(deck.tenant_id):
        DeckVersion.objects.create(
            deck=deck,
            number=1,
            change=Change.MADE,
            title=value.title[:MAX_TITLE],
            theme=deck.theme,
            slides=renumber_slides(value.slides),
            slide_count=len(value.slides),
            made_by_id=deck.asked_by_id,
        )
        taking.end(
            state=ExportState.READY,
            progress=1,
            title=value.title[:MAX_TITLE],
            evidence=plain(evidence_of(value)),
            outlined_by=outlined.by,
            note=outlined.note,
        )
