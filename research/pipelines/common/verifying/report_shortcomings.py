"""The shortcomings of a report: gaps and warnings, computed from its rows by the pure functions of `citations`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain
from uuid import UUID

from django.db.models import QuerySet

from citations.claim_strength import Origin
from citations.claim_warnings import STALE_MONTHS, ReportClaim, SourceEvidence, warnings
from citations.credibility.credibility_evidence_gaps import Coverage, gaps
from citations.credibility.evidence_concerns import Concern, ConcernKind, Severity
from citations.credibility.source_authority import is_preprint
from citations.credibility.withdrawn_sources import is_withdrawn
from citations.dates.find_dates import Period, parse_iso
from citations.models import Citation, Claim, Warning
from exports.building.build_document_evidence import source_entry
from exports.building.build_document_method import load_search_history
from exports.document.document_tree import SourceEntry, UnreadEntry
from research.extractive.question.parsed_question import analyse
from research.extractive.question.question_translation import detect_language
from research.models import Run, Source, SourceStatus, Step
from research.parsing.partial_reading import parts_read
from research.pipelines.report.report_required_sources import shorten_text
from research.pipelines.report.report_step_names import ReportStepName

OPEN_PART = "G007"
PROPOSED_GAP = "G049"  # named by a model
MAX_PROPOSED, MAX_PROPOSED_LENGTH = 5, 300  # gaps; characters of one
UNREAD, PARTIAL = "W018", "W023"


def find_shortcomings(
    run: Run,
    claims: Sequence[Claim],
    citations: Mapping[UUID, Sequence[Citation]],
    known: Mapping[UUID, Origin],
    *,
    question: str,
    open_parts: Iterable[str],
    disputes: int,
    today: date,
    stale_months: float = STALE_MONTHS,
    covered: Sequence[Coverage] = (),
) -> list[Warning]:
    """Return unsaved rows.

    There are no gaps for an empty `question`. `open_parts` are the analysis's sentences on what the sources leave
    open; `covered` is the coverage of the plan's subtopics.
    """
    sources = {citation.source_id: citation.source for claim in claims for citation in citations[claim.pk]}
    evidence = [_evidence(source, known[source.pk]) for source in sources.values()]
    texts = [source.title for source in sources.values()]
    texts += [
        f"{citation.row} {' '.join(citation.columns)} {citation.quote}"
        for claim in claims
        for citation in citations[claim.pk]
    ]
    stated = [_build_report_claim(cited_claim, citations[cited_claim.pk]) for cited_claim in claims]
    concerns = [
        *gaps(
            question,
            texts,
            covered,
            whole_texts=(f"{source.url} {source.publisher} {source.text}" for source in sources.values()),
            language=detect_language(question),
            published=_dates(sources.values()),
            today=today,
        ),
        *map(_open, open_parts),
        *warnings(
            evidence,
            stated,
            today=today,
            stale_months=stale_months,
            open_contradictions=disputes,
            asks_change=analyse(question).asks_change,
        ),
        *map(_read_in_part, describe_partial_sources(run.pk)),
        *map(_not_had, load_search_history(run.pk, map(_entry, _must_read(run))).unread),
    ]
    return [*(_row(run, concern) for concern in concerns), *_build_proposed_gaps(run)]


def _evidence(source: Source, origin: Origin) -> SourceEvidence:
    return SourceEvidence(
        origin=origin,
        tier=source.tier,
        source_type=source.source_type,
        published=parse_iso(source.published_date),
        is_paywalled=source.has_paywall,
        is_preprint=is_preprint(source.url, source.title),
        credibility=source.credibility,
        withdrawn=_get_source_name(source) if is_withdrawn(source.title, source.text) else "",
    )


def _dates(sources: Iterable[Source]) -> list[Period]:
    known = (parse_iso(source.published_date) for source in sources)
    return [each for each in known if each is not None]


def _get_source_name(source: Source) -> str:
    return source.title or source.url


def _build_report_claim(claim: Claim, cited: Sequence[Citation]) -> ReportClaim:
    return ReportClaim(
        claim.text,
        tuple(str(citation.source_id) for citation in cited),
        tuple(citation.quote for citation in cited),
    )


def build_open_gaps(run: Run, reasons: Iterable[str]) -> list[Warning]:
    """Return unsaved rows for what the sources leave open."""
    return [_row(run, _open(reason)) for reason in reasons]


def _open(reason: str) -> Concern:
    advice = "Add sources that cover it, or ask about it alone."
    return Concern(OPEN_PART, ConcernKind.GAP, Severity.MEDIUM, reason, advice)


def _must_read(run: Run) -> QuerySet[Source]:
    return Source.objects.filter(run=run, must_read=True).select_related("content", "library_document")


def _entry(source: Source) -> SourceEntry:
    return source_entry(source, None)


def _not_had(unread: UnreadEntry) -> Concern:
    text = f"{shorten_text(unread.name)} had to be read but was not available: {unread.reason}"
    return Concern(
        UNREAD, ConcernKind.QUALITY, Severity.HIGH, text, "Upload it to the library, and ask again."
    )


def describe_partial_sources(run_id: UUID) -> list[str]:
    """Return a sentence for each source of which a limit left a part unread. Needs the tenant set."""
    rows = Source.objects.filter(run=run_id, status=SourceStatus.PROCESSED).exclude(content__notes=[])
    named = rows.order_by("created_at", "id").values_list("title", "canonical_url", "content__notes")
    return [
        f"Only {read} of {total} {what} of “{shorten_text(title or url)}” were read."
        for title, url, notes in named
        for read, total, what in parts_read(notes or ())
    ]


def _read_in_part(text: str) -> Concern:
    advice = "Split the file, or upload the part that matters."
    return Concern(PARTIAL, ConcernKind.QUALITY, Severity.HIGH, text, advice)


def _build_proposed_gaps(run: Run) -> Iterator[Warning]:
    """Yield the gaps named by the agents that were sent after sources, as warnings."""
    gathered = Step.objects.filter(run=run, handler=ReportStepName.GATHER, output__has_key="gaps").order_by(
        "step_index"
    )
    gaps = chain.from_iterable(gathered.values_list("output__gaps", flat=True))
    for text in list(dict.fromkeys(gaps))[:MAX_PROPOSED]:
        yield Warning(
            run=run,
            code=PROPOSED_GAP,
            kind=ConcernKind.GAP.value,
            severity=Severity.LOW.value,
            text=text[:MAX_PROPOSED_LENGTH],
            computed=False,
        )


def _row(run: Run, concern: Concern) -> Warning:
    return Warning(
        run=run,
        code=concern.code,
        kind=concern.kind.value,
        severity=concern.severity.value,
        text=concern.text,
        advice=concern.advice,
    )
