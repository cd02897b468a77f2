"""Whatever two reviewers do, in whatever order: queue, items and history agree."""

import pytest
from django.contrib.auth.models import User
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from research.db.tenancy import create_tenant, tenant_context
from research.models import EscalationStatus, ReviewAct, ReviewDecision, ReviewItem, Run, State
from research.models.schemas import StoredDecision
from research.review.decide_review_items import DecisionRefused, decide, undo_last
from research.review.review_history import skip_undone
from research.review.review_queue import select_waiting_items, take_next
from tests.often import IS_FULL
from tests.review.conftest import make_question

ITEMS = 4
EXAMPLES = 25 if IS_FULL else 6
PEOPLE = st.sampled_from(["ada", "bob"])
ACTS = st.sampled_from([ReviewAct.ACCEPT, ReviewAct.REJECT, ReviewAct.EDIT, ReviewAct.SKIP])
STATUS = {"accept": "accepted", "reject": "rejected", "edit": "edited", "skip": "skipped"}


class Reviewing(RuleBasedStateMachine):
    """One question with a few items; the model is a list of acts for each item."""

    def __init__(self) -> None:
        super().__init__()
        self.tenant = create_tenant("Machine").pk
        with tenant_context(self.tenant):
            self.people = {name: User.objects.get_or_create(username=name)[0] for name in ("ada", "bob")}
            self.asked = make_question(self.people["ada"], ITEMS, kind="claim")
        self.model: dict[int, list[tuple[str, str]]] = {number: [] for number in range(1, ITEMS + 1)}
        self.log: list[tuple[int, str, str]] = []  # acts that stand, in their order

    @property
    def is_settled(self) -> bool:
        return all(acts and acts[-1][0] != "skip" for acts in self.model.values())

    @rule(number=st.integers(1, ITEMS), who=PEOPLE, act=ACTS)
    def decide(self, number: int, who: str, act: ReviewAct) -> None:
        acts = self.model[number]
        is_decided = bool(acts) and acts[-1][0] != "skip"
        is_double = is_decided and acts[-1] == (act.value, who)
        with tenant_context(self.tenant):
            ReviewItem.objects.update(taken_by=None, taken_until=None)
            item = ReviewItem.objects.get(escalation=self.asked, position=number)
            if is_decided and not is_double:
                with pytest.raises(DecisionRefused):
                    decide(item.pk, self.people[who], act, StoredDecision(note="Why."))
                return
            decide(item.pk, self.people[who], act, StoredDecision(note="Why."))
        if not is_double:
            acts.append((act.value, who))
            self.log.append((number, act.value, who))

    @rule(who=PEOPLE)
    def undo(self, who: str) -> None:
        mine = [one for one in self.log if one[2] == who]
        with tenant_context(self.tenant):
            if not mine:
                assert undo_last(self.people[who]) is None
                return
            number, act, _who = mine[-1]
            if self.is_settled or self.model[number][-1] != (act, who):
                with pytest.raises(DecisionRefused):
                    undo_last(self.people[who])
                return
            assert undo_last(self.people[who]).position == number
        self.model[number].pop()
        self.log.reverse()
        self.log.remove((number, act, who))
        self.log.reverse()

    @precondition(lambda self: not self.is_settled)
    @rule(who=PEOPLE)
    def take(self, who: str) -> None:
        with tenant_context(self.tenant):
            taken = take_next(self.people[who])
            assert taken is None or taken.status in ("open", "skipped")

    @invariant()
    def items_are_as_their_acts_say(self) -> None:
        with tenant_context(self.tenant):
            rows = ReviewItem.objects.filter(escalation=self.asked).values_list("position", "status")
            assert dict(rows) == {
                number: STATUS[acts[-1][0]] if acts else "open" for number, acts in self.model.items()
            }

    @invariant()
    def the_queue_holds_what_is_undecided_the_skipped_last(self) -> None:
        left = [n for n, acts in self.model.items() if not acts]
        skipped = [n for n, acts in self.model.items() if acts and acts[-1][0] == "skip"]
        with tenant_context(self.tenant):
            assert [item.position for item in select_waiting_items()] == [*left, *skipped]

    @invariant()
    def history_holds_every_act_and_what_stands_of_it(self) -> None:
        with tenant_context(self.tenant):
            for name, person in self.people.items():
                rows = ReviewDecision.objects.filter(escalation=self.asked, by=person).order_by("-pk")
                stands = [(row.item.position, row.act) for row in skip_undone(rows.select_related("item"))]
                assert stands[::-1] == [(n, act) for n, act, who in self.log if who == name]

    @invariant()
    def the_run_moves_when_the_last_is_decided_and_not_before(self) -> None:
        with tenant_context(self.tenant):
            self.asked.refresh_from_db()
            state = Run.objects.values_list("state", flat=True).get(pk=self.asked.run_id)
        assert (self.asked.status == EscalationStatus.OPEN) is not self.is_settled
        assert (state == State.HUMAN_REVIEW_GAPS) is not self.is_settled


def test_queue_items_and_history_agree_whatever_is_done(db):
    run_state_machine_as_test(
        Reviewing, settings=settings(max_examples=EXAMPLES, stateful_step_count=20, deadline=None)
    )
