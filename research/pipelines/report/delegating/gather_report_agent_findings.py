"""Gather what agents kept: documents are read for claims like all others, and useless sources are set aside."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from django.db.models.functions import Now

from research.agents.agent_findings import Findings
from research.agents.tools.evidence.tool_source_handles import TEXTS, find_sources
from research.agents.tools.search_tool import SearchInput
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import ChildStep, StepDraft, StepResult, StepWork
from research.library.sources_from_library import passages_of
from research.models import (
    AgentMessage,
    AgentRole,
    LibraryChunk,
    MessageStatus,
    Queue,
    Run,
    Source,
    SourceStatus,
    Step,
)
from research.models.schemas import LeftOut, StoredComputation
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.report.delegating.report_agent_computations import build_computation
from research.pipelines.report.delegating.report_agent_task_waves import Wave
from research.pipelines.report.delegating.report_claims_from_agents import (
    ComputedFigures,
    FindingsAsClaims,
    claims_from,
    format_figure,
    list_figures,
)
from research.pipelines.report.passages_found_for_report import (
    FoundPassage,
    dump_passages,
    load_found_passages,
)
from research.pipelines.report.reading.read_report_documents import draft_document_reading
from research.pipelines.report.reading.score_report_passages import score
from research.pipelines.report.report_queries import Query, queries_of
from research.pipelines.report.report_step_names import ReportStepName

IN_VAIN = "An agent read it and kept nothing of it."


@dataclass(frozen=True, slots=True)
class SourcePassages:
    """Passages of one source that agents kept, best first."""

    source: Source
    passages: Sequence[FoundPassage]


def gather(work: StepWork) -> StepResult:
    """End a wave: have its kept passages read, and begin the next one."""
    wave = Wave.model_validate(work.input)
    tasks = [child for child in work.children() if child.handler == ReportStepName.DO_TASK]
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        steps = list(
            Step.objects.filter(parent_id=work.step_id, handler=ReportStepName.DO_TASK).values_list(
                "pk", flat=True
            )
        )
        kept = list(_select_new_passages(run, steps))
        findings = list(_findings(tasks))
        named = find_sources(run.pk, _list_named_sources(findings))
        ran = list(_list_computed_figures(steps))
        claims = claims_from(findings, named, ran)
        computed, refused = _build_computations(findings, named, ran)
        starts = _list_starts(claims, computed)
        kept += _select_named_passages(run, kept, starts, named)
        vain = [pk for pk in _read_in_vain(run.pk, steps) if pk not in starts]
        queries = list(_list_search_queries(steps))
    following = wave.next({_task_of(task): task.output.get("findings") for task in tasks})
    hits = [passage for source_passages in kept for passage in source_passages.passages]

    def save() -> None:
        for source_passages in kept:
            unsorted = Source.objects.filter(pk=source_passages.source.pk, subtopic="")
            unsorted.update(subtopic=source_passages.passages[0].subtopic, updated_at=Now())
        Source.objects.filter(pk__in=vain, status=SourceStatus.EXTRACTED).update(
            status=SourceStatus.EXCLUDED, error_message=IN_VAIN, updated_at=Now()
        )

    return StepResult(
        {
            "kept": len(kept),
            "queries": queries,
            "hits": dump_passages(hits),
            "requests" if wave.is_request else "gaps": list(_gaps(findings)),
            "computed": [computation.model_dump(mode="json") for computation in computed],
            "dropped": [left.model_dump() for left in (*claims.dropped, *refused)],
        },
        save=save,
        children=[*map(_draft_reading, kept), *_admissions(claims, wave.number), *following.drafts()],
        then=following.after(),
        activity="Collecting the agents’ findings",
    )


def _task_of(step: ChildStep) -> str:
    return step.key.rpartition("/")[2]


def _findings(tasks: Iterable[ChildStep]) -> Iterator[Findings]:
    """Yield what agents found. Rules' findings are passages that they kept, which are read like all others."""
    for task in tasks:
        if task.output.get("findings") and "fallback" not in task.output:
            yield Findings.model_validate(task.output["findings"])


def _gaps(findings: Iterable[Findings]) -> Iterator[str]:
    """Yield the gaps that agents name, each once."""
    yield from dict.fromkeys(
        gap.strip() for task_findings in findings for gap in task_findings.gaps if gap.strip()
    )


