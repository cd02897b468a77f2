"""The shared parts of pipelines that work on given material: they ask nobody and search nothing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from uuid import UUID

from django.utils.translation import gettext as _

from citations.models import Citation, Claim
from research.engine.pipeline_registry import Handler, Policy, StepDraft
from research.models import Escalation, ReviewAct, ReviewItem, Run, State
from research.models.schemas import StoredDecision
from research.pipelines.common.pipeline_export_step import MAKE_FILE, file_drafts, make_file

FILES: Mapping[str, Handler] = {MAKE_FILE: make_file}  # the export steps of all these pipelines


def refusal_of_marks(act: ReviewAct) -> str:
    """Return the reason why a review action on a finished run's claims is rejected; empty if it is allowed."""
    return (
        _("What was written stays as it is: reject it, and say what would be right.")
        if act is ReviewAct.EDIT
        else ""
    )


class GivenTextsPipeline:
    """A pipeline for given texts. `steps` gives the work of each state; the machine skips states without an entry."""

    states: Sequence[State] = (State.ANALYZING, State.SYNTHESIZING, State.EXPORTING)
    steps: Mapping[State, Callable[[Run], Iterator[StepDraft]]] = {}

    def policy(self, run: Run) -> Policy:
        return Policy(
            asks_people=False, can_search_wider=False, search_is_exhausted=True, is_written_once=True
        )

    def refusal(self, item: ReviewItem, act: ReviewAct, decision: StoredDecision) -> str:
        return refusal_of_marks(act)

    def apply(self, run: Run, asked: Escalation, items: Sequence[ReviewItem]) -> None:
        """Do nothing: these pipelines ask nobody, and reviewers' marks do not change the result."""

    def words_behind(self, run_id: UUID, claims: Sequence[Claim]) -> Sequence[Citation]:
        return ()

    def steps_for(self, run: Run, state: State) -> Sequence[StepDraft]:
        drafts = {**self.steps, State.EXPORTING: file_drafts}.get(state)
        return list(drafts(run)) if drafts else []
