"""The results of a run: report, claims with citations, sources with texts, contradictions, warnings, table rows."""

from typing import Annotated, Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Query, Router
from pydantic import BaseModel, Field

from citations.models import Claim
from exports.building.build_document import build_document, number_cited_sources, read_claim, read_claims
from exports.building.build_document_evidence import source_entry, source_rows
from exports.formats import export_json_parts as parts
from exports.formats import export_json_shape as shape
from exports.formats.to_json import claim_shape, contradiction_shape, report_of, row_shape
from research.integrations.api.api_auth import NEEDS
from research.integrations.api.api_lookup import find, find_run
from research.integrations.api.api_paging import HIGHEST_NUMBER, ListOf, Paged, cursor_of, rows_after
from research.integrations.api.api_problems import Problem
from research.integrations.api.api_schemas import (
    ContradictionsOut,
    PageSpan,
    SourceTextOut,
    TableRowsOut,
    WarningsOut,
    columns_out,
    counts_out,
)
from research.models import Kind, Scope, Source, SourceStatus
from research.pipelines.brief.research_brief import ResearchBrief
from research.pipelines.brief.start_brief import read_research_brief
from research.pipelines.synthesis.synthesis_narrative import SynthesisAnswer, synthesis_answer
from research.pipelines.synthesis.synthesis_result import Synthesis
from research.pipelines.table.read_table_rows import counts_of, page_of_rows
from research.pipelines.technical.answer.technical_answer import read_answer
from research.pipelines.technical.answer.technical_answer_tree import TechnicalAnswer, answer_of
from research.pipelines.technical.technical_research_request import ResearchResponse, to_response

router = Router(tags=["results"], by_alias=True)
READ = NEEDS[Scope.READ]


@router.get("/runs/{uuid:run_id}/report", response=shape.Report, auth=READ, summary="Read a report")
def read_report(request: HttpRequest, run_id: UUID) -> shape.Report:
    """Return the current report in the format of the JSON file; `status` is partial while the run is in progress."""
    find_run(run_id)
    return report_of(build_document(run_id))


@router.get("/runs/{uuid:run_id}/claims", response=ListOf[parts.Claim], auth=READ, summary="List claims")
def list_claims(request: HttpRequest, run_id: UUID, page: Paged) -> ListOf[parts.Claim]:
    """List claims in the order of the report, each with its citations, quotes, and confidence with its components."""
    find_run(run_id)
    found = read_claims(run_id, page.after_number, page.limit + 1)
    shown = found[: page.limit]
    following = cursor_of(shown[-1].number) if len(found) > page.limit else None
    return ListOf[parts.Claim](items=list(map(claim_shape, shown)), next=following)


@router.get(
    "/runs/{uuid:run_id}/claims/{int:number}", response=parts.Claim, auth=READ, summary="Read a claim"
)
def read_one_claim(request: HttpRequest, run_id: UUID, number: int) -> parts.Claim:
    find_run(run_id)
    if number > HIGHEST_NUMBER:
        raise Problem("not_found")
    try:
        return claim_shape(read_claim(run_id, number))
    except Claim.DoesNotExist as error:
        raise Problem("not_found") from error


@router.get("/runs/{uuid:run_id}/sources", response=ListOf[parts.Source], auth=READ, summary="List sources")
def list_sources(
    request: HttpRequest, run_id: UUID, page: Paged, status: SourceStatus | None = None
) -> ListOf[parts.Source]:
    """List all sources; those that the report cites have a number."""
    find_run(run_id)
    numbers = number_cited_sources(run_id)
    rows = source_rows(run_id)
    sources, following = rows_after(rows.filter(status=status) if status else rows, page)
    items = [_source(source, numbers.get(source.pk)) for source in sources]
    return ListOf[parts.Source](items=items, next=following)


def _source(source: Source, number: int | None) -> parts.Source:
    return parts.Source.model_validate(source_entry(source, number))


@router.get("/sources/{uuid:source_id}", response=SourceTextOut, auth=READ, summary="Read a source")
def read_source(request: HttpRequest, source_id: UUID) -> SourceTextOut:
    """Return the source with its frozen text; `sha256` is the hash of the text."""
    rows = Source.objects.select_related("content", "library_document", "duplicate_of")
    source = find(rows, source_id)
    entry = _source(source, number_cited_sources(source.run_id).get(source.pk))
    pages = source.content.pages if source.content else []
    return SourceTextOut(
        **dict(entry),
        run=source.run_id,
        text=source.text,
        pages=[PageSpan(number=page["number"], start=page["start"], end=page["end"]) for page in pages],
    )


