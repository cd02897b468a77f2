"""Mail about events, sent at least once.

A row is written in the transaction of the event, once per occasion; the sweep sends it. If the mail server is
unreachable, attempts continue for about four days; the admin then shows the unsent mail with the reason.

A process may be killed between sending a mail and marking it as sent. It is then unknown whether the mail went out;
it is sent once more, and not again if that happens twice. A connection that breaks before the server has accepted a
mail leaves the same doubt, and the mail is retried as after a rejection (RFC 5321, 4.5.4.1). All copies have the same
Message-ID, by which mail programs recognise them.
"""

import time
import unicodedata
from dataclasses import dataclass
from datetime import timedelta
from email.utils import format_datetime
from smtplib import SMTPRecipientsRefused, SMTPResponseException
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.core.validators import validate_email
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from research.accounts.people import settings_of
from research.db.tenancy import SweepTarget, tenant_context, tenants_with
from research.models import Mail, Membership, Notice
from research.runtime.fault_injection import FaultPoint, crash_point
from research.runtime.logs import logger

MAX_TRIES = 24  # the pauses between them double from one minute to six hours: about four days in total
MIN_PAUSE, MAX_PAUSE = timedelta(minutes=1), timedelta(hours=6)
TAKEN_FOR = timedelta(minutes=5)  # longer than a server may take to accept a mail
ROUND_S = 60.0  # longest time that one sweep spends on mail
TAKEN_BACK = "Taken back before it was sent."
MAX_SUBJECT_LENGTH, MAX_REASON = 300, 500  # characters
# Mails whose text contains a secret link: the text is deleted from the row once the mail is sent.
INVITATION = "invitation"
SECRET_KINDS = frozenset({INVITATION})
# `Mail.error` while a mail is being sent, and its prefix after the sender was killed.
SENDING = "On its way."
DOUBTFUL = "It may have gone out before: its sender was killed. "

log = logger(__name__)


def address_of(user: User) -> str:
    """Return the user's mail address; empty if the user is inactive or the address is not valid."""
    return _validate_address(user.email) if user.is_active else ""


@dataclass(frozen=True, slots=True)
class MailRecipient:
    """The recipient of a mail: the address, and the language in which the mail is written."""

    address: str
    language: str


def reader_of(user: User, notice: Notice) -> MailRecipient | None:
    """Return the recipient; None if the address is not valid, or the user wants no such mail or has left the workspace.

    Needs the tenant set.
    """
    address, chosen = address_of(user), settings_of(user)
    if not address or not chosen.wants(notice) or not Membership.objects.filter(user=user).exists():
        return None
    return MailRecipient(address, chosen.language or settings.LANGUAGE_CODE)


def _validate_address(address: str) -> str:
    try:
        validate_email(address.strip())
    except ValidationError:
        return ""
    return address.strip()


def link(path: str) -> str:
    """Return the absolute URL of a path."""
    return f"{settings.PLUMBLINE_URL}{path}"


def post(kind: str, ref: str, to: str, subject: str, body: str) -> bool:
    """Send a mail once this transaction has committed; return False if the address is not valid.

    A mail with the same `kind` and `ref` is sent once. Needs the tenant set.
    """
    address = _validate_address(to)
    if not address:
        return False
    body = body.replace("\0", "")  # characters that the database cannot store
    row = Mail(kind=kind, ref=ref, to=address, subject=_one_line(subject), body=body)
    Mail.objects.bulk_create([row], ignore_conflicts=True)
    return True


def _one_line(subject: str) -> str:
    """Remove line breaks, with which a question could inject headers."""
    line = " ".join(subject.split())
    line = "".join(letter for letter in line if unicodedata.category(letter) not in ("Cc", "Cs"))
    return line if len(line) <= MAX_SUBJECT_LENGTH else f"{line[: MAX_SUBJECT_LENGTH - 1]}…"


def send_waiting() -> int:
    """Send the waiting mail of all workspaces and return the number sent; the sweep calls this, also concurrently."""
    waiting = [tenant_id for tenant_id in tenants_with(SweepTarget.MAIL) if _is_waiting(tenant_id)]
    if not waiting:
        return 0
    server = get_connection()
    try:
        server.open()
    except OSError as error:  # smtplib's errors are OSErrors too
        _postpone_all(waiting, error)
        return 0
    try:
        return _send_all(waiting, server)
    finally:
        server.close()


