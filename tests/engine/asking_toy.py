"""The toy of the lifecycle's tests, with questions to people on its way."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from citations.models import Citation, Claim
from citations.models import Warning as Gap
from research.engine.pipeline_registry import Policy, StepDraft
from research.models import Escalation, ReviewAct, ReviewItem, Run, Source, SourceStatus, State
from research.models.schemas import StoredDecision
from tests.engine.toy import ROLE, ToyPipeline

PLAN = {"goal": "Count.", "subtopics": [{"name": "alpha", "queries": ["alpha"], "target_sources": 1}]}


class Asking(ToyPipeline):
    """Each plan needs consent, and the evidence lacks something: a person is asked twice on the way."""

    states = (*ToyPipeline.states, State.REPLANNING, State.HUMAN_REVIEW_PLAN, State.HUMAN_REVIEW_GAPS)

    def __init__(self) -> None:
        self.applied: list[UUID] = []  # questions whose answers took effect

    def policy(self, run: Run) -> Policy:
        policy = replace(super().policy(run), search_is_exhausted=True, can_search_wider=False)
        return replace(policy, auto_approve=False)

    def steps_for(self, run: Run, state: State) -> Sequence[StepDraft]:
        if state in (State.PLANNING, State.REPLANNING, State.COLLECTING, State.ANALYZING):
            return [StepDraft("root", "toy.split", ROLE)]
        return []

    def refusal(self, item: ReviewItem, act: ReviewAct, decision: StoredDecision) -> str:
        return ""

    def apply(self, run: Run, asked: Escalation, items: Sequence[ReviewItem]) -> None:
        self.applied.append(asked.pk)

    def words_behind(self, run_id: UUID, claims: Sequence[Claim]) -> Sequence[Citation]:
        return ()


def save_for(run_id: UUID, state: str) -> None:
    """Store what the exits of a state look at. Safe twice."""
    run = Run.objects.get(pk=run_id)
    if state in (State.PLANNING, State.REPLANNING):
        Run.objects.filter(pk=run_id).update(plan={**PLAN, "confidence": 0.9})
    elif state == State.COLLECTING:
        known = {"run_id": run_id, "canonical_url": "https://alpha.example/1"}
        Source.objects.get_or_create(
            **known, defaults={"subtopic": "alpha", "status": SourceStatus.PROCESSED}
        )
    elif state == State.ANALYZING:
        Gap.objects.get_or_create(run=run, kind="gap", severity="high", code="G001", text="Nothing on beta.")
