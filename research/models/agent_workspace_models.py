"""Messages between agents and their tools, and the notes that agents keep during a run."""

from uuid import UUID

from django.db import models
from django.db.models import Q

from research.models.base_models import ChangingModel, CheckedJSONField, TenantKey, between, one_of
from research.models.step_models import AgentRole


class MessageType(models.TextChoices):
    TASK = "task"  # a request to an agent, a tool or a model
    RESULT = "result"
    ERROR = "error"
    STATUS = "status"


class MessageStatus(models.TextChoices):
    STARTED = "started"
    COMPLETED = "completed"
    PARTIAL = "partial"
    FAILED = "failed"


class AgentMessage(ChangingModel):
    """One exchange within a step: a task and its result (spec: agents-and-tools.md, Roles and delegation).

    Its key is unique within the step ("turn.3", "turn.3.call.1"), so that an execution after a crash finds
    the answers of an earlier one.
    """

    run = TenantKey("research.Run", related_name="messages", db_index=False)
    step = TenantKey("research.Step", related_name="messages", db_index=False)
    key = models.CharField(max_length=60)
    trace_id = models.CharField(max_length=32)  # of all messages that one task led to
    sender = models.CharField(max_length=60)  # a role, "tool:search", "model"
    recipient = models.CharField(max_length=60)
    type = models.CharField(max_length=6, choices=MessageType)
    status = models.CharField(max_length=9, choices=MessageStatus, default=MessageStatus.STARTED)
    payload = models.JSONField(default=dict, blank=True)
    result = models.JSONField(default=dict, blank=True)
    error_code = models.CharField(max_length=40, blank=True)
    error_message = models.TextField(blank=True)
    is_recoverable = models.BooleanField(default=True)
    progress = models.FloatField(null=True, blank=True)  # 0–1; NULL: unknown
    duration_ms = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            one_of("type", MessageType),
            one_of("status", MessageStatus),
            between("progress", 0, 1),
            models.UniqueConstraint(fields=["step", "key"], name="one_message_per_step_and_key"),
            models.CheckConstraint(
                name="message_failure_has_a_code", condition=~Q(status="failed") | ~Q(error_code="")
            ),
        ]
        indexes = [models.Index(fields=["tenant", "run"], name="message_by_run")]

    def __str__(self) -> str:
        return f"{self.sender} → {self.recipient}: {self.key}"


class EntryKind(models.TextChoices):
    PLAN = "plan"  # an item of the plan, with a checkbox
    NOTE = "note"
    FINDING = "finding"


class WorkspaceEntry(ChangingModel):
    """An entry that an agent wrote for the others. Never a source of claims: those come only from sources' texts."""

    run = TenantKey("research.Run", related_name="workspace", db_index=False)
    step = TenantKey(
        "research.Step", on_delete=models.SET_NULL, null=True, blank=True, related_name="entries"
    )
    key = models.CharField(max_length=400)  # unique within the run, so that nothing is noted twice
    kind = models.CharField(max_length=7, choices=EntryKind)
    position = models.PositiveIntegerField()  # from 1, within its kind
    role = models.CharField(max_length=12, choices=AgentRole)
    text = models.TextField()
    is_done = models.BooleanField(default=False)  # for an item of the plan
    sources = CheckedJSONField(list[UUID], default=list, blank=True)  # the run's sources of a finding

    class Meta:
        verbose_name_plural = "workspace entries"
        constraints = [
            one_of("kind", EntryKind),
            one_of("role", AgentRole),
            models.UniqueConstraint(fields=["run", "key"], name="one_entry_per_run_and_key"),
            models.CheckConstraint(
                name="only_plan_items_are_done", condition=Q(kind="plan") | Q(is_done=False)
            ),
        ]
        indexes = [models.Index(fields=["tenant", "run", "kind"], name="workspace_by_run")]

    def __str__(self) -> str:
        return self.text[:80]
