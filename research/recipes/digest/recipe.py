"""The digest: what a discussion says, in sentences that open onto who said them. Which work each state holds."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from uuid import UUID

from citations.models import Citation, Claim
from research.lifecycle.recipe import Handler, Policy, StepDraft
from research.models import AgentRole, Escalation, Kind, Queue, ReviewAct, ReviewItem, Run, State
from research.models.schemas import StoredDecision
from research.recipes.digest.gathering import gather
from research.recipes.digest.work import Work
from research.recipes.digest.writing import write_by_rules
from research.recipes.exporting import MAKE_FILE, file_drafts, make_file


class DigestRecipe:
    kind = Kind.DIGEST
    states = (State.ANALYZING, State.SYNTHESIZING, State.EXPORTING)
    handlers: Mapping[str, Handler] = {
        Work.GATHER: gather,
        Work.WRITE_BY_RULES: write_by_rules,
        MAKE_FILE: make_file,
    }

    def policy(self, run: Run) -> Policy:
        return Policy(
            asks_people=False, can_search_wider=False, search_is_exhausted=True, is_written_once=True
        )

    def refusal(self, item: ReviewItem, act: ReviewAct, decision: StoredDecision) -> str:
        return ""

    def apply(self, run: Run, asked: Escalation, items: Sequence[ReviewItem]) -> None:
        """Nobody is asked on the way."""

    def words_behind(self, run_id: UUID, claims: Sequence[Claim]) -> Sequence[Citation]:
        return ()

    def steps_for(self, run: Run, state: State) -> Sequence[StepDraft]:
        return list(_STEPS[state](run)) if state in _STEPS else []


def _gather(run: Run) -> Iterator[StepDraft]:
    yield StepDraft("gather", Work.GATHER, AgentRole.EXTRACTOR, queue=Queue.READING)


def _write(run: Run) -> Iterator[StepDraft]:
    yield StepDraft("write", Work.WRITE_BY_RULES, AgentRole.WRITER, queue=Queue.READING)


_STEPS: Mapping[State, Callable[[Run], Iterator[StepDraft]]] = {
    State.ANALYZING: _gather,
    State.SYNTHESIZING: _write,
    State.EXPORTING: file_drafts,
}
