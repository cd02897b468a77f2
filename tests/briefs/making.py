"""Briefs made step by step in the test's own transaction: no worker, no queue."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import uuid4

from django.utils import timezone

from exports.building.build_document import build_document
from exports.document.document_tree import Document
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepWork
from research.models import Run, State
from research.pipelines.brief.brief_config import BriefContext
from research.pipelines.brief.check_brief import check
from research.pipelines.brief.plan_brief import take_in
from research.pipelines.brief.start_brief import BriefInput, start_brief
from research.pipelines.brief.stored_brief import Brief, BriefOwn, own_of
from research.pipelines.brief.write_brief import write_by_rules
from tests.people import Person
from tests.worlds import finish

NIST = "https://doi.org/10.6028/NIST.SP.800-63b"
EIGHT = "Verifiers SHALL require subscriber-chosen memorized secrets to be at least 8 characters in length."
ROTATION = (
    "Research indicates that frequent password rotation breeds poor password choice and encourages reuse."
)
TITLE = "NIST SP 800-63B Digital Identity Guidelines: Authentication and Lifecycle Management"


def result(**changes: object) -> dict[str, object]:
    """A finished task in the flat shape."""
    return {
        "run_id": "trun_0123456789abcdef",
        "status": "completed",
        "processor": "core",
        "confidence": 0.8,
        "reasoning": "Two guides agree.",
        "answer": "Passwords that users choose must have at least 8 characters, and frequent rotation of them is poor.",
        "citations": [
            {"url": NIST, "title": TITLE, "snippet": EIGHT},
            {"url": "https://www.cisa.gov/passwords", "title": "CISA: Passwords", "snippet": ROTATION},
        ],
        "excerpts": [{"text": EIGHT, "source_url": NIST, "context": "5.1.1.2"}],
    } | changes


@dataclass(frozen=True)
class Made:
    """A finished brief, as its run, its tree and its own part."""

    run: Run
    document: Document
    own: BriefOwn

    @property
    def brief(self) -> Brief:
        assert self.own.brief is not None
        return self.own.brief


def work_of(run: Run, key: str) -> StepWork:
    return StepWork(
        step_id=uuid4(),
        run_id=run.pk,
        tenant_id=run.tenant_id,
        key=key,
        handler=key,
        input={},
        attempt=1,
        fence=1,
    )


def start(person: Person, given: Mapping[str, object], **context: str) -> Run:
    asked = BriefInput.model_validate({"result": given, "context": BriefContext(**context)})
    with tenant_context(person.tenant.pk):
        return start_brief(owner=person.user, asked=asked, config={})


def carry_out(person: Person, run: Run) -> Made:
    """Its steps, one after the other, each stored as the lifecycle would."""
    for name, step in (("take_in", take_in), ("write", write_by_rules), ("check", check)):
        done = step(work_of(run, name))
        with tenant_context(person.tenant.pk):
            if done.save is not None:
                done.save()
            run.refresh_from_db()
            own = own_of(run)
            if own is not None and own.brief is not None:
                break
    with tenant_context(person.tenant.pk):
        Run.objects.filter(pk=run.pk).update(started_at=timezone.now())
        run.refresh_from_db()
        finish(run, State.COMPLETED)
        found = own_of(run)
        assert found is not None
        return Made(run, build_document(run.pk), found)


def make_brief(person: Person, given: Mapping[str, object] | None = None, **context: str) -> Made:
    return carry_out(person, start(person, given or result(), **context))
