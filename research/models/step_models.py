"""The log of steps, which are the unit of durability, and related tables (spec: lifecycle.md, durability.md)."""

from django.conf import settings
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import Q

from research.models.base_models import ChangingModel, CheckedJSONField, TenantKey, TenantModel, one_of
from research.models.run_models import Kind
from research.models.schemas import StoredCell


class AgentRole(models.TextChoices):
    ORCHESTRATOR = "orchestrator"
    PLANNER = "planner"
    RESEARCHER = "researcher"
    EXTRACTOR = "extractor"
    ANALYZER = "analyzer"
    WRITER = "writer"
    VERIFIER = "verifier"
    EXECUTOR = "executor"


class StepStatus(models.TextChoices):
    PENDING = "pending"  # ready, or waiting for children or for `not_before`
    RUNNING = "running"  # leased
    COMPLETED = "completed"
    FAILED = "failed"
    RETRYING = "retrying"  # failed once, ready again after `not_before`
    SKIPPED = "skipped"


UNFINISHED_STEPS = frozenset({StepStatus.PENDING, StepStatus.RUNNING, StepStatus.RETRYING})


class Queue(models.TextChoices):
    CONTROL = "control"
    AGENTS = "agents"
    READING = "reading"
    EXPORTS = "exports"


# How often a step may be executed if its worker dies each time; the next claim fails the step.
MAX_ATTEMPTS = 3


class Step(ChangingModel):
    """A unit of work. Its key is a path derived from the stored plan, so that the same work is never stored twice."""

    run = TenantKey("research.Run", related_name="steps", db_index=False)
    parent = TenantKey("self", null=True, blank=True, related_name="children", db_index=False)
    step_index = models.PositiveIntegerField()
    key = models.CharField(max_length=300)
    queue = models.CharField(max_length=7, choices=Queue, default=Queue.AGENTS)
    handler = models.CharField(max_length=100)  # its function: "state.planning", "report.search"
    agent_role = models.CharField(max_length=12, choices=AgentRole)
    agent_id = models.CharField(max_length=100, blank=True)
    tool_name = models.CharField(max_length=40, blank=True)
    input = models.JSONField(default=dict, blank=True)
    output = models.JSONField(default=dict, blank=True)

    status = models.CharField(max_length=9, choices=StepStatus, default=StepStatus.PENDING)
    error_code = models.CharField(max_length=40, blank=True)
    error_message = models.TextField(blank=True)
    attempt = models.PositiveSmallIntegerField(
        default=0
    )  # incremented at the claim, so that a step that kills its worker runs out of attempts
    max_attempts = models.PositiveSmallIntegerField(default=MAX_ATTEMPTS)
    lease_owner = models.CharField(max_length=100, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveBigIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)  # NULL: immediately
    pending_children = models.PositiveIntegerField(default=0)

    started_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    duration_ms = models.PositiveIntegerField(null=True, blank=True)
    tokens_input = models.PositiveIntegerField(default=0)
    tokens_output = models.PositiveIntegerField(default=0)
    cost_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    cost_credits = models.DecimalField(max_digits=12, decimal_places=4, default=0)
    trace_id = models.CharField(max_length=32, blank=True)

    class Meta:
        constraints = [
            one_of("agent_role", AgentRole),
            one_of("status", StepStatus),
            one_of("queue", Queue),
            models.UniqueConstraint(fields=["run", "key"], name="one_step_per_key"),
            models.UniqueConstraint(fields=["run", "step_index"], name="one_step_per_index"),
            models.CheckConstraint(
                name="step_lease_iff_running",
                condition=(Q(status="running") & Q(lease_until__isnull=False))
                | (~Q(status="running") & Q(lease_until__isnull=True)),
            ),
            models.CheckConstraint(
                name="step_failure_has_a_code", condition=~Q(status="failed") | ~Q(error_code="")
            ),
        ]
        indexes = [
            # For claims: the oldest claimable step.
            models.Index(
                fields=["tenant", "run", "queue", "step_index"],
                condition=Q(status__in=["pending", "retrying", "running"], pending_children=0),
                name="step_claimable",
            ),
            # For the sweeper: expired leases.
            models.Index(fields=["tenant", "lease_until"], condition=Q(status="running"), name="step_leased"),
            models.Index(fields=["tenant", "parent"], name="step_by_parent"),
        ]

    def __str__(self) -> str:
        return self.key


