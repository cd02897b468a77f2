"""Search for open parts: each in a few other words, in the library and on the web, and by agents with a model.

Only new queries are asked. Every search service that is set up may answer, not only those for the kind of source that
was searched first.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import JsonObject, StepDraft, StepResult, StepWork
from research.extractive.question.parsed_question import analyse
from research.models import AgentRole, Chunk, Queue, Run, Source
from research.models.schemas import Plan
from research.pipelines.common.report_name_definitions import find_other_names
from research.pipelines.report.collecting.collect_report_sources_from_library import library_search
from research.pipelines.report.collecting.collect_report_sources_from_web import searches_web, web_search
from research.pipelines.report.looking_again.open_report_parts import read_open_parts, subtopic_of
from research.pipelines.report.looking_again.reword_open_report_parts import reword
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_queries import Query, load_answered_queries
from research.pipelines.report.report_step_names import ReportStepName

PAGES_A_PART = 3
DEFINING = 500  # passages that may define a short form


@dataclass(frozen=True, slots=True)
class RewordedPart:
    part: str
    subtopic: str
    queries: tuple[str, ...]


def look_again_draft() -> StepDraft:
    return StepDraft("open", ReportStepName.LOOK_AGAIN, AgentRole.RESEARCHER, tool_name="search")


def look_again(work: StepWork) -> StepResult:
    """Search for each new wording; then take the best pages."""
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        parts = reword_open_parts(run)
    config = ReportConfig.model_validate(run.config)
    pages = PAGES_A_PART * len(parts)
    pick = StepDraft(
        "open/pick",
        ReportStepName.PICK_PAGES,
        AgentRole.RESEARCHER,
        queue=Queue.AGENTS,
        input={"most": pages},
    )
    output: JsonObject = {"parts": [{"part": part.part, "queries": list(part.queries)} for part in parts]}
    return StepResult(
        output,
        children=list(_searches(parts, config)),
        then=pick if searches_web(config) else None,
        activity="Looking again for what is still open",
    )


def reword_open_parts(run: Run) -> list[RewordedPart]:
    """Return the open parts with their new queries. Needs the tenant set."""
    plan, asked = Plan.model_validate(run.plan), set(load_answered_queries(run.pk))
    titles = list(Source.objects.filter(run=run).exclude(title="").values_list("title", flat=True))
    question, names = analyse(run.topic), load_other_names(run)
    parts = []
    for part in read_open_parts(run):
        queries = tuple(reword(part, question, titles, names, asked))
        asked |= {query.casefold() for query in queries}
        parts.append(RewordedPart(part, subtopic_of(part, plan), queries))
    return parts


def load_other_names(run: Run) -> Mapping[str, str]:
    """Return the other forms that the sources define for names in the question. Needs the tenant set."""
    texts = Chunk.objects.filter(run=run, text__contains="(").order_by("created_at", "id")
    return find_other_names(run.topic, texts.values_list("text", flat=True)[:DEFINING])


def _searches(parts: list[RewordedPart], config: ReportConfig) -> Iterator[StepDraft]:
    few = config.model_copy(update={"target_sources": PAGES_A_PART, "source_types": []})
    for index, part in enumerate(parts):
        for number, text in enumerate(part.queries):
            query = Query(text, part.subtopic)
            if config.uses_library:
                yield _for_part(part, library_search(f"open.{index}/search.{number}", query, "researcher-1"))
            if searches_web(config):
                yield _for_part(part, web_search(f"open.{index}/web.{number}", query, 1, few))


def _for_part(part: RewordedPart, draft: StepDraft) -> StepDraft:
    return replace(draft, input={**draft.input, "part": part.part})
