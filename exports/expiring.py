"""Files that have had their time: the row stays as history, the bytes go with the next tidying."""

from django.db.models import Q
from django.db.models.functions import Now

from exports.models import Export, ExportState

_GONE = {"state": ExportState.EXPIRED, "object_key": ""}


def expire() -> list[str]:
    """Of the current tenant; the keys of the files that ended."""
    over = Export.objects.filter(state=ExportState.READY, expires_at__lt=Now())
    keys = list(over.select_for_update(skip_locked=True, no_key=True).values_list("object_key", flat=True))
    over.filter(object_key__in=keys).update(**_GONE, updated_at=Now())
    return keys


def forget(export: Export) -> None:
    """Its bytes cannot be had any more."""
    still = Q(pk=export.pk, state=ExportState.READY, object_key=export.object_key)
    Export.objects.filter(still).update(**_GONE, updated_at=Now())