def _list_named_sources(findings: Iterable[Findings]) -> set[str]:
    return {
        *(excerpt.source for task_findings in findings for excerpt in task_findings.excerpts),
        *(
            handle
            for task_findings in findings
            for point in task_findings.data_points
            for handle in point.sources
        ),
        *(
            given.source
            for task_findings in findings
            for figure in task_findings.computed
            for given in figure.inputs
        ),
    }


def _list_computed_figures(steps: Sequence[UUID]) -> Iterator[ComputedFigures]:
    """Yield the results of the agents' computations. Needs the tenant set."""
    for call in _calls(steps, "compute"):
        given, output = json.loads(call.payload["arguments"]), call.result["output"]
        numbers = _find_numbers([output["rows"], output.get("value")])
        operations, code = given.get("operations") or [], str(output.get("code", ""))
        formula = (
            ", then ".join(_format_operation(operation) for operation in operations)
            or "a table's own figures"
        )
        figures = frozenset(format_figure(float(number)) for number in numbers)
        yield ComputedFigures(figures, "Python" if code else formula, code, call.step_id)


def _find_numbers(value: object) -> Iterator[float]:
    """Yield the numbers of a result, however it is nested."""
    match value:
        case bool():
            return
        case int() | float():
            yield value
        case list():
            yield from (number for item in value for number in _find_numbers(item))
        case dict():
            yield from (number for item in value.values() for number in _find_numbers(item))


def _format_operation(operation: Mapping[str, object]) -> str:
    given = (
        f"{name} {value}" for name, value in operation.items() if name != "do" and value not in (None, "", [])
    )
    return " ".join([str(operation.get("do", "")), *given]).strip()[:200]


def _build_computations(
    findings: Iterable[Findings], named: Mapping[str, Source], ran: Sequence[ComputedFigures]
) -> tuple[list[StoredComputation], list[LeftOut]]:
    """Return the computed figures that follow from figures of sources, without repetitions, and those that do not."""
    built: dict[str, StoredComputation | LeftOut] = {}
    for figure in (figure for task_findings in findings for figure in task_findings.computed):
        made = build_computation(figure, named)
        if isinstance(made, StoredComputation):
            made = _with_code(made, ran)
        built.setdefault(made.text, made)
    return (
        [item for item in built.values() if isinstance(item, StoredComputation)],
        [item for item in built.values() if isinstance(item, LeftOut)],
    )


def _with_code(computation: StoredComputation, ran: Sequence[ComputedFigures]) -> StoredComputation:
    """Return the computation with the code that gave the same figure, if an agent ran some."""
    figures = set(list_figures(computation.value))
    code = next((result for result in ran if result.code and figures & result.figures), None)
    return (
        computation if code is None else computation.model_copy(update={"code": code.code, "step": code.step})
    )


def _list_starts(
    claims: FindingsAsClaims, computed: Iterable[StoredComputation]
) -> Mapping[UUID, Sequence[int]]:
    """Return the offsets of what agents quote, by source."""
    starts: dict[UUID, list[int]] = {
        source: [claim.near for claim in proposed] for source, proposed in claims.proposed.items()
    }
    for place in (place for computation in computed for place in computation.inputs):
        starts.setdefault(place.source, []).append(place.start)
    return starts


def _admissions(claims: FindingsAsClaims, wave: int) -> Iterator[StepDraft]:
    """Yield a step for each source that looks up the claims proposed for it."""
    for source_id, proposed in claims.proposed.items():
        yield StepDraft(
            f"found.{wave}.{source_id}",
            ReportStepName.ADMIT_CLAIMS,
            AgentRole.VERIFIER,
            queue=Queue.READING,
            input={
                "source": str(source_id),
                "most": len(proposed),
                "proposed": [asdict(claim) for claim in proposed],
            },
            tool_name="cite",
        )


