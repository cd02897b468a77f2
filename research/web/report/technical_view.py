"""The parts of a technical answer that its page shows besides its sections."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from exports.document.document_tree import ClaimEntry, Document, SourceEntry
from exports.stored.exported_headings import translate_heading
from research.pipelines.technical.answer.technical_answer import (
    StoredDiagram,
    StoredExample,
    StoredFollowUp,
    StoredResult,
    StoredTechnical,
)
from research.pipelines.technical.answer.technical_answer_tree import Status, status_of
from research.pipelines.technical.answer.technical_overview_diagram import in_words, render_flowchart
from research.web.site.page_code_highlighting import highlight_code

REASONS: Mapping[str, Promise | str] = {
    "matches": _("what it says about the question"),
    "base": _("every source"),
    "preferred": _("a kind that you prefer"),
    "official": _("official documentation"),
    "recent": _("from the last twelve months"),
    "described": _("a full description"),
    "code": _("has examples or code"),
    "stars": _("has stars or votes"),
}
STATUSES: Mapping[str, Promise | str] = {
    "success": pgettext_lazy("a search", "Success"),
    "partial": pgettext_lazy("a search", "Partial"),
    "no-results": _("No results"),
}
LINKS: Mapping[str, Promise | str] = {
    "alive": _("link works"),
    "dead": _("page is gone"),
    "saved": _("saved copy"),
}
CHECKS: Mapping[str, Promise | str] = {
    "passed": _("Syntax checked"),
    "failed": _("Syntax is wrong"),
    "unchecked": _("Not checked"),
}


@dataclass(frozen=True, slots=True)
class ShownResult:
    stored: StoredResult
    source: SourceEntry
    link: Promise | str
    why: Sequence[tuple[Promise | str, float]]

    @property
    def percent(self) -> int:
        return round(100 * self.stored.relevance)


@dataclass(frozen=True, slots=True)
class ShownExample:
    stored: StoredExample
    source: SourceEntry
    code: SafeString
    check: Promise | str


@dataclass(frozen=True, slots=True)
class ShownDiagram:
    number: int  # from 0, as in its URL
    title: str
    code: str
    source: SourceEntry | None
    words: Sequence[str]  # its description; a source's own diagram is described by its code


@dataclass(frozen=True, slots=True)
class TechnicalView:
    stored: StoredTechnical
    status: Status
    status_words: Promise | str
    results: Sequence[ShownResult]
    gone: Sequence[ShownResult]
    examples: Sequence[ShownExample]
    broken: Sequence[ShownExample]
    diagrams: Sequence[ShownDiagram]
    takeaways: Sequence[ClaimEntry]
    follow_ups: Sequence[StoredFollowUp]


def technical_view(document: Document, own: Mapping[str, object]) -> TechnicalView:
    stored = StoredTechnical.model_validate(own)
    sources = {source.id: source for source in document.sources}
    claims = {claim.id: claim for claim in document.claims}
    status = status_of(document, stored)
    return TechnicalView(
        stored=stored,
        status=status,
        status_words=STATUSES[status],
        results=list(_results(stored.results, sources)),
        gone=list(_results(stored.gone, sources)),
        examples=list(_examples(stored.examples, sources)),
        broken=list(_examples(stored.broken, sources)),
        diagrams=list(_diagrams(document.title, stored.diagrams, sources)),
        takeaways=[claims[takeaway] for takeaway in stored.takeaways if takeaway in claims],
        follow_ups=stored.follow_ups,
    )


def _results(results: Sequence[StoredResult], sources: Mapping[UUID, SourceEntry]) -> Iterator[ShownResult]:
    for result in results:
        if result.source in sources:
            why = [(REASONS[part.name], part.value) for part in result.why]
            yield ShownResult(result, sources[result.source], LINKS[result.link], why)


def _examples(
    examples: Sequence[StoredExample], sources: Mapping[UUID, SourceEntry]
) -> Iterator[ShownExample]:
    for example in examples:
        if example.source in sources:
            yield ShownExample(
                example,
                sources[example.source],
                highlight_code(example.code, example.language),
                CHECKS[example.check],
            )


def _diagrams(
    question: str, diagrams: Sequence[StoredDiagram], sources: Mapping[UUID, SourceEntry]
) -> Iterator[ShownDiagram]:
    titles = {pk: source.title for pk, source in sources.items()}
    for number, diagram in enumerate(diagrams):
        yield ShownDiagram(
            number,
            translate_heading(diagram.title),
            code_of(diagram, question, titles),
            sources.get(diagram.source) if diagram.source else None,
            in_words(diagram.links, titles),
        )


def code_of(diagram: StoredDiagram, question: str, titles: Mapping[UUID, str]) -> str:
    """Return the code: our own diagrams are rendered in the reader's language, a source's is unchanged."""
    return render_flowchart(question, diagram.links, titles) if diagram.links else diagram.code