def _is_waiting(tenant_id: UUID) -> bool:
    with tenant_context(tenant_id):
        return _due().exists()


def _due() -> QuerySet[Mail]:
    due = Q(not_before=None) | Q(not_before__lte=Now())
    return Mail.objects.filter(due, sent_at=None, attempts__lt=MAX_TRIES).exclude(error=DOUBTFUL + SENDING)


def _postpone_all(tenants: list[UUID], error: OSError) -> None:
    log.warning("mail_server_away", error=type(error).__name__)
    for tenant_id in tenants:
        with tenant_context(tenant_id):
            for mail in _due().select_for_update(skip_locked=True, no_key=True):
                _postpone(mail, _was_doubtful(mail), error)


def _send_all(tenants: list[UUID], server: BaseEmailBackend) -> int:
    end, sent = time.monotonic() + ROUND_S, 0
    for tenant_id in tenants:
        while time.monotonic() < end and (mail := _take(tenant_id)):
            try:
                sent += _send(mail, server)
            except OSError as error:  # the connection broke
                log.warning("mail_server_away", error=type(error).__name__)
                return sent
    return sent


def _take(tenant_id: UUID) -> Mail | None:
    """Claim the next mail, so that no other process sends it for a while."""
    with tenant_context(tenant_id):
        locked = _due().select_for_update(skip_locked=True, no_key=True)
        mail = locked.order_by("created_at", "pk").first()
        if mail is None:
            return None
        mail.error = DOUBTFUL + SENDING if _was_doubtful(mail) else SENDING
        mail.attempts += 1
        taken = {"attempts": mail.attempts, "error": mail.error, "not_before": Now() + TAKEN_FOR}
        Mail.objects.filter(pk=mail.pk).update(**taken)
        return mail


def _was_doubtful(mail: Mail) -> bool:
    """Return True if its claim expired because its sender was killed, now or before."""
    return mail.error == SENDING or mail.error.startswith(DOUBTFUL)


def _send(mail: Mail, server: BaseEmailBackend) -> bool:
    """Send the mail and return True if it went out. Raises OSError when the server can no longer be reached."""
    try:
        server.send_messages([_message(mail)])
    except (OSError, ValueError) as error:
        with tenant_context(mail.tenant_id):
            _postpone(mail, mail.error.startswith(DOUBTFUL), error)
        if not isinstance(error, (SMTPResponseException, SMTPRecipientsRefused, ValueError)):
            raise
        return False
    crash_point(FaultPoint.MAILED_BEFORE_MARK)
    with tenant_context(mail.tenant_id):
        Mail.objects.filter(pk=mail.pk).update(
            sent_at=Now(), error="", not_before=None, **_words_to_lose(mail)
        )
    return True


def _words_to_lose(mail: Mail) -> dict[str, str]:
    return {"body": ""} if mail.kind in SECRET_KINDS else {}


def forget_unsent(kind: str, ref_begins: str) -> None:
    """Cancel the unsent mail of this kind; mail that is already on its way may arrive. Needs the tenant set."""
    waiting = Mail.objects.filter(kind=kind, ref__startswith=ref_begins, sent_at=None)
    waiting.update(body="", error=TAKEN_BACK, attempts=MAX_TRIES)


def _message(mail: Mail) -> EmailMessage:
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2]
    headers = {
        "Message-ID": f"<{mail.pk}@{domain}>",
        "Date": format_datetime(mail.created_at),
        "Auto-Submitted": "auto-generated",  # RFC 3834: prevents automatic replies
    }
    return EmailMessage(mail.subject, mail.body, settings.DEFAULT_FROM_EMAIL, [mail.to], headers=headers)


def _postpone(mail: Mail, is_doubtful: bool, error: Exception) -> None:
    """Store the reason and the time of the next attempt."""
    reason = f"{type(error).__name__}: {error}".replace("\0", "")[:MAX_REASON]
    tries = mail.attempts if mail.error.endswith(SENDING) else mail.attempts + 1
    Mail.objects.filter(pk=mail.pk).update(
        error=(DOUBTFUL if is_doubtful else "") + reason,
        attempts=tries,
        not_before=Now() + pause_after(tries),
    )


def pause_after(tries: int) -> timedelta:
    """Return the delay after this number of failed attempts (1 or more)."""
    doublings = min(tries - 1, 10)
    return min(MIN_PAUSE * (1 << doublings), MAX_PAUSE)