@router.get(
    "/runs/{uuid:run_id}/contradictions",
    response=ContradictionsOut,
    auth=READ,
    summary="List the disagreements of sources",
)
def list_contradictions(request: HttpRequest, run_id: UUID) -> ContradictionsOut:
    """List contradicting pairs of claims by id, with the conflicting words and the resolution."""
    find_run(run_id)
    document = build_document(run_id, with_context=False)
    return ContradictionsOut(
        items=[contradiction_shape(contradiction) for contradiction in document.contradictions]
    )


@router.get(
    "/runs/{uuid:run_id}/warnings", response=WarningsOut, auth=READ, summary="List the warnings of a run"
)
def list_warnings(request: HttpRequest, run_id: UUID) -> WarningsOut:
    find_run(run_id)
    found = build_document(run_id, with_context=False)
    return WarningsOut.model_validate(
        {"warnings": found.warnings, "gaps": found.gaps, "degradations": found.degradations}
    )


class RowsWanted(BaseModel):
    """Filter and order of a table's rows: all rows or those with such cells; by number, input or a column."""

    page: int = Field(1, ge=1, le=100_000)
    show: Literal["", "low", "disputed", "empty", "failed"] = ""
    sort: str = Field(
        "", max_length=61, pattern=r"^-?[a-z0-9_]*$", description="A leading “-” sorts in descending order."
    )


@router.get("/runs/{uuid:run_id}/rows", response=TableRowsOut, auth=READ, summary="Read a table’s rows")
def list_rows(request: HttpRequest, run_id: UUID, wanted: Annotated[RowsWanted, Query()]) -> TableRowsOut:
    """List the rows, fifty a page; each cell names its claim."""
    run = find_run(run_id)
    if run.kind != Kind.TABLE:
        raise Problem("not_found", _("This run has no table."))
    counts = counts_of(run)
    found = page_of_rows(run, counts, show=wanted.show, sort=wanted.sort, page=wanted.page)
    return TableRowsOut(
        columns=columns_out(found.columns),
        rows=[row_shape(row.entry) for row in found.rows],
        page=found.number,
        pages=found.pages,
        counts=counts_out(counts),
    )


@router.get(
    "/runs/{uuid:run_id}/technical",
    response=TechnicalAnswer,
    auth=READ,
    summary="Read a technical answer",
)
def read_technical(request: HttpRequest, run_id: UUID) -> TechnicalAnswer:
    """Return a technical run's parts besides its report: ranked results, code as in its source, diagrams."""
    run = find_run(run_id)
    if run.kind != Kind.TECHNICAL:
        raise Problem("not_found", _("This run is not a technical answer."))
    return answer_of(build_document(run.pk, with_context=False), read_answer(run.outcome))


@router.get(
    "/runs/{uuid:run_id}/research-response",
    response=ResearchResponse,
    by_alias=True,
    auth=READ,
    summary="Read a technical answer as a ResearchResponse",
)
def read_research_response(request: HttpRequest, run_id: UUID) -> ResearchResponse:
    """Return the result of a research request, under the request's id."""
    run = find_run(run_id)
    if run.kind != Kind.TECHNICAL:
        raise Problem("not_found", _("This run is not a technical answer."))
    return to_response(answer_of(build_document(run.pk, with_context=False), read_answer(run.outcome)))


@router.get(
    "/runs/{uuid:run_id}/synthesis",
    response=SynthesisAnswer,
    auth=READ,
    summary="Read a synthesis",
)
def read_synthesis(request: HttpRequest, run_id: UUID) -> SynthesisAnswer:
    """Return a synthesis: its studies, and its sections of claims that name them, or the text of an older one."""
    run = find_run(run_id)
    if run.kind != Kind.SYNTHESIS or not run.outcome.get("own"):
        raise Problem("not_found", _("This run is not a synthesis."))
    own = Synthesis.model_validate(run.outcome["own"])
    return synthesis_answer(build_document(run.pk, with_context=False), own)


@router.get("/runs/{uuid:run_id}/brief", response=ResearchBrief, auth=READ, summary="Read a brief")
def read_brief(request: HttpRequest, run_id: UUID) -> ResearchBrief:
    """Return a `ResearchBrief`: claims with category and score, evidence, and suggested edits of a prompt."""
    run = find_run(run_id)
    brief = read_research_brief(run) if run.kind == Kind.BRIEF else None
    if brief is None:
        raise Problem("not_found", _("This run has no brief."))
    return brief
