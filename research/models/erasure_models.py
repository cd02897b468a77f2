"""Records of erased workspaces, which belong to no tenant because they outlive it."""

from django.db import models
from django.db.models.functions import Now

from research.models.base_models import CheckedJSONField


class Erasure(models.Model):
    """A workspace that is being or has been erased: all that remains of it, with nothing of its contents."""

    workspace = models.UUIDField(primary_key=True, editable=False)
    begun_at = models.DateTimeField(db_default=Now(), editable=False)
    done_at = models.DateTimeField(null=True, editable=False)
    people = CheckedJSONField(list[int], default=list, editable=False)  # its members, until handled
    rows = models.PositiveBigIntegerField(default=0, editable=False)
    files = models.PositiveBigIntegerField(default=0, editable=False)

    def __str__(self) -> str:
        return str(self.workspace)
