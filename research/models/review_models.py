"""Escalations to people, their decisions, and instructions to a run (spec: lifecycle.md, Asking a person)."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from research.models.base_models import ChangingModel, CheckedJSONField, TenantKey, TenantModel, one_of
from research.models.schemas import Plan, StoredDecision


class Priority(models.TextChoices):
    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class EscalationType(models.TextChoices):
    BLOCKING = "blocking"
    ADVISORY = "advisory"


class Fallback(models.TextChoices):
    CONTINUE = "continue"
    FAIL = "fail"
    DEGRADE = "degrade"


class EscalationStatus(models.TextChoices):
    OPEN = "open"
    APPROVED = "approved"
    REJECTED = "rejected"
    REVISED = "revised"  # approved with changes
    EXPIRED = "expired"  # nobody answered in time; the fallback applies
    CLOSED = "closed"  # the run ended before anyone answered


PILOT_ENDS = (
    "pilot"  # the outcome of a pilot that nobody releases, besides the fallbacks of other escalations
)


class Escalation(ChangingModel):
    """A question to a person, with a deadline and the outcome if nobody answers."""

    run = TenantKey("research.Run", related_name="escalations", db_index=False)
    visit = models.CharField(
        max_length=60, default=""
    )  # of the state it is asked in: `engine.states.run_context.visit_key`
    rule = models.CharField(max_length=40)
    state = models.CharField(max_length=25)
    priority = models.CharField(max_length=8, choices=Priority)
    type = models.CharField(max_length=8, choices=EscalationType)
    required_action = models.TextField()
    context = models.JSONField(default=dict)
    deadline = models.DateTimeField()
    fallback = models.CharField(max_length=8, choices=Fallback)
    status = models.CharField(max_length=8, choices=EscalationStatus, default=EscalationStatus.OPEN)
    decision = models.JSONField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    # When a worker may next apply the decision; NULL: nothing to apply (`research.review.apply_review_decisions`).
    work_in_at = models.DateTimeField(null=True, blank=True)
    work_in_tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            one_of("priority", Priority),
            one_of("type", EscalationType),
            one_of("fallback", Fallback),
            one_of("status", EscalationStatus),
            models.UniqueConstraint(
                fields=["run", "visit", "rule"], name="one_escalation_per_visit_and_rule"
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "deadline"], condition=Q(status="open"), name="escalation_open"),
            models.Index(
                fields=["tenant", "work_in_at"],
                condition=Q(work_in_at__isnull=False),
                name="escalation_to_work_in",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rule} ({self.status})"

    @property
    def without_answer(self) -> str:
        """Return the outcome if nobody answers, as pages and mails name it: a pilot ends differently
        from other escalations.
        """
        return PILOT_ENDS if self.rule == "pilot_release" else self.fallback


class ReviewKind(models.TextChoices):
    """The kind of object that is reviewed."""

    PLAN = "plan"
    CLAIM = "claim"
    CONTRADICTION = "contradiction"
    GAP = "gap"


class ReviewStatus(models.TextChoices):
    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    EDITED = "edited"  # accepted with a change: a corrected claim, a chosen side, an edited plan
    SKIPPED = "skipped"  # left to someone else; returns at the end of the queue


class ReviewItem(ChangingModel):
    """One item that a reviewer decides, with the reason why. It belongs to an escalation.

    `shown` holds the text that was shown, so that the decision can be understood after the rows have
    changed.
    """

    run = TenantKey("research.Run", related_name="review_items")
    escalation = TenantKey(Escalation, related_name="items", db_index=False)
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=13, choices=ReviewKind)
    claim = TenantKey("citations.Claim", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    contradiction = TenantKey(
        "citations.Contradiction", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    reason = models.TextField()  # why it is in the queue
    shown = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=8, choices=ReviewStatus, default=ReviewStatus.OPEN)
    decision = CheckedJSONField(StoredDecision, null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    taken_until = models.DateTimeField(null=True, blank=True)  # after this anyone may claim it

    class Meta:
        constraints = [
            one_of("kind", ReviewKind),
            one_of("status", ReviewStatus),
            models.UniqueConstraint(fields=["escalation", "position"], name="one_item_per_position"),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "escalation", "position"],
                condition=Q(status__in=["open", "skipped"]),
                name="review_waiting",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.position} ({self.status})"


class ReviewAct(models.TextChoices):
    ACCEPT = "accept"
    REJECT = "reject"
    EDIT = "edit"
    SKIP = "skip"
    UNDO = "undo"
    REPLAN = "replan"


class ReviewDecision(TenantModel):
    """A decision on an item or on a whole escalation. Append-only: a later act undoes it."""

    escalation = TenantKey(Escalation, related_name="decisions", db_index=False)
    item = TenantKey(ReviewItem, null=True, blank=True, related_name="decisions")
    act = models.CharField(max_length=6, choices=ReviewAct)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    detail = CheckedJSONField(StoredDecision)

    class Meta:
        constraints = [one_of("act", ReviewAct)]
        indexes = [models.Index(fields=["tenant", "escalation", "created_at"], name="decision_in_order")]

    def __str__(self) -> str:
        return f"{self.act} by {self.by_id}"


class PlanTrigger(models.TextChoices):
    """The reason why a version of a plan was created."""

    PLANNER = "planner"  # the first
    EDIT = "edit"  # by a person
    INSTRUCTION = "instruction"  # given to an unfinished run
    INSUFFICIENT_COVERAGE = "insufficient_coverage"
    DIMENSION_FAILURE = "dimension_failure"
    SCOPE_EXPANSION_NEEDED = "scope_expansion_needed"
    INSUFFICIENT_SOURCES = "insufficient_sources"  # the search ended with too few
    USER_FEEDBACK = "user_feedback"


class PlanVersion(TenantModel):
    """A version of a run's plan. The highest number is the current plan."""

    run = TenantKey("research.Run", related_name="plan_versions", db_index=False)
    number = models.PositiveSmallIntegerField()
    plan = CheckedJSONField(Plan)
    trigger = models.CharField(max_length=22, choices=PlanTrigger)
    reason = models.TextField(blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )  # NULL: the planner

    class Meta:
        constraints = [
            one_of("trigger", PlanTrigger),
            models.UniqueConstraint(fields=["run", "number"], name="one_plan_per_number"),
        ]

    def __str__(self) -> str:
        return f"plan {self.number}"


