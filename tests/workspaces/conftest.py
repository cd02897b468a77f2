"""Ada owns a workspace and belongs to Bob's as well."""

import pytest
from django.test import Client

from research.db.tenancy import tenant_context
from research.models import Membership
from tests.people import Person, join


@pytest.fixture
def ada(db: None) -> Person:
    return join("ada")


@pytest.fixture
def bob(db: None) -> Person:
    return join("bob")


@pytest.fixture
def both(ada: Person, bob: Person) -> Client:
    """The browser of Ada, a member of two workspaces; she works in her own, the older one."""
    with tenant_context(bob.tenant.pk):
        Membership.objects.create(user=ada.user, role="member")
    return ada.sign_in()


def switch(client: Client, person: Person, **more: str):
    return client.post("/workspaces/switch/", {"to": str(person.tenant.pk), **more})
