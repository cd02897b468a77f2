"""Invitations: a mailed link makes its recipient a member.

The link is signed, works once, expires after `LASTS`, and is not stored: a row has its hash, and the text of the mail
is deleted once it is sent (`research.accounts.notification_mail`). It names its workspace, because opening it is not
yet inside one.
"""

from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from secrets import token_urlsafe
from uuid import UUID

from django.contrib.auth.models import User
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from research.accounts.audit.write_audit_trail import record
from research.accounts.notification_mail import INVITATION, forget_unsent, link, post
from research.accounts.workspaces.workspace_members import WorkspaceRefused, lock_tenant
from research.db.tenancy import current_tenant_id, tenant_context, tenant_ids
from research.models import Act, Invitation, Membership, Role

LASTS = timedelta(days=7)
KEPT_FOR = timedelta(days=90)  # after its end; the audit trail keeps a record for longer
MAX_OPEN = 50  # of a workspace
MAX_SENT = 5  # mails for one invitation
COUNTS_FOR = timedelta(days=1)
MAX_MADE, MAX_MADE_FOR = 100, 3  # within that time: by a workspace; to one address
SECRET_BYTES = 32
MAX_TOKEN_LENGTH = 200  # characters
ID_LETTERS = 32

_signer = Signer(sep=".", salt="research.workspaces.invitation")


@dataclass(frozen=True, slots=True)
class OpenInvitation:
    """An open invitation and its workspace."""

    tenant_id: UUID
    row: Invitation
    workspace: str

    @property
    def account(self) -> User | None:
        """The account of the invited person, None if there is none yet."""
        return User.objects.filter(email__iexact=self.row.email).order_by("pk").first()

    def is_for(self, user: User) -> bool:
        return user.email.casefold() == self.row.email.casefold()


@transaction.atomic
def invite(email: str, role: Role, by: User) -> Invitation:
    """Invite a person; the mail is sent after this transaction has committed. Raises WorkspaceRefused.

    Needs the tenant set.
    """
    lock_tenant()
    if Membership.objects.filter(user__email__iexact=email).exists():
        raise WorkspaceRefused(_("Someone with this address is already a member of the workspace."))
    if Invitation.objects.open().filter(email__iexact=email).exists():
        raise WorkspaceRefused(
            _("This address has already been invited. Resend that invitation, or revoke it.")
        )
    if Invitation.objects.open().count() >= MAX_OPEN:
        raise WorkspaceRefused(_("The maximum number of open invitations is reached. Revoke some first."))
    _refuse_too_many(email)
    row = Invitation(email=email, role=role, invited_by=by)
    _send(row, by)
    record(Act.MEMBER_INVITE, on=row, after={"role": str(role)})
    return row


def _refuse_too_many(email: str) -> None:
    """Raise WorkspaceRefused if the workspace or the invited address has reached its daily limit.

    Revoked invitations count too: otherwise inviting and revoking in turn would allow unlimited mail.
    """
    lately = Invitation.objects.filter(created_at__gt=Now() - COUNTS_FOR)
    is_too_much = lately.count() >= MAX_MADE or lately.filter(email__iexact=email).count() >= MAX_MADE_FOR
    if is_too_much:
        raise WorkspaceRefused(_("Today’s limit for invitations is reached. Try again tomorrow."))


@transaction.atomic
def send_again(row: Invitation, by: User) -> None:
    """Mail a new link, valid for seven days, and invalidate the previous one. Raises WorkspaceRefused."""
    row = Invitation.objects.select_for_update().get(pk=row.pk)
    if row.accepted_at or row.revoked_at:
        raise WorkspaceRefused(_("This invitation was used or revoked. Invite the person again."))
    if row.sent_count >= MAX_SENT:
        raise WorkspaceRefused(
            _(
                "This invitation has been sent the maximum number of times. "
                "Ask the person whether they receive mail from this site."
            )
        )
    _send(row, by)
    record(Act.MEMBER_INVITE, on=row, after={"sent": row.sent_count})


def revoke(row: Invitation) -> None:
    """Invalidate the link, and cancel its mail if that was not sent yet. Idempotent."""
    Invitation.objects.filter(pk=row.pk, accepted_at=None, revoked_at=None).update(
        revoked_at=Now(), updated_at=Now()
    )
    forget_unsent(INVITATION, f"{row.pk}:")
    record(Act.MEMBER_UNINVITE, on=row)


def _send(row: Invitation, by: User) -> None:
    token = _signer.sign(current_tenant_id().hex + token_urlsafe(SECRET_BYTES))
    row.token_hash, row.expires_at = _hash(token), timezone.now() + LASTS
    row.sent_count += 1
    row.save()
    forget_unsent(INVITATION, f"{row.pk}:")
    subject, body = _words(row, link(reverse("research:invitation", args=[token])), by)
    post(INVITATION, f"{row.pk}:{row.sent_count}", row.email, subject, body)


def _words(row: Invitation, address: str, by: User) -> tuple[str, str]:
    """Return subject and body in the inviting user's language, because the recipient's is unknown."""
    name = lock_tenant().name
    day = date_format(timezone.localtime(row.expires_at), "DATE_FORMAT")
    lines = [
        _("%(who)s invites you to work in “%(name)s” on Plumbline.")
        % {"who": by.get_username(), "name": name},
        _("This link can be used once, until %(day)s:") % {"day": day},
        address,
        _("If you did not expect this mail, you can ignore it."),
    ]
    return _("You are invited to “%(name)s” on Plumbline") % {"name": name}, "\n\n".join(lines)


def find_open_invitation(token: str) -> OpenInvitation | None:
    """Return the invitation; None if the link is invalid, expired, used or revoked."""
    tenant_id = _tenant_of(token)
    if tenant_id is None:
        return None
    with tenant_context(tenant_id):
        rows = Invitation.objects.open().select_related("tenant", "invited_by")
        row = rows.filter(token_hash=_hash(token)).first()
    return OpenInvitation(tenant_id, row, row.tenant.name) if row else None


def _tenant_of(token: str) -> UUID | None:
    if len(token) > MAX_TOKEN_LENGTH:
        return None
    try:
        return UUID(_signer.unsign(token)[:ID_LETTERS])
    except (BadSignature, ValueError):
        return None


@transaction.atomic
def accept(found: OpenInvitation, user: User) -> Membership:
    """Make the person a member; existing members keep their role. Raises WorkspaceRefused."""
    if not found.is_for(user):
        raise WorkspaceRefused(_("This invitation is for another address."))
    with tenant_context(found.tenant_id):
        used = Invitation.objects.open().filter(pk=found.row.pk, token_hash=found.row.token_hash)
        if not used.update(accepted_at=Now(), accepted_by=user, updated_at=Now()):
            raise WorkspaceRefused(_("This invitation has been used in the meantime."))
        membership, _is_new = Membership.objects.get_or_create(user=user, defaults={"role": found.row.role})
        record(Act.MEMBER_JOIN, on=membership, after={"role": membership.role, "invitation": found.row.email})
    return membership


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def tidy_invitations() -> int:
    """Delete the invitations of every tenant that were accepted, revoked or expired long ago; return their number."""
    old, done = Now() - KEPT_FOR, 0
    for tenant_id in tenant_ids():
        with tenant_context(tenant_id):
            ended = Q(accepted_at__lt=old) | Q(revoked_at__lt=old) | Q(expires_at__lt=old)
            done += Invitation.objects.filter(ended).delete()[0]
    return done