class ItemStatus(models.TextChoices):
    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"


class Item(ChangingModel):
    """One row of a table run with its input. Known cells stay while others are searched for again."""

    run = TenantKey("research.Run", related_name="items", db_index=False)
    index = models.PositiveIntegerField()  # from 0; readers count from 1
    input = models.TextField()
    beside = CheckedJSONField(list[str], null=True, blank=True)  # the other columns of the input table
    prompt = models.TextField(blank=True)
    status = models.CharField(max_length=9, choices=ItemStatus, default=ItemStatus.PENDING)
    wanted = CheckedJSONField(list[str], default=list, blank=True)  # fields still to be found
    is_held = models.BooleanField(default=False)  # until the pilot is released
    result = CheckedJSONField(dict[str, StoredCell], null=True, blank=True)  # by field
    sources = CheckedJSONField(
        list[str], default=list, blank=True
    )  # ids of the run's sources that were read for it
    version = models.PositiveIntegerField(default=0)  # the run's `snapshot_version` at the row's last change
    error = models.TextField(blank=True)
    error_code = models.CharField(max_length=40, blank=True)
    agent_id = models.CharField(max_length=100, blank=True)
    retry_count = models.PositiveSmallIntegerField(default=0)
    started_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            one_of("status", ItemStatus),
            models.UniqueConstraint(fields=["run", "index"], name="one_item_per_index"),
            models.CheckConstraint(
                name="item_failure_has_a_code", condition=~Q(status="failed") | ~Q(error_code="")
            ),
        ]
        indexes = [
            # For claims: the next row.
            models.Index(
                fields=["tenant", "run", "index"],
                condition=Q(status="pending", is_held=False),
                name="item_open",
            ),
            # For pages: rows that changed since the last poll.
            models.Index(fields=["tenant", "run", "version"], name="item_by_version"),
        ]

    def __str__(self) -> str:
        return f"{self.index}: {self.input[:60]}"


class Outbox(TenantModel):
    """A message to send because a transaction committed; resent until it is marked as published."""

    run = TenantKey("research.Run", null=True, blank=True, related_name="outbox")
    topic = models.CharField(max_length=100)  # the Celery task's name
    payload = models.JSONField(default=dict)
    dedupe_key = models.CharField(max_length=200)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "outbox"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "dedupe_key"], name="one_message_per_dedupe_key")
        ]
        indexes = [
            models.Index(
                fields=["tenant", "created_at"], condition=Q(published_at=None), name="outbox_unpublished"
            )
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.dedupe_key}"


class WebhookEvent(TenantModel):
    """A webhook message from another service, stored once and processed later."""

    provider = models.CharField(max_length=40)
    message_id = models.CharField(max_length=200)
    external_run = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=40, blank=True)
    payload = models.JSONField(default=dict)
    processed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "provider", "message_id"], name="one_event_per_message"
            ),
            models.UniqueConstraint(
                fields=["tenant", "provider", "external_run", "status"],
                condition=~Q(external_run=""),
                name="one_event_per_external_status",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.message_id}"


class ModelCallStatus(models.TextChoices):
    SENT = "sent"
    STORED = "stored"
    FAILED = "failed"
    UNKNOWN = "unknown"  # killed, perhaps between request and answer: never charged to the user


