"""Reads a run's document tree from the database with a fixed number of queries, independent of the report's length."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from citations.models import (
    Citation,
    Claim,
    ClaimStatus,
    Contradiction,
    IssueSeverity,
    Section,
    Strength,
    VerificationIssue,
    VerificationReport,
    Warning,
    WarningKind,
)
from exports.building.build_document_code_examples import examples_of
from exports.building.build_document_contradictions import contradiction_entries, contradiction_rows
from exports.building.build_document_evidence import (
    OF_CLAIM,
    OF_SOURCE,
    EvidenceIndex,
    citations_by_claim,
    claim_entry,
    source_entry,
    source_rows,
)
from exports.building.build_document_method import (
    build_searched_entry,
    instructions_of,
    load_search_history,
    settings_of,
    sufficiency_of,
)
from exports.building.build_document_raw_data import raw_of
from exports.building.build_document_section_tables import table_of
from exports.building.build_document_tables import build_layout_table, claims_in, table_entry
from exports.building.document_commentary import commentary_section
from exports.building.document_latest_recheck import rechecks_of
from exports.building.document_study_effects import with_effects
from exports.document.document_authorship import RULES
from exports.document.document_tree import (
    ANSWER,
    AuthorshipEntry,
    BlockEntry,
    ClaimEntry,
    DegradationEntry,
    Document,
    IssueEntry,
    LeftOutEntry,
    SectionEntry,
    SentenceEntry,
    SourceEntry,
    StageEntry,
    TableEntry,
    VerificationEntry,
    WarningEntry,
    select_cited_sources,
)
from research.db.bulk_sql import Parameter, rows_of
from research.engine.states.state_run_authorship import cause_and_advice, read_authorship
from research.models import Kind, Run, State
from research.models.schemas import StoredAuthorship

_SEVERITIES = {"high": 0, "medium": 1, "low": 2}
_ISSUE_SEVERITIES = list(IssueSeverity.values)  # worst first
_OUTCOMES = (*ClaimStatus.values, "left_out")
_OF_VERSION = "WHERE one.run_id = %(run)s AND one.report_version = %(version)s::int"
_STATED_OR_DISPUTED = "WHERE one.section_id = ANY(%(sections)s::uuid[]) OR one.id = ANY(%(disputed)s::uuid[])"
_EMBEDDING = frozenset({"embedding"})
_STATUSES = {State.FAILED: "failed", State.CANCELLED: "cancelled"}


@dataclass(frozen=True, slots=True)
class _Rows:
    """The database rows that the document tree is built from."""

    run: Run
    sections: Sequence[Section]
    claims: Mapping[UUID, Claim]
    contradictions: Sequence[Contradiction]
    warnings: Sequence[Warning]
    check: VerificationReport | None
    issues: Sequence[VerificationIssue]


def build_document(
    run_id: UUID, *, with_context: bool = True, with_raw: bool = False, run: Run | None = None
) -> Document:
    """Return the run's current report, without parts that are not written yet. Raises Run.DoesNotExist.

    If `with_context` is false, the words around the quotes are left out, which a page shows only on request.
    `with_raw` adds the run's configuration, its steps and the texts of its cited sources. `run` is the run's row, if
    it is already loaded.
    """
    rows = _load_rows(run or Run.objects.get(pk=run_id))
    # The context of a digest's quotes may contain passages that it left out as dangerous, and files are passed on.
    with_context = with_context and rows.run.kind != Kind.DIGEST
    placed = _order_claim_ids(rows)
    citations = citations_by_claim(rows.claims, with_context=with_context)
    numbers = _number_by_first_mention(
        citation.source_id for claim_id in placed for citation in citations.get(claim_id, ())
    )
    sources = [
        source_entry(source, numbers.get(source.pk)) for source in source_rows(run_id).only(*OF_SOURCE)
    ]
    rechecks = rechecks_of(chain.from_iterable(citations.values()))
    wanted = int(rows.run.config.get("sources_per_claim", 1))
    evidence = EvidenceIndex({source.id: source for source in sources}, citations, rechecks, wanted)
    claims = {claim_id: claim_entry(claim, evidence) for claim_id, claim in rows.claims.items()}
    document = _append_commentary(rows.run, _assemble(rows, claims, sources))
    return replace(document, raw=raw_of(rows.run, sources)) if with_raw else document


def _append_commentary(run: Run, document: Document) -> Document:
    """Append the commentary as the last section, if the run was to have one."""
    if not run.config.get("commentary") or document.status == "insufficient_evidence":
        return document
    section = commentary_section(
        1 + max((section.index for section in document.sections), default=0),
        document.claims,
        select_cited_sources(document.sources),
        document.contradictions,
        document.gaps,
    )
    return replace(document, sections=(*document.sections, section)) if section else document


def read_claim(run_id: UUID, number: int) -> ClaimEntry:
    """Return one claim of the run's report with its evidence. Raises Claim.DoesNotExist."""
    return _build_claim_entries(run_id, [select_stated_claims(run_id).get(number=number)])[0]


