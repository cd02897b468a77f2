"""Write a report's notes into its run's workspace: the plan with its checkboxes, and each stage's outcome.

A stage is noted when it ends, in the transaction that ends it, in a few rows whatever its size. Agents and readers of
the log may read it; it is never a source of claims. Needs the tenant set.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from uuid import UUID

from django.conf import settings
from django.db.models import Count, QuerySet

from citations.models import Contradiction, Section
from research.agents.tools.agent_notebook import (
    MAX_TEXT,
    NotebookAuthor,
    WorkspaceFull,
    append,
    plan_items,
    read_plan,
    tick,
)
from research.engine.states.state_run_authorship import read_authorship
from research.models import AgentRole, Budget, EntryKind, Run, Source, SourceStatus, State, Step, StepStatus
from research.models.schemas import Plan, RunOutcome, Subtopic
from research.pipelines.report.report_outline import read_outline
from research.pipelines.report.report_step_names import TAKING_NOTES, ReportStepName

MAX_NAME = 80  # characters of a title, a claim or a query
MAX_NAMED = 15  # in one entry
STAGES = {"planned": "planning", "read": "reading", "wrote": "writing", "checked": "checking"}
SEARCHES = (ReportStepName.SEARCH_LIBRARY, ReportStepName.SEARCH_WEB)


class FinalPlanItem(IntEnum):
    """The plan's items after those of its subtopics, counted from 1."""

    READ = 1
    COMPARE = 2
    WRITE = 3
    CHECK = 4


ITEMS = {
    FinalPlanItem.READ: "Read the sources",
    FinalPlanItem.COMPARE: "Compare what they say",
    FinalPlanItem.WRITE: "Write the sections",
    FinalPlanItem.CHECK: "Check every claim against its source",
}


def stage_begins(run: Run, state: State) -> None:
    """Write down the outcome of the previous stage. A stage that is retried is written down once."""
    if state in _ENDS and run.plan is not None:
        _ENDS[state](run, Plan.model_validate(run.plan))


def note_missing_answer(run_id: UUID, reasons: Sequence[str]) -> None:
    """Note that the analysis ended the run: the sources do not answer."""
    run = Run.objects.get(pk=run_id)
    _jot(run, AgentRole.ANALYZER, EntryKind.FINDING, "unanswered", [f"No answer: {' '.join(reasons)}"])
    _tick(run, ITEMS[FinalPlanItem.COMPARE])


def note_check_outcome(run: Run) -> None:
    """Note that the claims are checked, perhaps again after a revision."""
    rows = Contradiction.objects.filter(run=run).order_by("created_at", "id")
    pairs = rows.values_list("claim_a__text", "claim_b__text")
    disagreements = [f"{_quote_text(first)} against {_quote_text(second)}" for first, second in pairs]
    if disagreements:
        text = f"Sources disagree: {_format_list(disagreements)}"
        _jot(run, AgentRole.VERIFIER, EntryKind.FINDING, f"check.{run.revision_count}", [text])
    if spent := _describe_token_use(run):
        _jot(run, AgentRole.VERIFIER, EntryKind.NOTE, f"tokens.{run.revision_count}", [spent])
    _tick(run, ITEMS[FinalPlanItem.CHECK])


def _note_plan(run: Run, plan: Plan) -> None:
    """Write down the plan, replacing an earlier one."""
    texts = [*(_item(subtopic) for subtopic in plan.subtopics), *ITEMS.values()]
    if run.replan_count:
        if texts == [item.text for item in read_plan(run.pk)]:
            return
        plan_items(run.pk).delete()
    _jot(run, AgentRole.PLANNER, EntryKind.PLAN, "plan", texts)


def _plan_further(run: Run, plan: Plan) -> None:
    """Write down the items that were added to the plan since it was written down."""
    written_texts = {item.text for item in read_plan(run.pk)}
    new = [text for text in map(_item, plan.subtopics) if text[:MAX_TEXT] not in written_texts]
    _jot(run, AgentRole.PLANNER, EntryKind.PLAN, f"plan.{len(plan.subtopics)}", new)


