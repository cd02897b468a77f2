"""A stand-in for the web: it starts, pauses, resumes and cancels runs of the crash recipe, and answers what they ask.

It may die at any moment. `start TENANT KEY CONFIG`, `cancel TENANT RUN`, `answer TENANT RUN` and `resume TENANT` (all
that is paused) act once, as do `listen TENANT URL` (the workspace takes webhooks, and has a consumer) and
`tell TENANT RUN` (the consumer is to be told of it), and `fetch TENANT KEY FILE` (a stored file is written to that
place); `steer TENANT SEED` goes on until it is killed.
"""

import json
import random
import time
from itertools import count
from pathlib import Path
from uuid import UUID

from django.contrib.auth.models import User

from research.db.tenancy import tenant_context
from research.models import (
    Consumer,
    Kind,
    Membership,
    ReviewAct,
    ReviewItem,
    ReviewStatus,
    Role,
    Run,
    SecretPurpose,
    WebhookEndpoint,
)
from research.models.schemas import StoredDecision
from research.pipelines.brief.queue_brief_delivery import post_brief
from research.review.decide_review_items import decide
from research.runs.start_and_cancel import StartRefused, cancel_run, pause_run, resume_run, start_run
from research.storage.keys.webhook_secrets import keep_secret
from research.storage.object_store import get_object

PAUSE_S = 0.15
SMALL = {"subtopics": 1, "width": 1}
SECRETS = {
    SecretPurpose.PARALLEL_WEBHOOK: "TEST-ONLY-parallel-signs-with-this",
    SecretPurpose.PARALLEL_KEY: "TEST-ONLY-parallel-is-asked-with-this",
    SecretPurpose.REWRITE: "TEST-ONLY-the-consumer-reads-with-this",
}


def serve(act: str, tenant: str, *rest: str) -> None:
    tenant_id = UUID(tenant)
    match act:
        case "start":
            begin(tenant_id, rest[0], json.loads(rest[1]))
        case "cancel":
            with tenant_context(tenant_id):
                cancel_run(UUID(rest[0]))
        case "answer":
            with tenant_context(tenant_id):
                answer(UUID(rest[0]))
        case "resume":
            resume_all(tenant_id)
        case "steer":
            steer(tenant_id, random.Random(rest[0]))
        case _:
            with tenant_context(tenant_id):
                act_once(act, *rest)


def act_once(act: str, *rest: str) -> None:
    """Do one thing that neither begins nor ends a run. Needs the tenant set."""
    match act:
        case "listen":
            listen(rest[0])
        case "tell":
            post_brief(Run.objects.get(pk=rest[0]), Consumer.REWRITE, {"summary": ["It has ended."]})
        case "fetch":
            Path(rest[1]).write_bytes(get_object(rest[0]))


def begin(tenant_id: UUID, key: str, config: dict[str, object]) -> Run:
    """The same key again is the same run, as when a form is sent twice."""
    with tenant_context(tenant_id):
        owner = User.objects.get()
        return start_run(owner=owner, kind=Kind.DIGEST, topic="What is known?", config=config, client_key=key)


def answer(run_id: UUID) -> None:
    """Accept all that the run asks."""
    waiting = ReviewItem.objects.filter(run=run_id, status=ReviewStatus.OPEN)
    for item_id in list(waiting.values_list("pk", flat=True)):
        decide(item_id, User.objects.get(), ReviewAct.ACCEPT, StoredDecision())


def listen(url: str) -> None:
    """Set up a webhook, as the owner does on its page, once."""
    if WebhookEndpoint.objects.exists():
        return
    ada = User.objects.get()
    Membership.objects.get_or_create(user=ada, defaults={"role": Role.OWNER})
    WebhookEndpoint.objects.create(consumer=Consumer.REWRITE, url=url)
    for purpose, secret in SECRETS.items():
        keep_secret(purpose, secret, ada)


def steer(tenant_id: UUID, chance: random.Random) -> None:
    """Do what users do: start something small, change their mind, pause the big run and let it go on."""
    resume_all(tenant_id)  # what was paused by whoever was killed here before
    for number in count():
        time.sleep(chance.uniform(0.5, 1.5))
        act = chance.choice([start_and_cancel, pause_and_resume])
        act(tenant_id, f"{time.time_ns()}.{number}")


def resume_all(tenant_id: UUID) -> None:
    with tenant_context(tenant_id):
        paused = list(Run.objects.unfinished().exclude(paused_at=None).values_list("pk", flat=True))
    for run_id in paused:
        resume(tenant_id, run_id)


def start_and_cancel(tenant_id: UUID, key: str) -> None:
    try:
        run = begin(tenant_id, key, SMALL)
    except StartRefused:
        return
    time.sleep(PAUSE_S)
    with tenant_context(tenant_id):
        cancel_run(run.pk)


def pause_and_resume(tenant_id: UUID, _key: str) -> None:
    with tenant_context(tenant_id):
        run_id = Run.objects.unfinished().order_by("created_at").values_list("pk", flat=True).first()
        if run_id is None or not pause_run(run_id):
            return
    time.sleep(PAUSE_S)
    resume(tenant_id, run_id)


def resume(tenant_id: UUID, run_id: UUID) -> None:
    with tenant_context(tenant_id):
        resume_run(run_id)