def _select_named_passages(
    run: Run,
    kept: Sequence[SourcePassages],
    quoted: Mapping[UUID, Sequence[int]],
    named: Mapping[str, Source],
) -> list[SourcePassages]:
    """Return the passages of sources that agents quote but did not keep. Needs the tenant set."""
    kept_ids, queries = {source_passages.source.pk for source_passages in kept}, queries_of(run)
    read = {passage.chunk for passage in load_found_passages(run.pk)}
    selected = []
    for source in {named_source.pk: named_source for named_source in named.values()}.values():
        starts = quoted.get(source.pk, ())
        if source.pk in kept_ids or not starts or source.library_document is None:
            continue
        passages = [
            row
            for row in passages_of(source.library_document)
            if row.pk not in read and any(row.start_offset <= start < row.end_offset for start in starts)
        ]
        if passages:
            selected.append(SourcePassages(source, _rank_passages(passages, source, queries)))
    return selected


def _draft_reading(kept: SourcePassages) -> StepDraft:
    return draft_document_reading(kept.source.pk, [str(passage.chunk) for passage in kept.passages])


def _list_search_queries(steps: Sequence[UUID]) -> Iterator[str]:
    """Yield the queries that agents searched for, each once."""
    given = (SearchInput.model_validate_json(call.payload["arguments"]) for call in _calls(steps, "search"))
    yield from dict.fromkeys(query for search_input in given for query in search_input.queries)


def _select_new_passages(run: Run, steps: Sequence[UUID]) -> Iterator[SourcePassages]:
    """Yield the passages by source, without what the searches had found before. Needs the tenant set."""
    known = {passage.chunk for passage in load_found_passages(run.pk)}
    queries = queries_of(run)
    for source, places in _load_stored_chunks(run.pk, steps).items():
        passages = [passage for passage in _passages(source, places) if passage.pk not in known]
        if passages:
            yield SourcePassages(source, _rank_passages(passages, source, queries))


def _load_stored_chunks(run_id: UUID, steps: Sequence[UUID]) -> Mapping[Source, frozenset[int]]:
    """Return sources with the indexes of their chunks, from the results of the tool that stores them."""
    outputs = [_result(call) for call in _calls(steps, "store")]
    sources = find_sources(run_id, {str(output["source"]) for output in outputs}, but=TEXTS)
    found: dict[Source, frozenset[int]] = {}
    for output in outputs:
        if (source := sources.get(str(output["source"]))) is not None:
            indexes = frozenset(int(handle.rpartition(".")[2]) for handle in output["chunks"])
            found[source] = found.get(source, frozenset()) | indexes
    return found


def _calls(steps: Sequence[UUID], tool: str) -> Iterable[AgentMessage]:
    calls = AgentMessage.objects.filter(
        step__in=steps, recipient=f"tool:{tool}", status=MessageStatus.COMPLETED
    )
    return calls.order_by("created_at", "id")


def _result(message: AgentMessage) -> dict[str, list[str]]:
    output: dict[str, list[str]] = message.result["output"]
    return output


def _passages(source: Source, indexes: frozenset[int]) -> list[LibraryChunk]:
    """Return the library's own rows of these chunks."""
    if source.library_document is None:
        return []
    places = set(source.chunks.filter(chunk_index__in=indexes).values_list("start_offset", "end_offset"))
    rows = passages_of(source.library_document)
    return [row for row in rows if (row.start_offset, row.end_offset) in places]


def _rank_passages(
    passages: Sequence[LibraryChunk], source: Source, queries: Sequence[Query]
) -> list[FoundPassage]:
    model = builtin_embedder().model_id
    vectors = [passage.embedding if passage.embedding_model == model else None for passage in passages]
    scores = score([passage.text for passage in passages], vectors, queries)
    ranked = sorted(zip(scores, passages, strict=True), key=lambda pair: -pair[0][0])
    return [
        FoundPassage(
            chunk.pk, chunk.document_id, chunk.start_offset, chunk.end_offset, min(1.0, value), subtopic
        )
        for (value, subtopic), chunk in ranked
    ]


def _read_in_vain(run_id: UUID, steps: Sequence[UUID]) -> list[UUID]:
    """Return the pages that agents fetched and kept nothing of."""
    fetched = {str(_result(call)["id"]) for call in _calls(steps, "browse") if _result(call).get("fetched")}
    sources = find_sources(run_id, fetched, but=TEXTS)
    return [source.pk for source in sources.values() if source.status == SourceStatus.EXTRACTED]
