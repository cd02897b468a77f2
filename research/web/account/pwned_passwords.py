"""Checks passwords against known breaches by the first five letters of their hash, so that neither the password nor its
hash leaves this machine (the range protocol of Have I Been Pwned, k-anonymity).

Off unless an operator names a service. If it does not answer, no password is refused; the offline list still counts.
"""

import asyncio
import hashlib
import re

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from research.fetching.denied_addresses import address_rules
from research.fetching.http_client import Asking, DoorError, HttpClient
from research.fetching.strict_urls import UrlRefused
from research.runtime.logs import logger

TOTAL_S = 3.0  # maximum waiting time
PREFIX = 5  # of the hash's 40 hex digits; some hundreds of hashes share each prefix
# Requests padding, so that the length of the response reveals nothing.
PADDED = Asking(headers={"Add-Padding": "true", "Accept": "text/plain"})
OK = 200
_LINE = re.compile(r"([0-9A-F]{35}):(\d+)\s*", re.IGNORECASE)
log = logger(__name__)


class BreachServiceError(Exception):
    """Raised when the service gives no usable answer; str() is for the log."""


class BreachedPasswordValidator:
    """Refuses passwords from known breaches, if the installation uses a service (PLUMBLINE_BREACHED_PASSWORDS_URL)."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Raise ValidationError for a password from a breach."""
        if not settings.PLUMBLINE_BREACHED_PASSWORDS_URL:
            return
        try:
            times = times_seen(password)
        except BreachServiceError as error:
            log.warning("breached_passwords_unknown", error=str(error))
            return
        if times:
            raise ValidationError(
                _("This password appears in lists of stolen passwords. Choose another."),
                code="password_breached",
            )

    def get_help_text(self) -> str:
        return _("Your password must not appear in a list of stolen passwords.")


def times_seen(password: str) -> int:
    """Return the number of leaked accounts with this password, 0 if the service knows none.

    Raises BreachServiceError.
    """
    # The protocol prescribes SHA-1.
    found = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper()
    prefix, rest = found[:PREFIX], found[PREFIX:]
    answer = asyncio.run(_range(f"{settings.PLUMBLINE_BREACHED_PASSWORDS_URL}/range/{prefix}"))
    seen = dict(_LINE.findall(answer.upper()))
    if not seen:
        raise BreachServiceError("an answer that is no list of hashes")
    return int(seen.get(rest, 0))  # padding entries have the count 0


async def _range(url: str) -> str:
    client = HttpClient(address_rules(), total_s=TOTAL_S)
    try:
        answer = await client.get(url, PADDED)
    except (*DoorError, UrlRefused) as error:
        raise BreachServiceError(type(error).__name__) from error
    finally:
        await client.aclose()
    if answer.status != OK:
        raise BreachServiceError(f"status {answer.status}")
    return answer.body.decode("ascii", "replace")