def _item(subtopic: Subtopic) -> str:
    about = f" ({subtopic.description})" if subtopic.description else ""
    return f"Find sources on {_quote_text(subtopic.name)}{about}: {_format_list(map(_quote_text, subtopic.queries))}"


def _note_searches(run: Run, plan: Plan) -> None:
    """Note the searches, and tick subtopics whose searches had results."""
    searches = _searches(run)
    texts = [_search_of(subtopic.name, searches[subtopic.name]) for subtopic in plan.subtopics]
    _jot(run, AgentRole.RESEARCHER, EntryKind.FINDING, "search", texts)
    _plan_further(run, plan)
    _tick(run, *(_item(subtopic) for subtopic in plan.subtopics if searches[subtopic.name].results))
    failed = [f"{url} ({why})" for url, why in _unfound(run)]
    if failed:
        text = f"Not to be had, though asked for: {_format_list(failed)}"
        _jot(run, AgentRole.RESEARCHER, EntryKind.NOTE, "asked", [text])


@dataclass(slots=True)
class SubtopicSearches:
    """The results of the searches for one subtopic."""

    queries: list[str] = field(default_factory=list)
    results: int = 0
    failed: list[str] = field(default_factory=list)


def _searches(run: Run) -> defaultdict[str, SubtopicSearches]:
    """Return the searches by subtopic; empty for one that was not searched for."""
    by_subtopic = defaultdict[str, SubtopicSearches](SubtopicSearches)
    rows = Step.objects.filter(run=run, handler__in=SEARCHES).order_by("step_index")
    columns = ("input__subtopic", "input__query", "status", "output__found", "error_message")
    for subtopic, query, status, results, error in rows.values_list(*columns):
        searches = by_subtopic[subtopic]
        searches.queries.append(query)
        if status == StepStatus.COMPLETED:
            searches.results += results or 0
        else:
            searches.failed.append(f"{_quote_text(query)} failed ({error.rstrip('.')})")
    return by_subtopic


def _search_of(name: str, searched: SubtopicSearches) -> str:
    queries = list(dict.fromkeys(map(_quote_text, searched.queries)))
    asked = f"searched for {_format_list(queries)}" if queries else "not searched for"
    failed = f"; {_format_list(searched.failed)}" if searched.failed else ""
    return f"{_cut(name)}: {asked}; {_count(searched.results, 'result')}{failed}."


def _unfound(run: Run) -> QuerySet[Step, tuple[str, str]]:
    rows = Step.objects.filter(run=run, handler=ReportStepName.TAKE_URL, status=StepStatus.FAILED)
    return rows.order_by("step_index").values_list("input__url", "error_message")


def _read(run: Run, plan: Plan) -> None:
    rows = list(Source.objects.filter(run=run).order_by("created_at", "id"))
    read = [row for row in rows if row.status == SourceStatus.PROCESSED]
    text = f"Read {len(read)} of {_count(len(rows), 'source')}."
    _jot(run, AgentRole.EXTRACTOR, EntryKind.FINDING, "read", [text])
    if spent := _describe_token_use(run):
        _jot(
            run, AgentRole.EXTRACTOR, EntryKind.NOTE, "tokens", [f"{spent} {_describe_writing_reserve(run)}"]
        )
    silent = _silent(run)
    nothing = [f"{_quote_source_name(row)} ({why})" for row in rows if (why := _why_nothing(row, silent))]
    if nothing:
        text = f"Gave nothing: {_format_list(nothing)}"
        _jot(run, AgentRole.EXTRACTOR, EntryKind.NOTE, "silent", [text])
    _tick(run, ITEMS[FinalPlanItem.READ])


