"""The first pages of a paper: cover, short answer, charts."""

from collections.abc import Iterator

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exports.building.build_document_authorship import (
    describe_authorship,
    select_shown_degradations,
    without_model,
)
from exports.document.document_charts import (
    chart_of_kinds,
    chart_of_strengths,
    chart_of_years,
    drop_single_bar,
    select_nonempty_charts,
)
from exports.document.document_findings import LeftOutEntry
from exports.document.document_tree import INSUFFICIENT, Document, select_cited_sources
from exports.document.format_document_dates import as_known
from exports.labels.document_labels import word
from exports.labels.format_document_values import describe_degradation, describe_shared_attribution, duration
from exports.paper.exported_paper_body import build_sentence_line, notes_on_answer
from exports.paper.exported_paper_citations import Citing
from exports.paper.exported_paper_nodes import (
    Bullets,
    Cover,
    Figure,
    Heading,
    Line,
    Node,
    Paragraph,
    StyledText,
    words,
)
from exports.stored.translate_exported_sentences import translate_stored_text

FEWEST_CHARTED = 8  # claims or sources


def cover_of(document: Document) -> Cover:
    claims, sources = len(document.claims), len(select_cited_sources(document.sources))
    figures = [
        (
            number_format(claims),
            ngettext("claim, with its quote", "claims, each with its quote", claims),
        ),
        (number_format(sources), ngettext("source cited", "sources cited", sources)),
    ]
    if document.status == INSUFFICIENT and not claims:
        figures = []
    if document.table:
        rows = len(document.table.rows)
        figures.insert(0, (number_format(rows), ngettext("row", "rows", rows)))
    return Cover(
        _KINDS.get(document.kind, lambda: word(document.kind, "kind"))(), tuple(figures), _facts(document)
    )


_KINDS = {
    "report": lambda: _("Research report"),
    "table": lambda: _("Research table"),
    "digest": lambda: _("Digest of a discussion"),
    "synthesis": lambda: _("Synthesis of studies"),
    "technical": lambda: _("Technical answer"),
}


def _facts(document: Document) -> tuple[tuple[str, str], ...]:
    is_stating = bool(document.claims) or document.status != INSUFFICIENT
    facts = [(_("Made"), describe_authorship(document))] if is_stating else []
    if document.status != "done":
        facts.insert(0, (_("State"), word(document.status, "report_status")))
    if document.made_at:
        facts.insert(0, (_("Date"), as_known(document.made_at.date().isoformat())))
    if document.seconds is not None:
        facts.append((_("Time"), duration(document.seconds)))
    version = [(_("Version"), str(document.report_version))] if document.report_version else []
    return (*facts, *version, (_("Run"), str(document.run_id)))


def build_opening(document: Document, citing: Citing) -> Iterator[Node]:
    """Yield the status if the report is not done, the short answer, and the degradations.

    If no model wrote the report although one was to, a notice comes first.
    """
    if alone := without_model(document):
        yield Paragraph(words(alone), "notice")
    if document.status == INSUFFICIENT:
        yield from _no_answer(document)
    elif document.status != "done":
        yield Paragraph(words(_describe_unfinished_run(document)), "notice")
    yield from _answer(document, citing)
    for loss in select_shown_degradations(document):
        yield Paragraph(words(describe_degradation(loss)), "notice")


def _answer(document: Document, citing: Citing) -> Iterator[Node]:
    if not document.answer:
        return
    yield Heading(1, _("In short"), "answer")
    said_for_all = describe_shared_attribution(document.answer)
    for sentence in document.answer:
        line = build_sentence_line(sentence, citing, document, is_attributed=not said_for_all)
        yield Paragraph(line, "lead")
    if said_for_all:
        yield Paragraph((StyledText(said_for_all, "attribution"),))
    yield from notes_on_answer(document)


def _no_answer(document: Document) -> Iterator[Node]:
    yield Heading(1, _("The sources do not answer this question"), "answer")
    if document.reasons:
        yield Bullets(tuple(words(translate_stored_text(reason)) for reason in document.reasons))
    if document.looked_for:
        yield Heading(2, _("What was looked for"), "looked-for")
        yield Bullets(tuple(words(wanted) for wanted in document.looked_for))
    if document.nearest:
        yield Heading(2, _("The nearest passages"), "nearest")
        yield Paragraph(words(_("None of them seems to answer the question.")))
        yield Bullets(tuple(map(_nearest_line, document.nearest)))
    if document.claims:
        yield Paragraph(words(_("The nearest passages follow. None of them seems to answer the question.")))


def _nearest_line(passage: LeftOutEntry) -> Line:
    line = words(passage.text)
    return (*line, StyledText(f" {passage.attribution}", "attribution")) if passage.attribution else line


def _describe_unfinished_run(document: Document) -> str:
    descriptions = {
        "failed": _("This run failed"),
        "cancelled": _("This run was cancelled."),
    }.get(document.status, _("This run is still in progress: the report is incomplete."))
    if document.sections:
        return f"{descriptions.rstrip('.')}. " + _("What was finished before is below.")
    return f"{descriptions.rstrip('.')}. " + _("No section had been written.")


def at_a_glance(document: Document) -> Iterator[Node]:
    charts = select_nonempty_charts(
        chart_of_strengths(document.counts),
        chart_of_kinds(document.sources),
        chart_of_years(document.sources),
    )
    if not charts:
        return
    yield Heading(1, _("At a glance"), "glance")
    for chart in charts:
        # Few bars, and the table of their figures, show no more than the sentence.
        is_drawn = (
            drop_single_bar(chart).bars and sum(count.count for count in chart.counts) >= FEWEST_CHARTED
        )
        yield Figure(chart) if is_drawn else Paragraph(words(f"{chart.title}: {' '.join(chart.summary)}"))


def strength_key() -> Paragraph:
    """Return the paragraph that explains what the strength labels count, for readers on paper."""
    return Paragraph(
        (
            StyledText(
                _(
                    "How to read this: the superscript number after a sentence is the number of its claim. A "
                    "footnote or the appendix names the claim’s sources and quotes them. Evidence is strong, "
                    "moderate or limited, depending on how many independent sources support a claim; "
                    "confidence is computed from the quotes, never guessed."
                )
            ),
        ),
        "small",
    )
