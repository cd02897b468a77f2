"""Runs of the small library that people are asked about: driven to the question, decided, driven to the end."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User

from exports.building.build_document import build_document
from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.engine.db_time import seconds_from_now
from research.engine.step_runner import drive
from research.engine.sweeper import sweep_tenant
from research.models import Escalation, Kind, ReviewAct, ReviewItem, Run, State
from research.models.schemas import StoredDecision
from research.pipelines.report.report_config import parse_config
from research.review import decide_review_items as decide
from research.runs.start_and_cancel import start_run

CITIES = ("Kiruna", "Lulea", "Boden", "Pitea", "Umea")
CONFLICTS = "What does a heat pump cost in Kiruna, Lulea, Boden, Pitea and Umea?"


def price_list(first: int, cities: Sequence[str] = CITIES) -> str:
    """Return prices of a heat pump in some towns; two lists that begin otherwise contradict each other in each."""
    said = (
        f"In 2023 a heat pump in {city} costs {first + 700 * number:,} euros on average."
        for number, city in enumerate(cities)
    )
    return "# Prices of heat pumps\n\n" + "\n\n".join(said) + "\n"


SEVEN = (*CITIES, "Falun", "Gavle")
TOWNS = price_list(14_200, SEVEN)
TOWNS_QUESTION = f"What does a heat pump cost in {', '.join(SEVEN[:-1])} and {SEVEN[-1]}?"
GAP = "By how many minutes did light therapy shorten the time that nurses took to fall asleep?"
THERAPY = """# Light therapy for nurses who work at night

Light therapy shortened the time that nurses took to fall asleep by 22 minutes. The survey asked 40 nurses of two
hospitals in 2023.
"""
WORLDS = {
    "prices": {"prices-north.md": price_list(14_200), "prices-south.md": price_list(21_900)},
    "therapy": {"light-therapy.md": THERAPY},
}


@dataclass(frozen=True)
class Asked:
    """A run of an account, by its id."""

    account: PersonalAccount
    run_id: UUID

    @contextmanager
    def rows(self) -> Iterator[None]:
        with tenant_context(self.account.tenant_id):
            yield

    @property
    def run(self) -> Run:
        with self.rows():
            return Run.objects.get(pk=self.run_id)

    @property
    def question(self) -> Escalation:
        """The latest."""
        with self.rows():
            asked = Escalation.objects.filter(run=self.run_id).select_related("decided_by")
            return asked.latest("created_at")

    @property
    def items(self) -> list[ReviewItem]:
        with self.rows():
            rows = ReviewItem.objects.filter(escalation=self.question).order_by("position")
            return list(rows.select_related("claim", "contradiction"))

    def drive(self) -> State:
        return drive(self.account.tenant_id, self.run_id)

    def decide(
        self, item: ReviewItem, act: ReviewAct, by: User | None = None, **decision: object
    ) -> ReviewItem:
        with self.rows():
            stored = StoredDecision.model_validate(decision)
            return decide.decide(item.pk, by or self.account.user, act, stored)

    def decide_whole(self, act: ReviewAct, by: User | None = None, **decision: object) -> Escalation:
        with self.rows():
            stored = StoredDecision.model_validate(decision)
            return decide.decide_whole(self.question.pk, by or self.account.user, act, stored)

    def let_it_expire(self) -> None:
        """Let the deadline pass, and the sweep come by."""
        with self.rows():
            Escalation.objects.filter(pk=self.question.pk).update(deadline=seconds_from_now(-1))
        sweep_tenant(self.account.tenant_id)

    @property
    def document(self) -> Document:
        with self.rows():
            return build_document(self.run_id)


def ask_people(account: PersonalAccount, question: str, **config: object) -> Asked:
    """Start a run that asks about doubts, unless told otherwise, and drive it until it ends or waits for a person."""
    checked = parse_config({"reviews": "ask", **config}).model_dump(mode="json", exclude_defaults=True)
    with tenant_context(account.tenant_id):
        run = start_run(owner=account.user, kind=Kind.REPORT, topic=question, config=checked)
    asked = Asked(account, run.pk)
    asked.drive()
    return asked
