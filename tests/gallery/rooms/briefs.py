"""Briefs: how they start, what they show, what people say of their claims; and the webhooks around them."""

from django.utils import timezone
from playwright.sync_api import Page, expect

from research.db.tenancy import tenant_context
from research.models import (
    ReviewAct,
    ReviewItem,
    SecretPurpose,
    WatchedTask,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEvent,
)
from research.models.schemas import StoredDecision
from research.review.calibration_review import ask_for_marks
from research.review.decide_review_items import decide
from research.storage.keys.webhook_secrets import keep_secret
from tests.briefs.making import make_brief, result
from tests.gallery.scene import Room
from tests.people import Person

room = Room("briefs")
PROMPT = "A padlock on a grey wall, flat light."


@room.scene()
def briefs(person: Person) -> str:
    make_brief(person)
    return "/briefs/"


def send_nonsense(page: Page) -> None:
    page.get_by_label("… or pasted").fill('{"run_id": "trun_1", "status": "failed"}')
    page.get_by_role("button", name="Make the brief").click()
    expect(page.get_by_role("alert").first).to_be_visible()


@room.scene(send_nonsense)
def file_refused(person: Person) -> str:
    return "/briefs/"


@room.scene()
def brief(person: Person) -> str:
    return f"/runs/{make_brief(person).run.pk}/report/"


@room.scene()
def brief_of_an_image(person: Person) -> str:
    made = make_brief(person, content_type="image", existing_content=PROMPT)
    return f"/runs/{made.run.pk}/report/"


@room.scene()
def brief_that_trusts_itself_little(person: Person) -> str:
    return f"/runs/{make_brief(person, result(confidence=0.2)).run.pk}/report/"


def mark_brief(person: Person) -> str:
    """A brief of which somebody has marked the first claim."""
    made = make_brief(person)
    with tenant_context(person.tenant.pk):
        asked = ask_for_marks(made.run.pk, person.user)
        first = ReviewItem.objects.filter(escalation=asked).order_by("position").first()
        assert first is not None
        decide(first.pk, person.user, ReviewAct.REJECT, StoredDecision(note="The guide says otherwise."))
    return f"/runs/{made.run.pk}/"


@room.scene()
def report_with_marks(person: Person) -> str:
    return f"{mark_brief(person)}report/"


@room.scene()
def claim_with_marks(person: Person) -> str:
    return f"{mark_brief(person)}claims/1/"


@room.scene()
def review_of_marks(person: Person) -> str:
    mark_brief(person)
    return "/review/"


@room.scene()
def webhooks(person: Person) -> str:
    return "/account/webhooks/"


@room.scene()
def webhooks_in_use(person: Person) -> str:
    made, other = make_brief(person), make_brief(person, content_type="image")
    now = timezone.now()
    failed = {
        "at": now.isoformat(),
        "status": 500,
        "error": "The receiver answered with status 500.",
        "ms": 81,
    }
    taken = {"at": now.isoformat(), "status": 204, "error": "", "ms": 35}
    with tenant_context(person.tenant.pk):
        for purpose in SecretPurpose:
            keep_secret(purpose, f"secret-of-{purpose.value}-0001", person.user)
        WebhookEndpoint.objects.create(consumer="rewrite", url="https://consumer.example/briefs")
        WebhookDelivery.objects.create(
            run=made.run,
            consumer="rewrite",
            message_id="msg_1",
            body="{}",
            state="delivered",
            delivered_at=now,
            attempts=2,
            tries=[failed, taken],
        )
        WebhookDelivery.objects.create(
            run=other.run,
            consumer="image_prompt",
            message_id="msg_2",
            body="{}",
            attempts=1,
            not_before=now,
            tries=[failed],
        )
        WatchedTask.objects.create(external_run="trun_0123", state="taken_in", run=made.run)
        WatchedTask.objects.create(
            external_run="trun_4567", state="failed", problem="Parallel has no task with this ID."
        )
        WebhookEvent.objects.create(
            provider="parallel", message_id="m", external_run="trun_0123", status="completed"
        )
    return "/account/webhooks/"
