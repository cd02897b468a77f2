"""Outlines a deck: title, summary, sections with charts, disagreements, gaps, evidence, sources. Pure."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from exports.document.document_tree import (
    INSUFFICIENT,
    BlockEntry,
    ClaimEntry,
    Document,
    SectionEntry,
    SourceEntry,
    WarningEntry,
    select_cited_sources,
)
from exports.labels.document_study_labels import translate_table
from exports.labels.format_document_values import between_claims, notes_on_answer, own_words
from exports.stored.translate_exported_sentences import translate_stored_text
from slides.deck import DeckContent, DeckSource, Layout, Slide, SlidePassage
from slides.fitting import fit
from slides.fitting.shorten_slide_lines import letters, to_width
from slides.fitting.slide_budgets import SOURCES, TITLE_LETTERS
from slides.outline.choose_slide_passages import slides_of, steps_of
from slides.outline.contradiction_slides import disagreement_slides
from slides.outline.slide_charts import caption_of, chart_of_entry, charts_of_claims, strengths_chart
from slides.outline.slide_passages import (
    attribution_of,
    deck_claim,
    deck_source,
    of_block,
    passage_of,
    unique,
    words_of_block,
)
from slides.outline.table_slides import table_slides

# Slides for a section, depending on the number of sections: a deck is presented, not read.
_A_SECTION = ((8, 3), (16, 2))
_MAX_IN_FULL = (
    20  # sources; more of them get a line each, because pages of titles are not read and the notes have them
)
_MIN_FOR_EVIDENCE = 5  # claims; with fewer, a chart of their strength is meaningless


@dataclass(frozen=True, slots=True)
class OutlineOptions:
    """The options of an outline.

    `references`: the formatted references by source number; missing ones are composed plainly. `authors`: short forms
    for sources with several authors, by number: "Lind et al."; for others, their own author line is used.
    """

    language: str = ""  # language of the deck's own texts; empty: that of the report
    references: Mapping[int, str] = field(default_factory=dict)
    authors: Mapping[int, str] = field(default_factory=dict)
    report_url: str = ""
    slides_a_section: int = 0  # 0: one to three, by the number of sections


@dataclass(frozen=True, slots=True)
class _Outlining:
    document: Document
    options: OutlineOptions
    claims: Mapping[int, ClaimEntry]

    @property
    def slides_a_section(self) -> int:
        if self.options.slides_a_section:
            return self.options.slides_a_section
        sections = len(self.document.body)
        return next((slides for most, slides in _A_SECTION if sections <= most), 1)


def outline_deck(document: Document, options: OutlineOptions | None = None) -> DeckContent:
    """Return a deck within budget. Every document gives one, even if empty; equal documents give equal decks."""
    options = options or OutlineOptions()
    language = options.language or document.language or "en"
    claims = {claim.number: claim for claim in document.claims if claim.number}
    with override(language):
        slides = tuple(_slides(_Outlining(document, options, claims)))
        stated = tuple(map(deck_claim, claims.values()))
    deck = DeckContent(
        title=" ".join(document.title.split()),
        slides=slides,
        sources=tuple(_source(source, options) for source in select_cited_sources(document.sources)),
        claims=stated,
        language=language,
        report_url=options.report_url,
    )
    return fit(with_sources(deck))[0]


def _source(source: SourceEntry, options: OutlineOptions) -> DeckSource:
    number = source.number or 0
    return deck_source(source, options.references.get(number, ""), options.authors.get(number, ""))


def _slides(outlining: _Outlining) -> Iterator[Slide]:
    document = outlining.document
    yield _title(document)
    yield from _build_unanswered_slides(document)
    summary = list(_summary(outlining))
    yield from summary
    told = {passage.claim for slide in summary for passage in slide.passages if passage.claim}
    for title, section in _title_sections(document):
        slides = list(_section(title, section, outlining, told))
        yield from slides
        told |= {passage.claim for slide in slides for passage in slide.passages if passage.claim}
    if document.table:
        yield from table_slides(document.table, told=set(document.summary))
    yield from disagreement_slides(document.contradictions)
    yield from _gaps(document.gaps)
    yield from _evidence(document)


def _title(document: Document) -> Slide:
    claims, sources = len(document.claims), len(select_cited_sources(document.sources))
    said = ngettext("%(count)d claim", "%(count)d claims", claims) % {"count": claims}
    of = ngettext("%(count)d source", "%(count)d sources", sources) % {"count": sources}
    on = date_format(document.made_at, "DATE_FORMAT") if document.made_at else ""
    counted = (said, of) if claims or document.status != INSUFFICIENT else ()
    byline = " · ".join(filter(None, (*counted, on)))
    return Slide(
        0,
        document.title or _("Untitled report"),
        Layout.TITLE,
        caption=byline,
        notes=_describe_status(document),
    )


def _describe_status(document: Document) -> str:
    said = {
        "partial": _("The report is not finished: the deck shows what it has."),
        "failed": _("The report was not finished, as something failed: the deck shows what it has."),
        "cancelled": _("The report was stopped: the deck shows what it has."),
    }
    return said.get(document.status, "")


def _build_unanswered_slides(document: Document) -> Iterator[Slide]:
    if document.status != INSUFFICIENT:
        return
    reasons = [SlidePassage(translate_stored_text(text)) for text in document.reasons]
    yield from slides_of(_("The sources do not answer this"), reasons, 2, {})
    yield from slides_of(
        _("What was looked for"), [SlidePassage(text) for text in document.looked_for], 1, {}
    )


def _summary(outlining: _Outlining) -> Iterator[Slide]:
    document = outlining.document
    passages = [
        passage_of(sentence.claim)
        if sentence.claim
        else SlidePassage(between_claims(sentence.text, document))
        for sentence in document.answer
    ]
    slides = slides_of(_("In short"), unique(passages), 2, outlining.claims, keeps_words=True)
    notes = " ".join(notes_on_answer(document))
    yield from (replace(slide, notes="" if index else notes) for index, slide in enumerate(slides))


def _title_sections(document: Document) -> Iterator[tuple[str, SectionEntry]]:
    """Yield each section with the title of its slides.

    A subsection's title begins with its parent's title, if there is room.
    """
    above: dict[int, str] = {}
    for section in document.body:
        heading = " ".join(own_words(section.heading, document.kind).split())
        above[section.level] = heading
        named = ": ".join(filter(None, (above.get(section.level - 1, "").rstrip(" ?:"), heading)))
        yield (named if letters(named) <= TITLE_LETTERS else heading) or _("Findings"), section


def _section(title: str, section: SectionEntry, outlining: _Outlining, told: Set[int]) -> Iterator[Slide]:
    """Yield the section's slides of text, then its steps, quotes, charts and tables, without what earlier slides have
    stated.
    """
    steps = [block for block in section.blocks if block.kind == "steps"]
    quoted, blocks = _separate_quotes([block for block in section.blocks if block.kind != "steps"])
    stated = unique(passage for block in blocks for passage in of_block(block))
    passages = [passage for passage in stated if passage.claim not in told]
    if not stated and not quoted and not steps:
        kind = outlining.document.kind
        words = (passage for block in blocks for passage in words_of_block(block))
        passages = unique(replace(passage, text=own_words(passage.text, kind)) for passage in words)
    slides = slides_of(title, passages, outlining.slides_a_section, outlining.claims)
    yield from _add_rest_note(slides, passages)
    yield from (slide for block in steps for slide in steps_of(title, block))
    yield from (_quote(title, entry, outlining.options) for entry in quoted)
    yield from _build_visual_slides(section, title)


def _separate_quotes(blocks: Sequence[BlockEntry]) -> tuple[list[ClaimEntry], list[BlockEntry]]:
    """Separate the claims to show as quotes from the other blocks.

    Each is the claim of a block that contains nothing else.
    """
    quoted: list[ClaimEntry] = []
    others: list[BlockEntry] = []
    for block in blocks:
        claims = [sentence.claim for sentence in block.sentences if sentence.claim]
        is_quote = block.kind == "quote" and len(claims) == len(block.sentences) == 1 and claims[0].citations
        quoted += claims if is_quote else []
        others += [] if is_quote else [block]
    return quoted, others


def _quote(title: str, claim: ClaimEntry, options: OutlineOptions) -> Slide:
    passage = passage_of(claim)
    said = claim.citations[0]
    by = attribution_of(said, options.authors.get(said.source.number or 0, ""))
    return Slide(0, title, Layout.QUOTE, passages=(passage,), attribution=by)


def _build_visual_slides(section: SectionEntry, title: str) -> Iterator[Slide]:
    for chart, caption in charts_of_claims(section.claims):
        yield Slide(0, title, Layout.CHART, chart=chart, caption=caption)
    for block in section.blocks:
        if block.chart and (drawn := chart_of_entry(block.chart)):
            named = translate_stored_text(block.chart.title) or title
            yield Slide(0, named, Layout.CHART, chart=drawn, caption=caption_of(drawn))
        if block.table:
            yield from table_slides(translate_table(block.table), title)


def _add_rest_note(slides: Sequence[Slide], passages: Sequence[SlidePassage]) -> list[Slide]:
    """Add a note to the first slide on how much of the section is only in the report."""
    shown = {passage.claim for slide in slides for passage in slide.passages}
    rest = sum(passage.claim not in shown for passage in passages)
    if not rest or not slides:
        return list(slides)
    told = ngettext(
        "%(count)d further claim of this section is in the report.",
        "%(count)d further claims of this section are in the report.",
        rest,
    )
    return [replace(slides[0], notes=told % {"count": rest}), *slides[1:]]


def _gaps(gaps: Sequence[WarningEntry]) -> Iterator[Slide]:
    passages = unique(SlidePassage(translate_stored_text(gap.text)) for gap in gaps)
    slides = slides_of(_("What is missing"), passages, 2, {})
    advice = "\n".join(dict.fromkeys(translate_stored_text(gap.advice) for gap in gaps if gap.advice))
    yield from (replace(slide, notes=advice if not index else "") for index, slide in enumerate(slides))


def _evidence(document: Document) -> Iterator[Slide]:
    if len(document.claims) >= _MIN_FOR_EVIDENCE and (chart := strengths_chart(document.claims)):
        notes = _("Computed from the claims of the report: how many independent sources support each one.")
        yield Slide(0, _("How strong the evidence is"), Layout.CHART, chart=chart, notes=notes)


def with_sources(deck: DeckContent) -> DeckContent:
    """Add slides of the sources that the slides name; the notes have the full text of shortened references."""
    named = {number for slide in deck.slides for number in _collect_source_numbers(slide)}
    sources = [source for source in deck.sources if source.number in named]
    are_many = len(sources) > _MAX_IN_FULL
    listed = tuple(
        SlidePassage(_reference_line(source, in_a_line=are_many), sources=(source.number,))
        for source in sources
    )
    if not listed:
        return deck
    with override(deck.language):
        slide = Slide(0, _("Sources"), Layout.CONTENT, passages=listed, is_sources=True)
    return replace(deck, slides=(*deck.slides, slide))


def _reference_line(source: DeckSource, *, in_a_line: bool) -> str:
    told = source.listed or source.reference
    return to_width(told, SOURCES.letters) if in_a_line else told


def _collect_source_numbers(slide: Slide) -> Iterator[int]:
    for passage in (*slide.passages, *(passage for side in slide.sides for passage in side.passages)):
        yield from passage.sources
    if slide.chart:
        yield from slide.chart.sources
