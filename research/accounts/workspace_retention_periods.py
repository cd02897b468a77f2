"""The retention periods of a workspace, in days: its own choice, or the site's default. Needs the tenant set."""

from collections.abc import Mapping
from enum import StrEnum

from django.conf import settings

from research.db.tenancy import current_tenant_id
from research.models import Tenant
from research.models.tenant_models import MAX_DAYS, MIN_TRAIL_DAYS

FOR_GOOD = 0
# Days that a workspace may choose, by category; None: the site's default.
Periods = Mapping["RetentionCategory", int | None]


class RetentionCategory(StrEnum):
    """A category of data with a retention period of its own."""

    RUNS = "runs"  # finished runs with all rows that belong to them
    CALLS = "calls"  # the log of model calls
    FILES = "files"  # files of reports and decks
    MESSAGES = "messages"  # webhook messages that are done
    TRAIL = "trail"


# These may be kept forever.
ENDLESS = frozenset({RetentionCategory.RUNS, RetentionCategory.CALLS, RetentionCategory.TRAIL})


def shortest(kept: RetentionCategory) -> int:
    """Return the shortest period that may be chosen, in days."""
    return MIN_TRAIL_DAYS if kept is RetentionCategory.TRAIL else 1


def is_allowed(kept: RetentionCategory, days: int) -> bool:
    return (days == FOR_GOOD and kept in ENDLESS) or shortest(kept) <= days <= MAX_DAYS


def default_periods() -> Mapping[RetentionCategory, int]:
    """Return the site's default periods: days, or FOR_GOOD."""
    return {
        RetentionCategory.RUNS: settings.PLUMBLINE_KEEP_RUNS_DAYS,
        RetentionCategory.CALLS: settings.PLUMBLINE_KEEP_CALLS_DAYS,
        RetentionCategory.FILES: settings.PLUMBLINE_EXPORT_DAYS,
        RetentionCategory.MESSAGES: settings.PLUMBLINE_WEBHOOK_DAYS,
        RetentionCategory.TRAIL: settings.PLUMBLINE_KEEP_TRAIL_DAYS,
    }


def load_chosen_periods() -> dict[RetentionCategory, int | None]:
    """Return the periods that the workspace chose; None for the site's default."""
    columns = [_column(kept) for kept in RetentionCategory]
    row = Tenant.objects.values(*columns).get(pk=current_tenant_id())
    return {kept: row[_column(kept)] for kept in RetentionCategory}


def effective_periods(periods: Periods) -> dict[RetentionCategory, int]:
    """Return the periods that apply with these choices: days, or FOR_GOOD."""
    defaults = default_periods()
    found = {kept: periods.get(kept) for kept in RetentionCategory}
    return {kept: defaults[kept] if days is None else days for kept, days in found.items()}


def store(periods: Periods) -> None:
    """Store the workspace's choice. Raises ValueError for days that are not allowed."""
    if wrong := [kept for kept, days in periods.items() if days is not None and not is_allowed(kept, days)]:
        raise ValueError(f"not allowed: {', '.join(wrong)}")
    Tenant.objects.filter(pk=current_tenant_id()).update(
        **{_column(kept): days for kept, days in periods.items()}
    )


def file_days() -> int:
    """Return the number of days for which a file of a report or deck is kept, or FOR_GOOD."""
    return effective_periods(load_chosen_periods())[RetentionCategory.FILES]


def message_days() -> int:
    """Return the number of days for which a webhook message is kept once it is done, or FOR_GOOD."""
    return effective_periods(load_chosen_periods())[RetentionCategory.MESSAGES]


def _column(kept: RetentionCategory) -> str:
    return f"keep_{kept.value}_days"
