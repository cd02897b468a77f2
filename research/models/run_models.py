"""Runs: questions on their way to a cited answer."""

from collections.abc import Mapping

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import GreaterThanOrEqual, LessThanOrEqual
from django.urls import reverse

from research.models.base_models import ChangingModel, CheckedJSONField, TenantKey, between, one_of
from research.models.schemas import Plan, RunEstimate, RunOutcome, SearchedLibrary, StoredSufficiency


class Kind(models.TextChoices):
    REPORT = "report"
    TABLE = "table"
    BRIEF = "brief"
    DIGEST = "digest"
    SYNTHESIS = "synthesis"
    TECHNICAL = "technical"


class State(models.TextChoices):
    CREATED = "created"
    PLANNING = "planning"
    COLLECTING = "collecting"
    READING = "reading"
    ANALYZING = "analyzing"
    SYNTHESIZING = "synthesizing"
    CITING = "citing"
    VERIFYING = "verifying"
    EXPORTING = "exporting"
    COMPLETED = "completed"
    HUMAN_REVIEW_PLAN = "human_review_plan"
    HUMAN_REVIEW_GAPS = "human_review_gaps"
    HUMAN_REVIEW_CONFLICTS = "human_review_conflicts"
    HUMAN_REVIEW_VERIFICATION = "human_review_verification"
    REPLANNING = "replanning"
    RETRYING = "retrying"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Relation(models.TextChoices):
    """The relation of a run to its parent."""

    RERUN = "rerun"  # the same question again, with changes shown; scheduled runs are reruns
    FOLLOW_UP = "follow_up"  # another question, answered from the parent's sources first
    EXTENSION = "extension"  # the same question with more sources besides the parent's


FINISHED = frozenset({State.COMPLETED, State.FAILED, State.CANCELLED})
WAITING = frozenset(state for state in State if state.value.startswith("human_review"))
ACTIVE = frozenset(State) - FINISHED - WAITING


class RunQuerySet(models.QuerySet["Run"]):
    def active(self) -> "RunQuerySet":
        return self.filter(state__in=ACTIVE)

    def unfinished(self) -> "RunQuerySet":
        return self.exclude(state__in=FINISHED)


class Run(ChangingModel):
    """A question of any kind with its answer. `state` and `version` change together, by compare-and-set."""

    kind = models.CharField(max_length=9, choices=Kind, default=Kind.REPORT)
    topic = models.TextField()  # 3–10 000 characters
    config = models.JSONField(default=dict)  # validated by the kind's pydantic model (spec: kinds.md)
    client_key = models.CharField(max_length=100, null=True, blank=True, editable=False)  # noqa: DJ001  # NULLs are not equal: only given keys are unique
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="runs")
    parent = TenantKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="children")
    relation = models.CharField(max_length=9, choices=Relation, blank=True)  # to the parent; empty: no parent
    schedule = TenantKey(
        "research.Schedule", on_delete=models.SET_NULL, null=True, blank=True, related_name="runs"
    )

    state = models.CharField(max_length=25, choices=State, default=State.CREATED)
    version = models.PositiveIntegerField(default=0)  # incremented with each transition
    state_entered_at = models.DateTimeField(null=True, blank=True)
    state_deadline = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(
        null=True, blank=True
    )  # of the whole run; extended by waiting for a person
    attempt = models.PositiveSmallIntegerField(default=0)  # of the current state
    revision_count = models.PositiveSmallIntegerField(default=0)
    replan_count = models.PositiveSmallIntegerField(default=0)
    cancel_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    turn_at = models.DateTimeField(
        null=True, blank=True, editable=False
    )  # the last turn: engine/fair_queue.py
    step_count = models.PositiveIntegerField(default=0)  # the next step's index
    snapshot_version = models.PositiveIntegerField(default=0)  # incremented when the progress page changes

    plan = CheckedJSONField(Plan, null=True, blank=True)
    outline = models.JSONField(default=list, blank=True)
    result = CheckedJSONField(RunOutcome, null=True, blank=True)
    sufficiency = CheckedJSONField(
        StoredSufficiency, null=True, blank=True
    )  # of its sources; NULL: not checked
    report_version = models.PositiveSmallIntegerField(default=0)  # 0: no section written yet

    sources_found = models.PositiveIntegerField(default=0)
    sources_processed = models.PositiveIntegerField(default=0)
    sections_completed = models.PositiveIntegerField(default=0)
    total_sections = models.PositiveIntegerField(default=0)
    items_total = models.PositiveIntegerField(default=0)
    items_completed = models.PositiveIntegerField(default=0)
    items_failed = models.PositiveIntegerField(default=0)
    current_activity = models.CharField(max_length=300, blank=True)
    estimated_seconds_remaining = models.PositiveIntegerField(null=True, blank=True)

    estimate = CheckedJSONField(RunEstimate, null=True, blank=True)  # made before the start
    searched = CheckedJSONField(
        SearchedLibrary, null=True, blank=True, editable=False
    )  # NULL: it does not use the library
    quality_score = models.FloatField(null=True, blank=True)  # 0–100, computed
    started_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    duration_seconds = models.FloatField(null=True, blank=True)
    token_usage = models.JSONField(default=dict, blank=True)
    cost_usd = models.DecimalField(
        max_digits=12, decimal_places=6, null=True, blank=True
    )  # NULL: a price is unknown
    cost_credits = models.DecimalField(max_digits=12, decimal_places=4, default=0)
    failure_code = models.CharField(max_length=40, blank=True)
    failure_message = models.TextField(blank=True)
    degradations = models.JSONField(default=list, blank=True)
    prompt_versions = models.JSONField(default=dict, blank=True)  # by prompt, of all model calls

    objects = RunQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("kind", Kind),
            one_of("state", State),
            one_of("relation", Relation, blank=True),
            between("quality_score", 0, 100),
            models.CheckConstraint(
                name="run_topic_length",
                condition=Q(GreaterThanOrEqual(Length("topic"), 3), LessThanOrEqual(Length("topic"), 10_000)),
            ),
            models.CheckConstraint(
                name="run_failure_iff_failed", condition=Q(state=State.FAILED) ^ Q(failure_code="")
            ),
            models.UniqueConstraint(fields=["tenant", "client_key"], name="one_run_per_client_key"),
        ]
        indexes = [
            models.Index(fields=["tenant", "-created_at"], name="run_newest"),
            # For the sweeper: runs that may need to be woken up.
            models.Index(
                fields=["tenant", "state_deadline"], condition=~Q(state__in=FINISHED), name="run_unfinished"
            ),
        ]

    def __str__(self) -> str:
        return self.topic[:80]

    def get_absolute_url(self) -> str:
        return reverse("research:run", args=[self.pk])

    @property
    def is_finished(self) -> bool:
        return self.state in FINISHED

    @property
    def is_waiting(self) -> bool:
        return self.state in WAITING

    @property
    def is_active(self) -> bool:
        return self.state in ACTIVE

    @property
    def is_compared(self) -> bool:
        """Return True if the run answers its parent's question again, so that the changes are of interest."""
        return self.parent_id is not None and self.relation in (Relation.RERUN, Relation.EXTENSION)

    @property
    def is_insufficient(self) -> bool:
        """Return True if the run completed with the short report that the sources do not answer the question."""
        return bool(self.outcome.get("insufficient"))

    @property
    def outcome(self) -> Mapping[str, object]:
        return self.result or {}