def read_claims(run_id: UUID, after: int, most: int) -> list[ClaimEntry]:
    """Return up to `most` claims of the run's report with their evidence, starting after the number `after`."""
    rows = select_stated_claims(run_id).filter(number__gt=after).order_by("number")
    return _build_claim_entries(run_id, list(rows[:most]))


def read_claims_that_say(run_id: UUID, texts: Collection[str]) -> dict[str, ClaimEntry]:
    """Return the claims of the run's report with exactly these texts, by text.

    Their citations lack context and their sources numbers, which take further statements.
    """
    claims = list(select_stated_claims(run_id).filter(text__in=texts).order_by("-number")) if texts else []
    citations = citations_by_claim([claim.pk for claim in claims], with_context=False) if claims else {}
    wanted = {citation.source_id for citation in chain.from_iterable(citations.values())}
    rows = source_rows(run_id).filter(pk__in=wanted).only(*OF_SOURCE) if wanted else ()
    evidence = EvidenceIndex({source.pk: source_entry(source, None) for source in rows}, citations)
    return {claim.text: claim_entry(claim, evidence) for claim in claims}


def select_stated_claims(run_id: UUID) -> QuerySet[Claim]:
    return Claim.objects.filter(run_id=run_id, section__isnull=False).only(*OF_CLAIM)


def _build_claim_entries(run_id: UUID, claims: Sequence[Claim]) -> list[ClaimEntry]:
    numbers = number_cited_sources(run_id)
    citations = citations_by_claim([claim.pk for claim in claims])
    wanted = {citation.source_id for citation in chain.from_iterable(citations.values())}
    rows = source_rows(run_id).filter(pk__in=wanted).only(*OF_SOURCE)
    sources = {source.pk: source_entry(source, numbers.get(source.pk)) for source in rows}
    rechecks = rechecks_of(chain.from_iterable(citations.values()))
    config = Run.objects.values_list("config", flat=True).get(pk=run_id)
    evidence = EvidenceIndex(sources, citations, rechecks, int(config.get("sources_per_claim", 1)))
    return [claim_entry(claim, evidence) for claim in claims]


def number_cited_sources(run_id: UUID) -> dict[UUID, int]:
    """Number the cited sources for readers, in the order in which the report states the claims."""
    cited = Citation.objects.filter(claim__run_id=run_id, claim__section__isnull=False)
    in_order = cited.order_by("claim__number", "citation_index", "id").values_list("source_id", flat=True)
    return _number_by_first_mention(in_order)


def _load_rows(run: Run) -> _Rows:
    version: Mapping[str, Parameter] = {"run": run.pk, "version": str(run.report_version)}
    sections = rows_of(Section, f"{_OF_VERSION} ORDER BY one.index", version)
    contradictions = contradiction_rows(run.pk)
    disputed = {claim for pair in contradictions for claim in (pair.claim_a_id, pair.claim_b_id)}
    parameters: Mapping[str, Parameter] = {
        "sections": [section.pk for section in sections],
        "disputed": list(disputed),
    }
    check = next(iter(rows_of(VerificationReport, f"{_OF_VERSION} ORDER BY one.id LIMIT 1", version)), None)
    issues = VerificationIssue.objects.filter(report=check).select_related("claim") if check else ()
    return _Rows(
        run=run,
        sections=sections,
        claims={claim.pk: claim for claim in rows_of(Claim, _STATED_OR_DISPUTED, parameters, _EMBEDDING)},
        contradictions=contradictions,
        warnings=sorted(
            rows_of(Warning, "WHERE one.run_id = %(run)s", {"run": run.pk}),
            key=lambda row: (_SEVERITIES[row.severity], row.code),
        ),
        check=check,
        issues=sorted(issues, key=lambda row: (_ISSUE_SEVERITIES.index(row.severity), row.pk)),
    )


