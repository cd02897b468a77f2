"""The members of a workspace. All functions but `make_workspace` need its tenant set.

A workspace always has an owner. A person who leaves or is removed has lost all access by the next request: sessions
look up memberships each time, tokens are revoked, and the tenant's `access_version` invalidates caches.
"""

from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from research.accounts.audit.read_audit_trail import site_rows
from research.accounts.audit.write_audit_trail import On, record, record_for_site
from research.accounts.workspace_roles import Right, may
from research.db.tenancy import current_tenant_id, tenant_context, workspaces_of
from research.models import Act, ApiToken, Invitation, Membership, Role, SiteAuditEntry, Tenant, Tier

MAX_NAME = 200  # characters
# The period in which created workspaces are counted, including those erased since.
COUNTS_FOR = timedelta(days=30)


class WorkspaceRefused(Exception):
    """The action was refused; str() tells the person why."""


def make_workspace(user: User, name: str) -> Tenant:
    """Create a workspace that the user owns, of the lowest tier, so that this is no way to get more credits.

    Raises WorkspaceRefused.
    """
    with transaction.atomic():
        # Serialised, so that two concurrent requests cannot exceed the limit.
        User.objects.select_for_update().get(pk=user.pk)
        owned = sum(workspace.role == Role.OWNER for workspace in workspaces_of(user))
        if owned >= settings.PLUMBLINE_WORKSPACES:
            raise WorkspaceRefused(_("You already own the maximum number of workspaces on this site."))
        if _count_recent_workspaces(user) >= settings.PLUMBLINE_WORKSPACES:
            raise WorkspaceRefused(_("You have created the maximum number of workspaces for 30 days."))
        tenant = Tenant(name=name, tier=Tier.FREE)
        with tenant_context(tenant.pk):
            tenant.save(force_insert=True)
            Membership.objects.create(user=user, role=Role.OWNER)
            record(Act.WORKSPACE_MAKE, on=tenant)
        record_for_site(Act.WORKSPACE_MAKE, on=On("workspace", str(tenant.pk)))
    return tenant


def _count_recent_workspaces(user: User) -> int:
    """Count the user's recent workspaces, including erased and transferred ones: each starts with credits and may
    send mail.
    """
    with site_rows():
        made = SiteAuditEntry.objects.filter(act=Act.WORKSPACE_MAKE, user_id=user.pk)
        return made.filter(created_at__gt=timezone.now() - COUNTS_FOR).count()


def lock_tenant() -> Tenant:
    """Lock the tenant's row, so that two owners acting at once do not leave it without an owner."""
    return Tenant.objects.select_for_update().get(pk=current_tenant_id())


def rename(name: str) -> None:
    tenant = lock_tenant()
    before, tenant.name = tenant.name, name
    tenant.save(update_fields=["name"])
    record(Act.WORKSPACE_CHANGE, on=tenant, before={"name": before}, after={"name": name})


@transaction.atomic
def change_role(membership: Membership, role: Role) -> None:
    """Change a member's role. Raises WorkspaceRefused for the last owner."""
    lock_tenant()
    membership.refresh_from_db()
    if membership.role == role:
        return
    _keep_an_owner(membership, but=role)
    before, membership.role = membership.role, role
    membership.save(update_fields=["role"])
    record(Act.MEMBER_ROLE, on=membership, before={"role": before}, after={"role": str(role)})
    if not may(role, Right.OWN):
        _end_invitations_of(membership.user)


@transaction.atomic
def remove(membership: Membership) -> None:
    """Remove a member, or oneself. Raises WorkspaceRefused for the last owner."""
    lock_tenant()
    _keep_an_owner(membership)
    # The tokens are useless now, but would work again if the person were invited once more.
    ApiToken.objects.filter(user=membership.user_id, revoked_at=None).update(
        revoked_at=Now(), updated_at=Now()
    )
    _end_invitations_of(membership.user)
    record(Act.MEMBER_REMOVE, on=membership, before={"role": membership.role})
    membership.delete()


def last_owner() -> Membership | None:
    """Return the only owner of the workspace; None if there are several."""
    owners = list(Membership.objects.filter(role=Role.OWNER, user__is_active=True)[:2])
    return owners[0] if len(owners) == 1 else None


def _keep_an_owner(membership: Membership, but: str = "") -> None:
    """Raise WorkspaceRefused if no other owner is left. An owner who may not sign in does not count."""
    others = Membership.objects.filter(role=Role.OWNER, user__is_active=True).exclude(pk=membership.pk)
    if membership.role == Role.OWNER and but != Role.OWNER and not others.exists():
        raise WorkspaceRefused(_("A workspace needs an owner. Make someone else an owner first."))


def _end_invitations_of(user: User) -> None:
    """Revoke the open invitations of a user who is no longer an owner."""
    Invitation.objects.open().filter(invited_by=user).update(revoked_at=Now(), updated_at=Now())
