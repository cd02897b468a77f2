"""Plan a brief: read the result, sift its citations and excerpts, and freeze what is evidence."""

import hashlib
import json
from collections.abc import Mapping

from django.utils import timezone

from citations.credibility.credibility_brief_scores import exits_early
from citations.credibility.source_recency import RecencyBias
from citations.models import DomainRule
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.engine.states.step_failures import StepError
from research.fetching.canonical_urls import canonical_url
from research.library.rate_library_source import Judge
from research.library.retrieval.library_passage_similarity import NearestSentence
from research.llm.model_settings import usable_models_of
from research.models import AgentRole, PlanTrigger, Run
from research.models.schemas import Plan, RunOutcome, Subtopic
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.brief.brief_config import BriefConfig
from research.pipelines.brief.brief_evidence import sift
from research.pipelines.brief.freeze_pages_for_brief import Shelf, shelve
from research.pipelines.brief.stored_brief import BriefOwn
from research.pipelines.brief.tasks.brief_task_result import BriefInputRefused, TaskResult
from research.pipelines.brief.tasks.parse_brief_task_result import read_result
from research.pipelines.common.choose_rules_or_model import Engine
from research.pipelines.common.choose_rules_or_model import choose as choose_engine
from research.pipelines.report.report_config import ReportConfig
from research.runs.run_plan_versions import keep_version

RULES_VERSION = 6  # increased whenever the rules would write a different brief from the same input


def take_in(work: StepWork) -> StepResult:
    """Read the result and freeze its evidence. Raises StepError if the result, valid at the start, no longer is."""
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        rules = DomainRule.objects.as_rules()
    config = BriefConfig.model_validate(run.config)
    try:
        result = read_result(config.result)
    except BriefInputRefused as refusal:
        raise StepError("INVALID_REQUEST", str(refusal)) from refusal
    sifted = sift(result.pieces, result.answer, canonical_url, NearestSentence(builtin_embedder()))
    judge = Judge(RecencyBias.BALANCED, timezone.now().date(), rules)
    links = {canonical_url(url): title for url, title in result.links.items()}
    with tenant_context(work.tenant_id):
        shelf = shelve(work.run_id, sifted, links, judge)
    engine = choose_engine(ReportConfig(engine=config.engine), work.tenant_id)
    models = usable_models_of(work.tenant_id) if engine is Engine.MODEL else None
    own = _own(result, config, shelf, models.model_for(AgentRole.WRITER) if models else "")

    def save() -> None:
        shelf.store()
        keep_version(run, plan_of(run.topic, len(shelf.kept)), PlanTrigger.PLANNER, "")
        outcome = RunOutcome(engine=engine.value, own=own.model_dump(mode="json"))
        Run.objects.filter(pk=run.pk).update(
            result=outcome.model_dump(mode="json"),
            total_sections=1,
            report_version=1,
            sources_found=len(shelf.kept) + len(shelf.dropped),
            sources_processed=len(shelf.kept),
        )

    output = {"pages": len(shelf.kept), "set_aside": len(shelf.dropped), "not_found": len(shelf.not_found)}
    return StepResult(output, save=save, activity="Processing the result")


def _own(result: TaskResult, config: BriefConfig, shelf: Shelf, writer: str) -> BriefOwn:
    evidence = shelf.evidence()
    reason = "low_confidence" if exits_early(result.confidence) else "" if evidence else "no_evidence"
    return BriefOwn(
        task_run=result.run_id,
        processor=result.processor,
        answer=result.answer,
        reasoning=result.reasoning,
        given_confidence=result.confidence,
        input_hash=input_hash(config, writer, shelf.copies),
        evidence=evidence,
        unchecked=shelf.unchecked_count,
        not_found=shelf.not_found,
        reason=reason,
    )


def input_hash(config: BriefConfig, writer: str, copies: Mapping[str, str]) -> str:
    """Return the SHA-256 of everything that determines a brief.

    That is the result, its context, the writer, and the library's copies. `writer` is the model's name, empty for
    rules.
    """
    made_of = {
        "result": config.result,
        "context": config.context.model_dump(mode="json"),
        "writer": writer or f"rules {RULES_VERSION}",
        "copies": dict(copies),
    }
    data = json.dumps(made_of, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(data.encode()).hexdigest()


def plan_of(topic: str, sources: int) -> Plan:
    """Return a plan, as every run has one, although there is nothing to search for."""
    whole = Subtopic(name="The result", queries=[topic[:300]], target_sources=max(1, sources))
    return Plan(goal=topic, subtopics=[whole], estimated_sources=sources)
