"""The threat to the API's bill, and to strangers' mailboxes: credits and mails by workspaces that come and go."""

import pytest
from django.core import mail
from django.test import Client

from research.accounts.notification_mail import send_waiting
from research.accounts.workspaces.invitations import MAX_MADE_FOR
from research.db.tenancy import memberships, tenant_context
from research.models import Invitation, Membership, Role
from research.ops.retention.delete_workspace import carry_on_all
from tests.people import Person, join

pytestmark = pytest.mark.django_db
PAGE = "/account/workspace/"


@pytest.fixture
def ada() -> Person:
    return join("ada")


def post_in_workspace(client: Client, path: str, fields: dict[str, str]) -> int:
    """Within the workspace that one works in, as its page sends it."""
    name = 'name="workspace" value="'
    here = client.get("/account/workspace/").text.partition(name)[2][:36]
    return client.post(path, fields | {"workspace": here}).status_code


def create_workspace(client: Client, name: str) -> bool:
    return post_in_workspace(client, "/workspaces/new/", {"another-name": name}) == 302


def test_who_erases_workspaces_gets_no_further_ones_with_new_credits(ada: Person, settings) -> None:  # type: ignore[no-untyped-def]
    settings.PLUMBLINE_WORKSPACES = 2
    client = ada.sign_in()
    for name in ("First", "Second"):
        assert create_workspace(client, name)
        assert post_in_workspace(client, f"{PAGE}erase/", {"erase-name": name}) == 302
        carry_on_all()
    assert [membership.name for membership in memberships(ada.user.pk)] == ["ada’s"]
    assert not create_workspace(client, "Third")
    settings.PLUMBLINE_WORKSPACES = 3
    assert create_workspace(client, "Third")


def test_who_hands_workspaces_on_gets_no_further_ones_with_new_credits(ada: Person, settings) -> None:  # type: ignore[no-untyped-def]
    settings.PLUMBLINE_WORKSPACES = 2
    client, bob = ada.sign_in(), join("bob")
    for name, is_made in (("First", True), ("Second", True), ("Third", False)):
        assert create_workspace(client, name) == is_made
        for membership in memberships(ada.user.pk):
            with tenant_context(membership.tenant_id):
                Membership.objects.get_or_create(user=bob.user, defaults={"role": Role.OWNER})
                Membership.objects.filter(user=ada.user).update(role=Role.MEMBER)


def test_nobody_writes_to_a_stranger_without_end_by_inviting_and_taking_back(ada):
    client, answers = ada.sign_in(), []
    for _time in range(MAX_MADE_FOR + 1):
        answers.append(
            client.post(
                f"{PAGE}invitations/", {"invite-email": "nora@example.org", "invite-role": "viewer"}
            ).status_code
        )
        send_waiting()
        with tenant_context(ada.tenant.pk):
            open_ones = list(Invitation.objects.open().values_list("pk", flat=True))
        for pk in open_ones:
            client.post(f"{PAGE}invitations/{pk}/revoke/")
    assert answers == [302] * MAX_MADE_FOR + [422]
    assert len(mail.outbox) == MAX_MADE_FOR