def _order_claim_ids(rows: _Rows) -> list[UUID]:
    """Return the ids of the claims that the report states, each once, in order of their numbers."""
    numbers = {claim.pk: claim.number for claim in rows.claims.values() if claim.number is not None}
    if rows.run.kind == Kind.TABLE:
        return sorted(numbers, key=lambda claim: numbers[claim])
    blocks = (block for section in rows.sections for block in section.body.get("blocks", ()))
    stated = dict.fromkeys(claim for block in blocks for claim in _claims_in(block))
    return sorted(stated, key=lambda claim: numbers.get(claim, len(stated) + len(numbers)))


def _claims_in(block: Mapping[str, Any]) -> list[UUID]:
    """Return the ids of the claims in a block's sentences, then of those that occur only in its table."""
    said = [UUID(sentence["claim"]) for sentence in block.get("sentences", ()) if "claim" in sentence]
    return [*said, *claims_in(block["layout"])] if "layout" in block else said


def _number_by_first_mention(source_ids: Iterable[UUID]) -> dict[UUID, int]:
    """Number the ids from 1 in order of first mention."""
    return {source_id: number for number, source_id in enumerate(dict.fromkeys(source_ids), start=1)}


def _assemble(rows: _Rows, claims: Mapping[UUID, ClaimEntry], sources: Sequence[SourceEntry]) -> Document:
    run, outcome = rows.run, rows.run.result or {}
    is_table = run.kind == Kind.TABLE  # the only section of a table run contains its claims
    sections = () if is_table else tuple(_section(section, claims) for section in rows.sections)
    if run.kind == Kind.SYNTHESIS:
        sections = with_effects(sections)
    table = table_entry(run, claims) if is_table else None
    looked = load_search_history(run.pk, sources)
    authorship = authorship_of(run)
    return Document(
        run_id=run.pk,
        kind=run.kind,
        title=run.topic,
        status=_status(run),
        engine=_engine(run, authorship),
        authorship=authorship,
        summary=_summary(sections) or tuple(outcome.get("summary", ())),
        reasons=tuple(outcome.get("reasons", ())),
        looked_for=tuple(outcome.get("looked_for", ())),
        sections=sections,
        sources=tuple(sources),
        contradictions=contradiction_entries(rows.contradictions, claims),
        gaps=tuple(_warning(row) for row in rows.warnings if row.kind == WarningKind.GAP),
        warnings=tuple(_warning(row) for row in rows.warnings if row.kind != WarningKind.GAP),
        left_out=_list_left_out(outcome.get("left_out", ()), sources),
        queries=tuple(dict.fromkeys((*_queries(run), *looked.queries))),
        cost_usd=None if run.cost_usd is None else float(run.cost_usd),
        seconds=run.duration_seconds,
        made_at=run.completed_at or run.updated_at,
        report_version=run.report_version,
        failure=run.failure_message,
        counts=_counts(sections, table),
        verification=_verification(rows.check, rows.issues) if rows.check else None,
        degradations=degradations_of(run),
        sufficiency=sufficiency_of(run),
        searched=build_searched_entry(run),
        settings=settings_of(run),
        unread=looked.unread,
        vain_searches=looked.vain,
        instructions=instructions_of(run),
        table=table,
        follow_ups=tuple(outcome.get("follow_ups", ())),
        examples=examples_of(run, sources),
    )


def _summary(sections: Iterable[SectionEntry]) -> tuple[str, ...]:
    """Return the sentences of the short answer's section; empty if there is none."""
    answers = (block for section in sections if section.role == ANSWER for block in section.blocks)
    return tuple(sentence.text for block in answers for sentence in block.sentences)


def authorship_of(run: Run) -> AuthorshipEntry | None:
    """Return the stored authorship, or compute it from the calls of an active or older run."""
    outcome = run.outcome
    if outcome.get("engine") != "model":
        return None
    stored = outcome.get("authorship")
    authorship = StoredAuthorship.model_validate(stored) if stored else read_authorship(run)
    if not authorship.stages:
        return None
    cause, advice = cause_and_advice(authorship.cause) if authorship.cause else ("", "")
    stages = tuple(
        StageEntry(stage.name, stage.by, stage.answered, stage.unanswered, stage.tokens)
        for stage in authorship.stages
    )
    return AuthorshipEntry(stages, authorship.cause, cause, advice)


