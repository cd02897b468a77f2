"""Events from other services, webhooks to them, and the secrets that sign both."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from research.models.base_models import ChangingModel, TenantKey, one_of


class SecretPurpose(models.TextChoices):
    PARALLEL_WEBHOOK = "parallel_webhook"  # verifies Parallel's webhooks
    PARALLEL_KEY = "parallel_key"  # the API key for Parallel
    IMAGE_PROMPT = "image_prompt"  # signs webhooks to the consumers of briefs
    REWRITE = "rewrite"


class Consumer(models.TextChoices):
    """A consumer of finished briefs."""

    IMAGE_PROMPT = "image_prompt"
    REWRITE = "rewrite"


class DeliveryState(models.TextChoices):
    WAITING = "waiting"
    DELIVERED = "delivered"
    GIVEN_UP = "given_up"


class TaskState(models.TextChoices):
    WAITING = "waiting"  # for its end, or to be fetched
    TAKEN_IN = "taken_in"  # a brief was started from it
    FAILED = "failed"


class TenantSecret(ChangingModel):
    """A secret of the tenant, sealed with its data key. Several per purpose are valid during a rotation."""

    purpose = models.CharField(max_length=16, choices=SecretPurpose)
    sealed = models.BinaryField()
    hint = models.CharField(max_length=8)  # its last characters, to tell secrets apart
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [one_of("purpose", SecretPurpose)]
        indexes = [models.Index(fields=["tenant", "purpose", "-created_at"], name="secret_by_purpose")]

    def __str__(self) -> str:
        return f"{self.purpose} …{self.hint}"


class WebhookEndpoint(ChangingModel):
    """The webhook URL of a consumer of briefs."""

    consumer = models.CharField(max_length=12, choices=Consumer)
    url = models.TextField()
    enabled = models.BooleanField(default=True)

    class Meta:
        constraints = [
            one_of("consumer", Consumer),
            models.UniqueConstraint(fields=["tenant", "consumer"], name="one_endpoint_per_consumer"),
        ]

    def __str__(self) -> str:
        return f"{self.consumer}: {self.url}"


class WebhookDelivery(ChangingModel):
    """A webhook message to a consumer, written with the event, sent until it is accepted, and kept with its
    attempts.
    """

    run = TenantKey("research.Run", related_name="deliveries", db_index=False)
    consumer = models.CharField(max_length=12, choices=Consumer)
    message_id = models.CharField(max_length=64)
    body = models.TextField()  # exactly as signed and sent
    state = models.CharField(max_length=9, choices=DeliveryState, default=DeliveryState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)
    tries = models.JSONField(default=list, blank=True)  # {at, status, error, ms}, newest last
    delivered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "webhook deliveries"
        constraints = [
            one_of("consumer", Consumer),
            one_of("state", DeliveryState),
            models.UniqueConstraint(fields=["tenant", "message_id"], name="one_delivery_per_message"),
            models.UniqueConstraint(fields=["run", "consumer"], name="one_delivery_per_run_and_consumer"),
            models.CheckConstraint(
                name="delivery_delivered_iff_time",
                condition=Q(state="delivered") ^ Q(delivered_at=None),
            ),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "not_before"], condition=Q(state="waiting"), name="delivery_waiting"
            ),
            models.Index(fields=["tenant", "-created_at"], name="delivery_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.consumer} {self.message_id}"


class WatchedTask(ChangingModel):
    """A task at Parallel from which a brief is to be made: announced by a webhook or named by a person."""

    external_run = models.CharField(max_length=200)
    context = models.JSONField(default=dict, blank=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    arrived = models.CharField(max_length=8, default="run_id")
    state = models.CharField(max_length=8, choices=TaskState, default=TaskState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)
    problem = models.TextField(blank=True)
    run = TenantKey("research.Run", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        constraints = [
            one_of("state", TaskState),
            models.UniqueConstraint(fields=["tenant", "external_run"], name="one_watch_per_task"),
        ]
        indexes = [
            models.Index(fields=["tenant", "not_before"], condition=Q(state="waiting"), name="task_waiting")
        ]

    def __str__(self) -> str:
        return self.external_run


class BriefRecord(ChangingModel):
    """The brief made from one input, so that the same input gives the same brief, byte for byte."""

    input_hash = models.CharField(max_length=64)
    draft = models.JSONField(default=dict)
    brief = models.JSONField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "input_hash"], name="one_brief_per_input")]

    def __str__(self) -> str:
        return self.input_hash[:12]