def _describe_token_use(run: Run) -> str:
    """Return the tokens by what they were spent on; empty if no model was asked."""
    stages: dict[str, int] = {stage.name: stage.tokens for stage in read_authorship(run).stages}
    spent = [f"{word} {stages.get(name, 0):,}" for name, word in STAGES.items()]
    return f"Tokens: {', '.join(spent)}." if stages else ""


def _describe_writing_reserve(run: Run) -> str:
    budget = Budget.objects.filter(run=run, role="").first()
    if budget is None or budget.limit_tokens_total is None:
        return ""
    kept = int(budget.limit_tokens_total * settings.PLUMBLINE_BUDGET_WRITING["share"][0])
    return f"Of {budget.limit_tokens_total:,} in all, {kept:,} are kept for writing and checking."


def _silent(run: Run) -> frozenset[str]:
    """Return ids of the sources in which a model found no claim that they carry."""
    done = Step.objects.filter(run=run, handler__in=TAKING_NOTES, output__claims=0)
    return frozenset(done.values_list("input__source", flat=True))


def _why_nothing(source: Source, silent: frozenset[str]) -> str:
    """Return the reason why the source gave nothing; empty if it gave something."""
    if source.status == SourceStatus.FAILED:
        return source.error_message or source.error_code
    return "no claim" if str(source.pk) in silent else ""


def _note_comparison(run: Run, plan: Plan) -> None:
    sections = read_outline(run.outline)
    claims = sum(len(section.claims) for section in sections)
    left = len(RunOutcome.model_validate(run.outcome).left_out)
    text = f"{_count(claims, 'claim')} for {_count(len(sections), 'section')}; {_count(left, 'statement')} left out."
    _jot(run, AgentRole.ANALYZER, EntryKind.FINDING, "compare", [text])
    _tick(run, ITEMS[FinalPlanItem.COMPARE])


def _note_sections(run: Run, plan: Plan) -> None:
    sections = Section.objects.filter(run=run, report_version=run.report_version).order_by("index")
    counted = sections.annotate(count=Count("claims")).values_list("heading", "count")
    listed = _format_list(f"{_quote_text(heading)} ({_count(count, 'claim')})" for heading, count in counted)
    again = f" after revision {run.revision_count}" if run.revision_count else ""
    text = f"Sections{again}: {listed}"
    _jot(run, AgentRole.WRITER, EntryKind.FINDING, f"write.{run.revision_count}", [text])
    _tick(run, ITEMS[FinalPlanItem.WRITE])


_ENDS: Mapping[State, Callable[[Run, Plan], None]] = {
    State.COLLECTING: _note_plan,
    State.READING: _note_searches,
    State.ANALYZING: _read,
    State.SYNTHESIZING: _note_comparison,
    State.CITING: _note_sections,
}


def _jot(run: Run, role: AgentRole, kind: EntryKind, key: str, texts: Sequence[str]) -> None:
    """Write an entry once per key. If agents filled the workspace, it is dropped: that stops no run."""
    again = f".again{run.replan_count}" if run.replan_count else ""
    with suppress(WorkspaceFull):
        append(NotebookAuthor(run.pk, None, role, f"report/{key}{again}"), kind, texts)


def _tick(run: Run, *texts: str) -> None:
    """Tick items, found by their text: the plan may have grown since it was written down."""
    ticked_texts = {text[:MAX_TEXT] for text in texts}
    tick(run.pk, *(item.position for item in read_plan(run.pk) if item.text in ticked_texts))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _quote_source_name(source: Source) -> str:
    return _quote_text(source.title or source.url)


def _quote_text(text: str) -> str:
    return f"“{_cut(text)}”"


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= MAX_NAME else f"{flat[:MAX_NAME].rstrip()} …"


def _format_list(texts: Iterable[str]) -> str:
    """Return the first texts, and how many more there are."""
    return "; ".join(_first(list(texts)))


def _first(texts: Sequence[str]) -> Iterator[str]:
    yield from texts[:MAX_NAMED]
    if len(texts) > MAX_NAMED:
        yield f"and {len(texts) - MAX_NAMED} more"
