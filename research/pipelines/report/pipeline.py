"""The pipeline of a report, wide research on a question: which work each state holds, and who does it.

Planning, analyzing, synthesizing and verifying are done by rules or by a model, depending on the run's engine; rules
take over if a model fails. Collecting, reading and citing are the same for both, except that a model reads for claims
while rules take sentences.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from uuid import UUID

from citations.models import Citation, Claim, Section, SectionStatus
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import Handler, Policy, StepDraft, StepResult, StepWork
from research.engine.states.state_context import visit_key
from research.engine.states.state_machine import PATH
from research.models import AgentRole, Escalation, Kind, Queue, ReviewAct, ReviewItem, Run, State, Step
from research.models.schemas import StoredDecision
from research.pipelines.common.choose_rules_or_model import Engine, choose, engine_of, is_written_once
from research.pipelines.common.cite_report_section_step import cite
from research.pipelines.common.pipeline_export_step import (
    MAKE_FILE,
    MAKE_SLIDES,
    file_drafts,
    make_file,
    make_slides,
)
from research.pipelines.common.verifying.verify_report_by_model import check_by_rules, give_opinion, settle
from research.pipelines.common.verifying.verify_report_by_rules import verify_report
from research.pipelines.report import report_progress_notes
from research.pipelines.report.analyzing.analyze_report_by_rules import analyze_sentences
from research.pipelines.report.analyzing.assess_report_draft import words_behind
from research.pipelines.report.analyzing.prepare_report_sentences import prepare_read_pages
from research.pipelines.report.collecting.collect_known_report_claims import draft_known_claims, take_known
from research.pipelines.report.collecting.collect_report_sources_from_library import (
    search_drafts,
    search_library,
)
from research.pipelines.report.collecting.collect_report_sources_from_parent_run import (
    parent_draft,
    take_from_parent,
    takes_from_parent,
)
from research.pipelines.report.collecting.collect_report_sources_from_web import (
    pick_pages,
    plan_web,
    search_web,
    web_drafts,
)
from research.pipelines.report.collecting.collect_required_sources import (
    must_read_drafts,
    take_document,
    take_url,
)
from research.pipelines.report.collecting.further_report_searches import is_exhausted, sources_there_are
from research.pipelines.report.decisions.apply_report_decisions import apply_decisions
from research.pipelines.report.decisions.refuse_report_decisions import why_refused
from research.pipelines.report.degrading.note_report_sources_unread_by_model import note_unread_by_model
from research.pipelines.report.degrading.reduce_report_scope import reduce_scope
from research.pipelines.report.degrading.skip_unread_report_sources import note_skipped_sources
from research.pipelines.report.delegating.delegate_report_research import delegate, delegation_drafts
from research.pipelines.report.delegating.do_report_agent_task import do_task
from research.pipelines.report.delegating.first_report_round import first_round_drafts
from research.pipelines.report.delegating.gather_report_agent_findings import gather
from research.pipelines.report.delegating.request_report_evidence import analyze_and_request, request_evidence
from research.pipelines.report.delegating.seek_report_support import rewrite_sections, seek_support
from research.pipelines.report.follow_report_instructions import (
    draft_heed_step,
    follow_instruction,
    heed_instructions,
    pick_for_instruction,
    state_of,
)
from research.pipelines.report.looking_again.open_report_parts import is_looking_again, may_look_again
from research.pipelines.report.looking_again.search_open_report_parts import look_again, look_again_draft
from research.pipelines.report.looking_again.unproven_report_claims import may_seek_support, seeks_support
from research.pipelines.report.planning.plan_report_by_model import draft_plan
from research.pipelines.report.planning.plan_report_by_rules import make_plan
from research.pipelines.report.reading.fetch_report_pages import fetch_drafts
from research.pipelines.report.reading.follow_report_page_links import follow_links
from research.pipelines.report.reading.propose_report_notes import note_claims
from research.pipelines.report.reading.read_report_documents import (
    document_drafts,
    further_passage_drafts,
    read_document,
)
from research.pipelines.report.reading.read_report_pages import read_page
from research.pipelines.report.reading.store_report_notes import admit_claims
from research.pipelines.report.replanning.is_report_replanning_useful import can_search_wider
from research.pipelines.report.replanning.replan_report_by_model import replan_by_model
from research.pipelines.report.replanning.replan_report_by_rules import replan
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_step_names import ReportStepName
from research.pipelines.report.synthesizing.draft_report_sections import draft_sections
from research.pipelines.report.synthesizing.write_report_section_by_model import compose_section
from research.pipelines.report.synthesizing.write_report_section_by_rules import write_section


def begin_state(work: StepWork) -> StepResult:
    """Return the steps of the state, after instructions to the run have changed them."""
    with tenant_context(work.tenant_id):
        drafts = list(_STEPS[state_of(work)](Run.objects.get(pk=work.run_id)))
    return StepResult({"steps": len(drafts)}, children=drafts)


class ReportPipeline:
    kind = Kind.REPORT
    states: tuple[State, ...] = (
        *PATH[1:-1],  # all that lies between its start and its end
        State.REPLANNING,
        State.HUMAN_REVIEW_PLAN,
        State.HUMAN_REVIEW_GAPS,
        State.HUMAN_REVIEW_CONFLICTS,
        State.HUMAN_REVIEW_VERIFICATION,
    )
    handlers: Mapping[str, Handler] = {
        # planning
        ReportStepName.PLAN_BY_RULES: make_plan,
        ReportStepName.PLAN_BY_MODEL: draft_plan,
        ReportStepName.REPLAN_BY_RULES: replan,
        ReportStepName.REPLAN_BY_MODEL: replan_by_model,
        # collecting: what runs before have read, the library, what must be read, the web
        ReportStepName.TAKE_FROM_PARENT: take_from_parent,
        ReportStepName.TAKE_KNOWN: take_known,
        ReportStepName.SEARCH_LIBRARY: search_library,
        ReportStepName.TAKE_URL: take_url,
        ReportStepName.TAKE_DOCUMENT: take_document,
        ReportStepName.PLAN_WEB: plan_web,
        ReportStepName.SEARCH_WEB: search_web,
        ReportStepName.PICK_PAGES: pick_pages,
        # what the analysis left open
        ReportStepName.LOOK_AGAIN: look_again,
        # agents after what was not found
        ReportStepName.DELEGATE: delegate,
        ReportStepName.DO_TASK: do_task,
        ReportStepName.GATHER: gather,
        # instructions to the run while it is under way
        ReportStepName.HEED_INSTRUCTIONS: heed_instructions,
        ReportStepName.FOLLOW_INSTRUCTION: follow_instruction,
        ReportStepName.PICK_FOR_INSTRUCTION: pick_for_instruction,
        ReportStepName.BEGIN_STATE: begin_state,
        # reading: a source a step, with a model's notes on it
        ReportStepName.READ_DOCUMENT: read_document,
        ReportStepName.READ_PAGE: read_page,
        ReportStepName.FOLLOW_LINKS: follow_links,
        ReportStepName.NOTE_CLAIMS: note_claims,
        ReportStepName.ADMIT_CLAIMS: admit_claims,
        # analyzing
        ReportStepName.PREPARE_SENTENCES: prepare_read_pages,
        ReportStepName.ANALYZE_BY_RULES: analyze_sentences,
        ReportStepName.ANALYZE_BY_MODEL: analyze_and_request,
        ReportStepName.REQUEST_EVIDENCE: request_evidence,
        # synthesizing
        ReportStepName.SEEK_SUPPORT: seek_support,
        ReportStepName.REWRITE: rewrite_sections,
        ReportStepName.WRITE_BY_RULES: write_section,
        ReportStepName.WRITE_BY_MODEL: compose_section,
        # citing
        ReportStepName.CITE: cite,
        # verifying
        ReportStepName.VERIFY_BY_RULES: verify_report,
        ReportStepName.VERIFY_BY_MODEL: check_by_rules,
        ReportStepName.GIVE_OPINION: give_opinion,
        ReportStepName.SETTLE: settle,
        # exporting
        MAKE_FILE: make_file,
        MAKE_SLIDES: make_slides,
    }

    def policy(self, run: Run) -> Policy:
        config = ReportConfig.model_validate(run.config)
        is_second = is_looking_again(run)
        return Policy(
            minimum_sources=config.minimum_sources,
            published_from=config.wanted_from,
            published_to=config.published_to,
            source_kinds=len(config.source_types),
            source_quality=config.confidence_threshold,
            sources_there_are=sources_there_are(run, config),
            search_is_exhausted=is_second or is_exhausted(run, config),
            can_search_wider=not is_second and can_search_wider(run, config),
            may_look_again=may_look_again(run, config),
            is_looking_again=is_second,
            may_seek_support=may_seek_support(run, config),
            is_quoted=engine_of(run) is Engine.EXTRACTIVE,
            is_written_once=is_written_once(run),
            auto_approve=config.plan_approval == "automatic",
            asks_people=config.reviews != "never",
            asks_about_doubts=config.reviews == "ask",
        )

    def refusal(self, item: ReviewItem, act: ReviewAct, decision: StoredDecision) -> str:
        return why_refused(item, act, decision)

    def apply(self, run: Run, asked: Escalation, items: Sequence[ReviewItem]) -> None:
        apply_decisions(run, items)

    def words_behind(self, run_id: UUID, claims: Sequence[Claim]) -> Sequence[Citation]:
        return words_behind(run_id, claims)

    def steps_for(self, run: Run, state: State) -> Sequence[StepDraft]:
        report_progress_notes.stage_begins(run, state)
        told = draft_heed_step(run, state)
        return list(_STEPS[state](run) if told is None else [told]) if state in _STEPS else []


def _plan(run: Run) -> Iterator[StepDraft]:
    is_by_model = choose(ReportConfig.model_validate(run.config), run.tenant_id) is Engine.MODEL
    yield StepDraft(
        "plan",
        ReportStepName.PLAN_BY_MODEL if is_by_model else ReportStepName.PLAN_BY_RULES,
        AgentRole.PLANNER,
    )


def _replan(run: Run) -> Iterator[StepDraft]:
    handler = (
        ReportStepName.REPLAN_BY_MODEL if engine_of(run) is Engine.MODEL else ReportStepName.REPLAN_BY_RULES
    )
    why = Step.objects.values_list("input", flat=True).get(run=run, key=visit_key(run))
    yield StepDraft("replan", handler, AgentRole.PLANNER, input=why)


def _collect(run: Run) -> Iterator[StepDraft]:
    """Yield the steps of collecting.

    A further round searches only the web: the whole library was searched, and must-read sources were taken. With a
    model, agents look for what is still missing; at the greater depths they share the first round by subtopic.

    A follow-up and an extension begin with what the previous run read. A run that looks again does nothing else.
    """
    if is_looking_again(run):
        return chain([look_again_draft()], delegation_drafts(run))
    if run.attempt:
        return chain(web_drafts(run), delegation_drafts(run))
    if takes_from_parent(run):
        return iter([parent_draft()])
    first = () if run.replan_count else chain(draft_known_claims(run), must_read_drafts(run))
    return chain(search_drafts(run), web_drafts(run), first, first_round_drafts(run))


def _read(run: Run) -> Iterator[StepDraft]:
    if is_looking_again(run):
        return chain(fetch_drafts(run), document_drafts(run), further_passage_drafts(run))
    reduce_scope(run)
    return chain(fetch_drafts(run), document_drafts(run))


def _analyze(run: Run) -> Iterator[StepDraft]:
    note_skipped_sources(run)
    note_unread_by_model(run)
    handler = (
        ReportStepName.ANALYZE_BY_MODEL if engine_of(run) is Engine.MODEL else ReportStepName.ANALYZE_BY_RULES
    )
    yield StepDraft("analyze", handler, AgentRole.ANALYZER, queue=Queue.READING)


def _write(run: Run) -> Iterator[StepDraft]:
    if seeks_support(run):
        return iter([StepDraft("support", ReportStepName.SEEK_SUPPORT, AgentRole.VERIFIER)])
    return draft_sections(run)


def _cite(run: Run) -> Iterator[StepDraft]:
    written = Section.objects.filter(
        run=run, report_version=run.report_version, status=SectionStatus.WRITTEN
    )  # fmt: skip
    for index, section_id in written.order_by("index").values_list("index", "pk"):
        yield StepDraft(
            f"section.{index}",
            ReportStepName.CITE,
            AgentRole.VERIFIER,
            queue=Queue.READING,
            input={"section": str(section_id)},
            tool_name="cite",
        )


def _verify(run: Run) -> Iterator[StepDraft]:
    handler = (
        ReportStepName.VERIFY_BY_MODEL if engine_of(run) is Engine.MODEL else ReportStepName.VERIFY_BY_RULES
    )
    yield StepDraft(
        "verify" if handler == ReportStepName.VERIFY_BY_RULES else "check",
        handler,
        AgentRole.VERIFIER,
        queue=Queue.READING,
    )


_STEPS: Mapping[State, Callable[[Run], Iterator[StepDraft]]] = {
    State.PLANNING: _plan,
    State.REPLANNING: _replan,
    State.COLLECTING: _collect,
    State.READING: _read,
    State.ANALYZING: _analyze,
    State.SYNTHESIZING: _write,
    State.CITING: _cite,
    State.VERIFYING: _verify,
    State.EXPORTING: file_drafts,
}
