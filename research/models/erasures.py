"""Records of erased workspaces. They belong to no tenant, since they outlive it."""

from django.db import models
from django.db.models.functions import Now

from research.models.base import CheckedJSONField


class Erasure(models.Model):
    """A workspace that goes or went: all that remains of it. It says nothing of what the workspace held."""

    workspace = models.UUIDField(primary_key=True, editable=False)
    begun_at = models.DateTimeField(db_default=Now(), editable=False)
    done_at = models.DateTimeField(null=True, editable=False)
    people = CheckedJSONField(list[int], default=list, editable=False)  # its members, until they are seen to
    rows = models.PositiveBigIntegerField(default=0, editable=False)
    files = models.PositiveBigIntegerField(default=0, editable=False)

    def __str__(self) -> str:
        return str(self.workspace)
