"""Questions with items, of a kind of run that has no effects of its own; reviewers ada and bob."""

from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User

from research.db.tenancy import create_tenant, tenant_context
from research.engine.db_time import seconds_from_now
from research.models import Escalation, ReviewItem, ReviewKind, Run, State, Tenant
from tests.engine import toy  # noqa: F401  # registers its recipe

AskAbout = Callable[..., Escalation]


def make_question(owner: User, items: int = 3, **columns: object) -> Escalation:
    """A run that waits, and what it waits for. `kind`: of the items; other keywords are the question's columns."""
    kind = columns.pop("kind", ReviewKind.GAP)
    state = columns.pop("run_state", State.HUMAN_REVIEW_GAPS)
    wait_s = float(str(columns.pop("wait_s", 3_600)))
    run = Run.objects.create(owner=owner, kind="technical", topic="How many words?", state=state, version=5)
    Run.objects.filter(pk=run.pk).update(state_entered_at=seconds_from_now(0))
    values = {
        "visit": f"5.{state}",
        "rule": "critical_data_gaps",
        "state": state,
        "priority": "medium",
        "type": "advisory",
        "required_action": "Look.",
        "deadline": seconds_from_now(wait_s),
        "fallback": "continue",
    }
    asked = Escalation.objects.create(run=run, **(values | columns))
    shown = {"code": "G001", "text": "Nothing was found.", "advice": "Search."}
    ReviewItem.objects.bulk_create(
        ReviewItem(run=run, escalation=asked, position=number, kind=kind, reason="Because.", shown=shown)
        for number in range(1, items + 1)
    )
    asked.refresh_from_db()
    return asked


@pytest.fixture
def tenant(db: None) -> Iterator[Tenant]:
    tenant = create_tenant("Reviews")
    with tenant_context(tenant.pk):
        yield tenant


@pytest.fixture
def ada(tenant: Tenant) -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def bob(tenant: Tenant) -> User:
    return User.objects.create_user("bob")


@pytest.fixture
def ask_about(ada: User) -> AskAbout:
    return lambda items=3, **columns: make_question(ada, items, **columns)
