"""Sets the retention periods of a workspace. Needs the tenant set."""

from datetime import timedelta

from django.db.models import F
from django.db.models.functions import Coalesce

from exports.files.export_file_state import ExportState
from exports.models import Export
from research.accounts.workspace_retention_periods import Periods, RetentionCategory, effective_periods, store
from slides.models import DeckFile


def choose(periods: Periods) -> None:
    """Store the periods and apply them to existing files.

    Raises ValueError for days that are not allowed.
    """
    store(periods)
    days = effective_periods(periods)[RetentionCategory.FILES]
    for rows in (Export.objects.all(), DeckFile.objects.all()):
        made_at = Coalesce(F("finished_at"), F("created_at"))
        rows.filter(state=ExportState.READY).update(expires_at=made_at + timedelta(days=days))
