"""A person who belongs to no workspace."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from research.accounts.workspaces.invitations import tidy_invitations
from research.db.tenancy import memberships, tenant_context
from research.models import Act, AuditEntry, Invitation, Membership, Role
from tests.people import join
from tests.web.pages import words

pytestmark = pytest.mark.django_db


@pytest.fixture
def carl():
    return User.objects.create_user("carl", email="carl@example.org")


@pytest.fixture
def page(carl):
    client = Client()
    client.force_login(carl)
    return client


def test_they_make_a_workspace_of_their_own_and_are_in_it(carl, page):
    assert "carl@example.org" in words(page.get("/workspaces/first/"))
    answer = page.post("/workspaces/first/", {"first-name": "Carl’s"}, follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert answer.status_code == 200
    (mine,) = memberships(carl.pk)
    assert (mine.name, mine.role) == ("Carl’s", Role.OWNER)
    with tenant_context(mine.tenant_id):
        assert AuditEntry.objects.filter(act=Act.WORKSPACE_MAKE).count() == 1


def test_signing_in_leads_there_and_not_to_a_refusal(carl, page):
    assert page.get("/").headers["Location"] == "/workspaces/first/"


def test_a_name_is_asked_for_and_nothing_is_made_without(carl, page):
    answer = page.post("/workspaces/first/", {"first-name": " "})
    assert answer.status_code == 422
    assert "Give the workspace a name." in words(answer)
    assert memberships(carl.pk) == []


def test_where_nobody_makes_workspaces_it_says_whom_to_ask(carl, page, settings):
    settings.PLUMBLINE_WORKSPACES = 0
    settings.PLUMBLINE_CONTACT = "desk@plumbline.example"
    shown = words(page.get("/workspaces/first/"))
    assert "desk@plumbline.example" in shown
    assert "Create workspace" not in shown
    assert page.post("/workspaces/first/", {"first-name": "Carl’s"}).status_code == 422
    assert memberships(carl.pk) == []


def test_who_belongs_somewhere_is_led_there_and_makes_nothing_by_it():
    ada = join("ada")
    for answer in (
        ada.sign_in().get("/workspaces/first/"),
        ada.sign_in().post("/workspaces/first/", {"first-name": "Two"}),
    ):
        assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    assert len(memberships(ada.user.pk)) == 1


def test_the_anonymous_sign_in_first():
    assert Client().get("/workspaces/first/").headers["Location"].startswith("/login/")


def test_invitations_that_ended_long_ago_are_tidied_and_the_others_stay():
    ada, now = join("ada"), timezone.now()
    long_ago, ahead = now - timedelta(days=91), now + timedelta(days=3)
    rows = {
        "over": {"expires_at": long_ago},
        "revoked": {"expires_at": ahead, "revoked_at": long_ago},
        "accepted": {"expires_at": ahead, "accepted_at": long_ago},
        "open": {"expires_at": ahead},
        "just-over": {"expires_at": now - timedelta(days=1)},
        "just-revoked": {"expires_at": ahead, "revoked_at": now},
    }
    with tenant_context(ada.tenant.pk):
        for name, columns in rows.items():
            Invitation.objects.create(
                email=f"{name}@example.org", role=Role.VIEWER, token_hash=name, invited_by=ada.user, **columns
            )
    assert tidy_invitations() == 3
    assert tidy_invitations() == 0
    with tenant_context(ada.tenant.pk):
        assert set(Invitation.objects.values_list("token_hash", flat=True)) == {
            "open",
            "just-over",
            "just-revoked",
        }
        assert Membership.objects.count() == 1
