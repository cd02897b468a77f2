"""The model servers that workspaces connect themselves (spec: agents-and-tools.md, The model gateway)."""

from typing import Annotated

from django.conf import settings
from django.db import models
from django.db.models import Q
from pydantic import StringConstraints

from research.models.base_models import ChangingModel, CheckedJSONField
from research.models.step_models import AgentRole

MAX_MODEL_LENGTH = 100  # characters of a name, as in the call log
MAX_SERVER_URL = 500
MAX_CONTEXT_TOKENS = 100_000_000
Region = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,20}$")]
ModelName = Annotated[str, StringConstraints(min_length=1, max_length=MAX_MODEL_LENGTH)]


class ModelConnection(ChangingModel):
    """A workspace's own model server: its URL, sealed key, and the models by role.

    Without a row the workspace uses the models of the installation's settings.
    """

    base_url = models.CharField(max_length=MAX_SERVER_URL)
    sealed_key = models.BinaryField(null=True, blank=True)  # NULL: the server needs none
    key_hint = models.CharField(max_length=8, blank=True)  # its last characters, the only part that is shown
    model = models.CharField(max_length=MAX_MODEL_LENGTH)
    role_models = CheckedJSONField(dict[AgentRole, ModelName], default=dict, blank=True)
    # Used when the first model fails beyond its retries. An empty URL means the same server.
    fallback_model = models.CharField(max_length=MAX_MODEL_LENGTH, blank=True)
    fallback_url = models.CharField(max_length=MAX_SERVER_URL, blank=True)
    sealed_fallback_key = models.BinaryField(null=True, blank=True)
    fallback_key_hint = models.CharField(max_length=8, blank=True)
    regions = CheckedJSONField(list[Region], default=list, blank=True)  # its location; empty: not stated
    context_length = models.PositiveIntegerField(null=True, blank=True)  # tokens; NULL: unknown
    findings = models.JSONField(default=list, blank=True)  # of the last test (research.llm.model_check)
    checked_at = models.DateTimeField(null=True, blank=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant"], name="one_model_connection_per_tenant"),
            models.CheckConstraint(
                name="fallback_server_has_model", condition=Q(fallback_url="") | ~Q(fallback_model="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model} at {self.base_url}"
