"""Accounts: the local one for embedded mode and the command line, and the settings that users choose."""

from dataclasses import dataclass
from uuid import UUID

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.models import User
from django.db import transaction

from research.db.tenancy import access_of, create_tenant, tenant_context
from research.models import Membership, Role, UserSettings

LOCAL_USER = "demo"


@dataclass(frozen=True, slots=True)
class PersonalAccount:
    """A user, and the tenant to which the user's work belongs."""

    user: User
    tenant_id: UUID


class NoAccount(Exception):
    """There is no such user, or the user belongs to no tenant; str() states which."""


@transaction.atomic
def ensure_local_account() -> PersonalAccount:
    """Return the local account, created at first use, with access to the admin. Idempotent.

    It has no password, so that nobody can sign in to it from another machine: the login page admits browsers on this
    one (research.web.account.sign_in_page). `manage.py changepassword demo` sets a password.
    """
    user, is_new = User.objects.get_or_create(
        username=LOCAL_USER, defaults={"is_staff": True, "is_superuser": True, "email": "demo@localhost"}
    )
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return PersonalAccount(user, _tenant_of(user))


def account_of(username: str) -> PersonalAccount:
    """Return the account of an existing user. Raises NoAccount."""
    user = User.objects.filter(username=username).first()
    if user is None:
        raise NoAccount(f"There is no user “{username}”.")
    access = access_of(user)
    if access is None:
        raise NoAccount(
            f"The user “{username}” belongs to no workspace. Whoever signs in without one can make one."
        )
    return PersonalAccount(user, access.tenant_id)


class AccountBackend(AuthenticationBackend):  # type: ignore[misc]  # has no types
    """allauth's backend, which takes as long for an unknown name as for a known one.

    It loads the user together with their settings, which every page needs.
    """

    def get_user(self, user_id: int) -> User | None:
        user = User.objects.select_related("settings").filter(pk=user_id).first()
        return user if user is not None and self.user_can_authenticate(user) else None


def settings_of(user: User) -> UserSettings:
    """Return the user's settings, or unsaved defaults if they never chose any."""
    try:
        return user.settings
    except UserSettings.DoesNotExist:
        return UserSettings(user=user)


def _tenant_of(user: User) -> UUID:
    access = access_of(user)
    if access is not None:
        return access.tenant_id
    tenant = create_tenant(user.username)
    with tenant_context(tenant.pk):
        Membership.objects.create(user=user, role=Role.OWNER)
    return tenant.pk
