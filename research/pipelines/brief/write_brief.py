"""Write a brief: draft it once from the input, by a model or by rules, and store the draft for equal inputs."""

from dataclasses import dataclass

from research.db.tenancy import in_thread, tenant_context
from research.engine.pipeline_registry import Json, StepResult, StepUsage, StepWork
from research.library.retrieval.library_passage_similarity import NearestSentence
from research.models import BriefRecord, Run
from research.models.schemas import RunOutcome
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.brief.brief_config import BriefConfig, BriefContext
from research.pipelines.brief.compare_text_for_brief import compare_own_text
from research.pipelines.brief.drafting import draft_brief_by_rules
from research.pipelines.brief.drafting.brief_draft_rows import DraftingEvidence, read_evidence, store_draft
from research.pipelines.brief.drafting.brief_standard_texts import note_what_came_in
from research.pipelines.brief.drafting.draft_brief_by_model import BriefPromptInput, build_brief_draft
from research.pipelines.brief.finish_brief import finish
from research.pipelines.brief.stored_brief import BriefDraft, BriefOwn
from research.pipelines.common.ask_model_in_pipeline_step import ask
from research.pipelines.common.exclude_report_claims import note_left_out


@dataclass(frozen=True, slots=True)
class BriefMaterial:
    """The material from which a brief is written. `known`: an earlier draft for the same input."""

    own: BriefOwn
    context: BriefContext
    evidence: DraftingEvidence
    known: BriefDraft | None

    @property
    def gives_claims(self) -> bool:
        return not self.own.reason

    def by_rules(self) -> BriefDraft:
        if not self.gives_claims:
            return BriefDraft()
        alike = NearestSentence(builtin_embedder())
        return draft_brief_by_rules.draft(self.own.answer, self.evidence.words, alike, self.context)


def _load_inputs(work: StepWork) -> BriefMaterial:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        own = BriefOwn.model_validate(run.outcome.get("own"))
        record = BriefRecord.objects.filter(input_hash=own.input_hash).first()
        evidence = read_evidence(work.run_id, own)
    known = BriefDraft.model_validate(record.draft) if record else None
    return BriefMaterial(own, BriefConfig.model_validate(run.config).context, evidence, known)


def write_by_rules(work: StepWork) -> StepResult:
    given = _load_inputs(work)
    return _build_step_result(work, given, given.known or given.by_rules())


async def write_by_model(work: StepWork) -> StepResult:
    """Draft the brief with one call of a model.

    Raises ModelError for a failure that a retry may fix; after any other failure rules draft it, with less confidence.
    """
    given = await in_thread(lambda: _load_inputs(work))
    if given.known is not None or not given.gives_claims:
        return await in_thread(lambda: _build_step_result(work, given, given.known or BriefDraft()))
    prompt_input = BriefPromptInput(
        given.own.answer, given.own.reasoning, given.context, given.evidence.words
    )
    response = await ask(work, prompt_input.question())

    def build_model_result() -> StepResult:
        if response.answer is None:
            draft = given.by_rules().model_copy(update={"is_fallback": True})
        else:
            draft = build_brief_draft(response.answer, prompt_input, NearestSentence(builtin_embedder()))
        return _build_step_result(work, given, draft, response.usage, **response.note)

    return await in_thread(build_model_result)


def _build_step_result(
    work: StepWork, given: BriefMaterial, draft: BriefDraft, usage: StepUsage | None = None, **note: Json
) -> StepResult:
    alike = NearestSentence(builtin_embedder())
    own_text = compare_own_text(draft.claims, alike, given.context, given.evidence.words)
    draft = draft.model_copy(update={"own_text": own_text})

    def save() -> None:
        placed = store_draft(work.run_id, draft, given.evidence, note_what_came_in(given.own))
        _keep(given.own.input_hash, draft)
        note_left_out(work.run_id, [(sentence.text, sentence.reason) for sentence in draft.refused])
        run = Run.objects.get(pk=work.run_id)
        outcome = RunOutcome.model_validate(run.result)
        own = given.own.model_copy(update={"draft": draft})
        outcome.own = own.model_dump(mode="json")
        Run.objects.filter(pk=run.pk).update(result=outcome.model_dump(mode="json"), sections_completed=1)
        if not placed:  # nothing to check: the run ends here
            finish(work.run_id, draft)

    output = {"claims": len(draft.claims), "refused": len(draft.refused), "again": given.known is not None}
    return StepResult({**output, **note}, save=save, usage=usage or StepUsage(), activity="Writing the brief")


def _keep(input_hash: str, draft: BriefDraft) -> None:
    """Store the draft for equal inputs, unless rules stood in for a model."""
    if not draft.is_fallback:
        row = BriefRecord(input_hash=input_hash, draft=draft.model_dump(mode="json"))
        BriefRecord.objects.bulk_create([row], ignore_conflicts=True)
