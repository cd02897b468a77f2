"""Ada owns what the tests look at; Bob belongs to another tenant and must see none of it."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.test import Client

from research.db.tenancy import create_tenant, tenant_context
from research.models import Membership, Role, Tenant


@dataclass(frozen=True)
class Person:
    user: User
    tenant: Tenant

    def sign_in(self) -> Client:
        client = Client()
        client.force_login(self.user)
        return client


def join(name: str, *, role: str = Role.OWNER, tenant: Tenant | None = None, **flags: bool) -> Person:
    """A user with a tenant: the given one, or one of their own."""
    user = User.objects.create_user(name, password="plumb-line-9", **flags)
    tenant = tenant or create_tenant(f"{name}’s")
    with tenant_context(tenant.pk):
        Membership.objects.create(user=user, role=role)
    return Person(user, tenant)


def may_enter(name: str, password: str) -> bool:
    """Return whether the sign-in page takes this name and password."""
    return Client().post("/login/", {"login": name, "password": password}).status_code == 302