class ModelCall(TenantModel):
    """One call to a model: its cost and outcome, without its words (spec: governance.md, Secure log).

    `answer` is kept, encrypted, while its step may be executed again, so that it is not paid for twice; the
    bodies only if the tenant wants them, redacted and encrypted.
    """

    run = TenantKey("research.Run", null=True, blank=True, related_name="model_calls", db_index=False)
    step_key = models.CharField(max_length=300)
    purpose = models.CharField(max_length=60, blank=True)  # unique within the step: "draft", "turn.3"
    request_hash = models.CharField(max_length=64)  # SHA-256 of the request
    n = models.PositiveSmallIntegerField(default=0)  # counts calls with the same purpose and request
    fence = models.PositiveBigIntegerField(default=0)  # of the step's execution that made the call
    response_hash = models.CharField(max_length=64, blank=True)
    tenant_hash = models.CharField(max_length=64, blank=True)  # HMAC, like the next two
    user_hash = models.CharField(max_length=64, blank=True)
    run_hash = models.CharField(max_length=64, blank=True)
    role = models.CharField(max_length=12, choices=AgentRole)
    operation = models.CharField(max_length=40, blank=True)
    model = models.CharField(max_length=100)
    server = models.CharField(max_length=255, blank=True, db_default="")  # host and port that it was sent to
    prompt_version = models.CharField(max_length=100, blank=True)
    status = models.CharField(max_length=7, choices=ModelCallStatus, default=ModelCallStatus.SENT)
    tokens_input = models.PositiveIntegerField(default=0)
    tokens_output = models.PositiveIntegerField(default=0)
    is_estimated = models.BooleanField(default=False)  # from the length: no usage was reported
    cost_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    duration_ms = models.PositiveIntegerField(null=True, blank=True)
    cache_hit = models.BooleanField(default=False)  # its answer was reused
    error_code = models.CharField(max_length=40, blank=True)
    error_message = models.TextField(blank=True)
    pii_types = models.JSONField(default=list, blank=True)
    answer = models.BinaryField(null=True, blank=True)
    request_body = models.BinaryField(null=True, blank=True)
    response_body = models.BinaryField(null=True, blank=True)

    class Meta:
        constraints = [
            one_of("role", AgentRole),
            one_of("status", ModelCallStatus),
            models.UniqueConstraint(
                fields=["run", "step_key", "purpose", "request_hash", "n"], name="one_model_call_per_request"
            ),
        ]
        # For calls of the last hour in all tenants (research.ops): rows are inserted in order of time.
        indexes = [BrinIndex(fields=["created_at"], name="modelcall_by_time")]

    def __str__(self) -> str:
        return f"{self.role} {self.model} {self.step_key}"


class Schedule(ChangingModel):
    """Runs that start automatically: by cron expression, by interval, or once."""

    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=9, choices=Kind)
    topic = models.TextField()
    config = models.JSONField(default=dict)
    # The input of its kind, as in the API; empty: topic and configuration suffice.
    input = models.JSONField(default=dict, db_default={}, blank=True)
    playbook = models.TextField(blank=True, db_default="")  # instructions for each run, one per line
    cron = models.CharField(max_length=100, blank=True)
    once_at = models.DateTimeField(null=True, blank=True)
    interval_seconds = models.PositiveIntegerField(null=True, blank=True)
    next_at = models.DateTimeField(null=True, blank=True)
    time_zone = models.CharField(max_length=60, default="UTC")  # of `cron`
    last_run = TenantKey("research.Run", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )  # of the runs; NULL: nobody, and none is started
    sends_mail = models.BooleanField(default=False)  # to the owner, about changes
    problem = models.TextField(blank=True)  # why the last start was refused
    enabled = models.BooleanField(default=True)

    class Meta:
        constraints = [
            one_of("kind", Kind),
            models.CheckConstraint(
                name="schedule_times_one_way",
                condition=(~Q(cron="") & Q(interval_seconds=None, once_at=None))
                | (Q(cron="", once_at=None) & ~Q(interval_seconds=None))
                | (Q(cron="", interval_seconds=None) & ~Q(once_at=None)),
            ),
        ]
        indexes = [models.Index(fields=["tenant", "next_at"], condition=Q(enabled=True), name="schedule_due")]

    def __str__(self) -> str:
        return self.name