def _engine(run: Run, authorship: AuthorshipEntry | None) -> str:
    """Return the engine that wrote the report, or the engine that was meant to if that is not known."""
    if authorship is None:
        return str(run.outcome.get("engine", "extractive"))
    return "extractive" if authorship.wrote == RULES else "model"


def degradations_of(run: Run) -> tuple[DegradationEntry, ...]:
    """Return the run's degradations, as it stored them."""
    return tuple(
        DegradationEntry(row["code"], row["reason"], row["quality_impact"]) for row in run.degradations
    )


def _status(run: Run) -> str:
    if run.is_insufficient:
        return "insufficient_evidence"
    if run.state in (State.COMPLETED, State.EXPORTING):  # files are exported in a run's last step
        return "done"
    return _STATUSES.get(State(run.state), "partial")


def _section(section: Section, claims: Mapping[UUID, ClaimEntry]) -> SectionEntry:
    blocks = (_block(block, claims) for block in section.body.get("blocks", ()))
    return SectionEntry(
        index=section.index,
        heading=section.heading,
        level=section.level,
        blocks=tuple(block for block in blocks if not block.is_empty),
        role=section.body.get("role", ""),
        by=section.body.get("by", ""),
    )


def _block(stored: Mapping[str, Any], claims: Mapping[UUID, ClaimEntry]) -> BlockEntry:
    """Build a block. A table's claims are only in its cells."""
    if "layout" in stored:
        return BlockEntry("table", table=build_layout_table(stored["layout"], claims))
    table = table_of(stored["table"]) if "table" in stored else None
    return BlockEntry(stored["type"], tuple(_sentences(stored.get("sentences", ()), claims)), table=table)


def _sentences(
    stored: Iterable[Mapping[str, str]], claims: Mapping[UUID, ClaimEntry]
) -> Iterable[SentenceEntry]:
    for sentence in stored:
        if "text" in sentence:
            yield SentenceEntry(sentence["text"])
        elif claim := claims.get(UUID(sentence["claim"])):
            yield SentenceEntry(claim.text, claim)


def _list_left_out(
    stored: Iterable[Mapping[str, str | None]], sources: Iterable[SourceEntry]
) -> tuple[LeftOutEntry, ...]:
    by_id = {str(source.id): source for source in sources}
    return tuple(
        LeftOutEntry(str(entry["text"]), str(entry["reason"]), by_id.get(str(entry.get("source"))))
        for entry in stored
    )


def _warning(row: Warning) -> WarningEntry:
    return WarningEntry(row.code, row.kind, row.severity, row.text, row.advice, row.computed)


def _verification(check: VerificationReport, issues: Iterable[VerificationIssue]) -> VerificationEntry:
    return VerificationEntry(
        status=check.overall_status,
        level=check.level,
        accuracy=check.accuracy,
        counts={status: check.counts[status] for status in _OUTCOMES if check.counts.get(status)},
        issues=tuple(map(_issue, issues)),
    )


def _issue(row: VerificationIssue) -> IssueEntry:
    claim = row.claim
    return IssueEntry(
        claim_text=claim.text if claim else "",
        claim_number=claim.number if claim else None,
        location=row.location,
        kind=row.issue_type,
        severity=row.severity,
        explanation=row.explanation,
        suggested_fix=row.suggested_fix,
        source_says=row.source_says,
        resolution=row.resolution,
    )


def _queries(run: Run) -> tuple[str, ...]:
    """Return the search queries of the plan, without duplicates."""
    subtopics = (run.plan or {}).get("subtopics", ())
    return tuple(dict.fromkeys(query for subtopic in subtopics for query in subtopic["queries"]))


def _counts(sections: Iterable[SectionEntry], table: TableEntry | None) -> dict[str, int]:
    claims = [claim for section in sections for claim in section.claims]
    once = {claim.id: claim for claim in (*claims, *(table.claims if table else ()))}
    strengths = [claim.strength for claim in once.values()]
    return {strength: strengths.count(strength) for strength in Strength.values}