class InstructionStatus(models.TextChoices):
    QUEUED = "queued"
    TAKEN = "taken"
    REFUSED = "refused"  # too late or impossible; `effects` says which


class Instruction(ChangingModel):
    """An instruction of the owner to an unfinished run, read at the next step boundary."""

    run = TenantKey("research.Run", related_name="instructions")
    text = models.TextField()
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    status = models.CharField(max_length=7, choices=InstructionStatus, default=InstructionStatus.QUEUED)
    effects = models.JSONField(default=list, blank=True)  # sentences: what came of it
    taken_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [one_of("status", InstructionStatus)]
        indexes = [
            models.Index(fields=["tenant", "run"], condition=Q(status="queued"), name="instruction_queued")
        ]

    def __str__(self) -> str:
        return self.text[:80]


class Mail(ChangingModel):
    """A mail about an event; retried until it is sent, and sent once."""

    kind = models.CharField(max_length=40)
    ref = models.CharField(max_length=200)  # its subject; unique with `kind`
    to = models.TextField()
    subject = models.CharField(max_length=300)
    body = models.TextField()
    attempts = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)  # of the last attempt

    class Meta:
        verbose_name_plural = "mail"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "kind", "ref"], name="one_mail_per_occasion")
        ]
        indexes = [
            models.Index(fields=["tenant", "created_at"], condition=Q(sent_at=None), name="mail_unsent")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.ref}"
