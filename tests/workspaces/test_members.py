"""Members: roles changed, people removed, an owner always kept."""

import pytest
from django.contrib.auth.models import User

from research.accounts.api_tokens import find_caller, issue_token
from research.accounts.workspaces.invitations import invite
from research.db.tenancy import memberships, tenant_context
from research.models import ApiToken, Invitation, Membership, Role, Scope, Tier
from tests.people import join
from tests.workspaces.test_switching import words

PAGE = "/account/workspace/"


@pytest.fixture
def mia(ada):
    return join("mia", role=Role.MEMBER, tenant=ada.tenant)


def membership_of(person) -> Membership:
    with tenant_context(person.tenant.pk):
        return Membership.objects.get(user=person.user)


def role_of(person) -> str:
    return membership_of(person).role


def at(person, act: str = "") -> str:
    return f"{PAGE}members/{membership_of(person).pk}/{act}"


def test_an_owner_changes_a_role_and_it_holds_at_once(ada, mia):
    theirs = mia.sign_in()
    assert theirs.get("/runs/new/").status_code == 200
    page = ada.sign_in().post(at(mia), {"role": "viewer"}, follow=True)
    assert "The change applies from now on" in words(page)
    assert role_of(mia) == Role.VIEWER
    refused = theirs.get("/runs/new/")
    assert refused.status_code == 403
    assert "not start or change anything" in words(refused)
    assert "/runs/new/" not in theirs.get("/").content.decode()


@pytest.mark.parametrize("role", ["", "admin", "OWNER"])
def test_a_role_that_there_is_not_changes_nothing(ada, mia, role):
    assert "Choose one of the roles" in words(ada.sign_in().post(at(mia), {"role": role}, follow=True))
    assert role_of(mia) == Role.MEMBER


def test_who_was_removed_has_lost_tokens_for_good(ada, mia):
    with tenant_context(ada.tenant.pk):
        _row, token = issue_token(mia.user, "nightly", [Scope.READ], None)
    assert find_caller(token) is not None
    theirs = mia.sign_in()
    ada.sign_in().post(at(mia, "remove/"))
    assert find_caller(token) is None
    assert "does not belong to a workspace" in words(theirs.get("/runs/"))
    with tenant_context(ada.tenant.pk):
        Membership.objects.create(user=mia.user, role=Role.MEMBER)
        assert not ApiToken.objects.open().exists()
    assert find_caller(token) is None


def test_the_last_owner_stays_one(ada, mia):
    client = ada.sign_in()
    for answer in (
        client.post(at(ada), {"role": "member"}, follow=True),
        client.post(at(ada, "remove/"), follow=True),
        client.post(f"{PAGE}leave/", follow=True),
    ):
        assert "needs an owner" in words(answer)
        assert role_of(ada) == Role.OWNER
    page = client.get(PAGE).content.decode()
    assert at(ada) not in page
    assert f"{PAGE}leave/" not in page
    assert at(mia) in page
    assert "The only owner. Make someone else an owner" in page
    client.post(at(mia), {"role": "owner"})
    assert at(ada) in client.get(PAGE).content.decode()
    client.post(f"{PAGE}leave/")
    assert memberships(ada.user.pk) == []


def test_an_owner_who_may_not_sign_in_counts_as_none(ada, mia):
    client = ada.sign_in()
    client.post(at(mia), {"role": "owner"})
    User.objects.filter(pk=mia.user.pk).update(is_active=False)
    assert "needs an owner" in words(client.post(f"{PAGE}leave/", follow=True))


def test_a_member_leaves_and_sees_nothing_more(ada, mia):
    theirs = mia.sign_in()
    assert theirs.post(f"{PAGE}leave/").status_code == 302
    assert theirs.get("/").headers["Location"] == "/workspaces/first/"
    assert theirs.get("/runs/").status_code == 403


@pytest.mark.parametrize("role", ["viewer", "reviewer", "member"])
def test_nobody_but_owners_decides_who_belongs_here(ada, role):
    person = join("vera", role=role, tenant=ada.tenant)
    theirs = person.sign_in()
    page = theirs.get(PAGE).content.decode()
    assert "Invite somebody" not in page
    assert "Remove" not in page
    assert ">Leave<" in page
    for address, sent in (
        (at(person), {"role": "owner"}),
        (at(ada, "remove/"), {}),
        (f"{PAGE}name/", {"name-name": "Mine"}),
        (f"{PAGE}invitations/", {"invite-email": "x@example.org", "invite-role": "owner"}),
    ):
        refused = theirs.post(address, sent)
        assert refused.status_code == 403, address
        assert "Only owners" in words(refused)
    assert (role_of(person), role_of(ada)) == (role, Role.OWNER)
    with tenant_context(ada.tenant.pk):
        assert not Invitation.objects.exists()


def test_another_workspaces_members_are_not_there(ada, bob):
    theirs = bob.sign_in()
    assert theirs.post(at(ada), {"role": "viewer"}).status_code == 404
    assert theirs.post(at(ada, "remove/")).status_code == 404
    assert role_of(ada) == Role.OWNER


def test_addresses_are_for_owners_alone(ada):
    User.objects.filter(pk=ada.user.pk).update(email="ada@example.org")
    vera = join("vera", role="viewer", tenant=ada.tenant)
    assert "ada@example.org" in ada.sign_in().get(PAGE).content.decode()
    assert "ada@example.org" not in vera.sign_in().get(PAGE).content.decode()


def test_a_demoted_owners_invitations_end(ada, mia):
    client = ada.sign_in()
    client.post(at(mia), {"role": "owner"})
    with tenant_context(ada.tenant.pk):
        invite("new@example.org", Role.OWNER, mia.user)
    client.post(at(mia), {"role": "member"})
    with tenant_context(ada.tenant.pk):
        assert not Invitation.objects.open().exists()


def test_a_new_workspace_is_worked_in_at_once_and_has_the_smallest_budget(ada):
    client = ada.sign_in()
    page = client.post("/workspaces/new/", {"another-name": "Second"}, follow=True)
    assert "You are now working in “Second”" in words(page)
    second = next(membership for membership in memberships(ada.user.pk) if membership.name == "Second")
    with tenant_context(second.tenant_id):
        mine = Membership.objects.select_related("tenant").get()
        assert (mine.user, mine.role, mine.tenant.tier) == (ada.user, Role.OWNER, Tier.FREE)


@pytest.mark.parametrize("name", ["", "   ", "x" * 201])
def test_a_workspace_needs_a_name(ada, name):
    client = ada.sign_in()
    assert client.post("/workspaces/new/", {"another-name": name}).status_code == 422
    assert client.post(f"{PAGE}name/", {"name-name": name}).status_code == 422
    assert [membership.name for membership in memberships(ada.user.pk)] == ["ada’s"]


def test_nobody_owns_more_than_the_site_allows(ada, settings):
    settings.PLUMBLINE_WORKSPACES = 1
    refused = ada.sign_in().post("/workspaces/new/", {"another-name": "Second"})
    assert refused.status_code == 422
    assert "the maximum number of workspaces" in words(refused)
    assert len(memberships(ada.user.pk)) == 1


def test_the_name_is_changed_by_its_owner(ada):
    assert "Heat & Co" in words(ada.sign_in().post(f"{PAGE}name/", {"name-name": "Heat & Co"}, follow=True))
    assert [membership.name for membership in memberships(ada.user.pk)] == ["Heat & Co"]
