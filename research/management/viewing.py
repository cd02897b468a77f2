"""Who looks at a running site for a bench: its address, a session, and figures of waits."""

from collections.abc import Sequence
from importlib import import_module

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.core.management.base import CommandError

from research.accounts import Account


def address_here() -> str:
    """Raises CommandError where no site runs on this data folder."""
    try:
        return settings.PATHS.address.read_text(encoding="utf-8").strip()
    except FileNotFoundError as error:
        raise CommandError("No site runs here: start it with “make run”.") from error


def session_of(account: Account) -> str:
    """Of the account, as signing in makes it."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(account.user.pk)
    store[BACKEND_SESSION_KEY] = settings.ACCOUNT_BACKEND
    store[HASH_SESSION_KEY] = account.user.get_session_auth_hash()
    store.save()
    return str(store.session_key)


def percentile(ordered: Sequence[float], share: float) -> float:
    """Of what is in order, one at least; 0.5: the median's upper neighbour."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
