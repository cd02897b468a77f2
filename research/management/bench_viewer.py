"""Helpers for benchmarks of a running site: its address, a session, waiting for a run, and percentiles."""

import time
from collections.abc import Container, Sequence
from importlib import import_module
from uuid import UUID

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.core.management.base import CommandError

from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.models import FINISHED, Run, State

POLL_S = 1.0  # seconds; looking more often would count among the statements and commits that are measured


def address_here() -> str:
    """Return the address of the site that runs on this data folder. Raises CommandError if none does."""
    try:
        return settings.PATHS.address.read_text(encoding="utf-8").strip()
    except FileNotFoundError as error:
        raise CommandError("No site runs here: start it with “make run”.") from error


def session_of(account: PersonalAccount) -> str:
    """Create a session of the account, as signing in does, and return its key."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(account.user.pk)
    store[BACKEND_SESSION_KEY] = settings.ACCOUNT_BACKEND
    store[HASH_SESSION_KEY] = account.user.get_session_auth_hash()
    store.save()
    return str(store.session_key)


def wait_for_end(
    account: PersonalAccount, run_id: UUID, limit_s: float, ends: Container[str] = FINISHED
) -> State:
    """Wait for the site's workers to bring a run to one of the states `ends`, and return it. Raises CommandError
    on timeout.
    """
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        with tenant_context(account.tenant_id):
            state = State(Run.objects.values_list("state", flat=True).get(pk=run_id))
        if state in ends:
            return state
        time.sleep(POLL_S)
    raise CommandError(f"No end within {limit_s:g} s. Is the site running?")


def duration_of(account: PersonalAccount, run_id: UUID) -> float:
    """Return the seconds from a run's creation to its end, by the database's clock."""
    with tenant_context(account.tenant_id):
        created, completed = Run.objects.values_list("created_at", "completed_at").get(pk=run_id)
    if completed is None:
        raise CommandError("The run has not ended.")
    return float((completed - created).total_seconds())


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return a percentile of sorted values, of which there must be at least one; 0.5 gives the upper
    median.
    """
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
