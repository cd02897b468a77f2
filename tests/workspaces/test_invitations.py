"""Invitations: a link that opens once, for seven days, for one person."""

import re

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db.models.functions import Now
from django.test import Client

from research.accounts.notification_mail import send_waiting
from research.accounts.workspaces.invitations import LASTS, MAX_SENT
from research.db.tenancy import memberships, tenant_context
from research.models import Invitation, Mail, Membership, Role
from tests.people import join, may_enter
from tests.workspaces.test_switching import words

PAGE = "/account/workspace/"
NEW = {"username": "nora", "password": "plumb-line-9"}


def send(client: Client, email: str = "nora@example.org", role: str = "member"):
    return client.post(f"{PAGE}invitations/", {"invite-email": email, "invite-role": role})


def link_of(person) -> str:
    """The path in the newest mail."""
    with tenant_context(person.tenant.pk):
        body = Mail.objects.order_by("-created_at").first().body
    found = re.search(r"/invitations/\S+", body)
    assert found, body
    return found[0]


@pytest.fixture
def owner(ada):
    return ada.sign_in()


@pytest.fixture
def link(ada, owner):
    assert send(owner).status_code == 302
    return link_of(ada)


def row_of(ada) -> Invitation:
    with tenant_context(ada.tenant.pk):
        return Invitation.objects.get()


def test_a_new_person_makes_an_account_and_works_there(ada, link):
    visitor = Client()
    page = words(visitor.get(link))
    assert "ada invites you to work in “ada’s”" in page
    assert "nora@example.org" in page
    welcome = visitor.post(link, NEW, follow=True)
    assert "Welcome. You are now working in “ada’s”" in words(welcome)
    nora = User.objects.get(username="nora")
    assert [(membership.tenant_id, membership.role) for membership in memberships(nora.pk)] == [
        (ada.tenant.pk, Role.MEMBER)
    ]
    assert may_enter("nora@example.org", "plumb-line-9")
    assert not nora.is_staff


def test_the_link_opens_once(ada, link):
    Client().post(link, NEW)
    again = Client().get(link)
    assert again.status_code == 410
    assert "is no longer valid" in words(again)
    assert Client().post(link, {**NEW, "username": "second"}).status_code == 410
    assert not User.objects.filter(username="second").exists()


def test_neither_the_link_nor_the_mail_that_went_stands_in_a_table(ada, link):
    token = link.split("/")[2]
    row = row_of(ada)
    assert token not in str(vars(row))
    assert row.expires_at - row.updated_at <= LASTS
    assert send_waiting() == 1
    assert link in mail.outbox[0].body
    assert mail.outbox[0].to == ["nora@example.org"]
    with tenant_context(ada.tenant.pk):
        assert token not in str(list(Mail.objects.values()))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda link: link.replace("/invitations/", "/invitations/0"),
        lambda link: link[:-2] + ("A" if link[-2] != "A" else "B") + "/",
        lambda link: f"/invitations/{'x' * 3000}/",
        lambda link: "/invitations/nothing/",
        lambda link: "/invitations/.é./",
        lambda link: link.replace(".", ""),
    ],
)
def test_a_link_that_is_not_ours_opens_nothing(link, spoil):
    assert Client().get(spoil(link)).status_code == 410
    assert Client().post(spoil(link), NEW).status_code == 410
    assert not User.objects.filter(username="nora").exists()


def test_a_link_ends_after_seven_days_and_can_be_sent_again(ada, owner, link):
    with tenant_context(ada.tenant.pk):
        Invitation.objects.update(expires_at=Now())
    assert Client().get(link).status_code == 410
    assert "Ended" in words(owner.get(PAGE))
    owner.post(f"{PAGE}invitations/{row_of(ada).pk}/again/")
    newer = link_of(ada)
    assert newer != link
    assert Client().get(link).status_code == 410
    assert Client().get(newer).status_code == 200


def test_it_is_sent_a_few_times_and_no_more(ada, owner, link):
    address = f"{PAGE}invitations/{row_of(ada).pk}/again/"
    for _time in range(MAX_SENT - 1):
        owner.post(address)
    assert "sent the maximum number of times" in words(owner.post(address, follow=True))
    assert row_of(ada).sent_count == MAX_SENT
    assert send_waiting() == 1  # those before were taken back


def test_what_was_taken_back_opens_nothing_and_is_not_sent(ada, owner, link):
    owner.post(f"{PAGE}invitations/{row_of(ada).pk}/revoke/")
    assert Client().get(link).status_code == 410
    assert send_waiting() == 0
    assert "nora@example.org" not in words(owner.get(PAGE))
    assert send(owner).status_code == 302  # and the person can be invited anew


def test_an_existing_person_accepts_signed_in_and_no_other_does(ada, link):
    nora = join("nora")
    User.objects.filter(pk=nora.user.pk).update(email="Nora@Example.org")
    stranger = join("eve").sign_in()
    assert "this invitation is for nora@example.org" in words(stranger.get(link))
    assert stranger.post(link).status_code == 403
    assert "There is already an account with this address" in words(Client().get(link))
    assert Client().post(link, NEW).status_code == 403
    assert memberships(nora.user.pk)[0].tenant_id == nora.tenant.pk
    client = nora.sign_in()
    assert "Accept" in words(client.get(link))
    assert "You are now working in “ada’s”" in words(client.post(link, follow=True))
    assert [membership.name for membership in memberships(nora.user.pk)] == ["nora’s", "ada’s"]
    assert client.get(link).status_code == 410


def test_who_belongs_already_keeps_the_role(ada, owner, link):
    nora = join("nora", role=Role.VIEWER, tenant=ada.tenant)
    User.objects.filter(pk=nora.user.pk).update(email="nora@example.org")
    nora.sign_in().post(link)
    with tenant_context(ada.tenant.pk):
        assert Membership.objects.get(user=nora.user).role == Role.VIEWER


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"username": ""}, "Choose a name"),
        ({"username": "ada"}, "already"),
        ({"username": "no way!"}, "valid username"),
        ({"username": "\uff41\uff44\uff41"}, "already"),  # in the wide letters that become the plain ones
        ({"username": "\u0430da"}, "one alphabet"),  # the first letter is Cyrillic
        ({"username": "ada@example.org"}, "your own"),
        ({"password": ""}, "Choose a password"),
        ({"password": "short"}, "too short"),
        ({"password": "password123"}, "too common"),
        ({"password": "nora@example.org"}, "too similar"),
    ],
)
def test_an_account_that_can_not_be_made_says_why_and_leaves_the_link_open(link, given, complaint):
    page = Client().post(link, {**NEW, **given})
    assert page.status_code == 422
    assert complaint in words(page)
    assert not User.objects.filter(email="nora@example.org").exists()
    assert Client().get(link).status_code == 200


def test_a_name_that_is_taken_meanwhile_is_told_and_leaves_the_link_open(link, monkeypatch):
    monkeypatch.setattr(
        "research.web.account.workspace_forms.NewAccountForm.clean_username", lambda _form: "ada"
    )
    page = Client().post(link, NEW)
    assert page.status_code == 422
    assert "already" in words(page)
    assert Client().get(link).status_code == 200


@pytest.mark.parametrize("name", ["nora@example.org", "\u043d\u043e\u0440\u0430", "nora.7+x"])
def test_any_alphabet_and_ones_own_address_will_do_as_a_name(link, name):
    assert Client().post(link, {**NEW, "username": name}).status_code == 302


@pytest.mark.parametrize(
    ("email", "role"),
    [("", "member"), ("no address", "member"), ("a@b.example", ""), ("a@b.example", "admin")],
)
def test_an_invitation_that_can_not_be_sent_says_why(ada, owner, email, role):
    assert send(owner, email, role).status_code == 422
    with tenant_context(ada.tenant.pk):
        assert not Mail.objects.exists()


def test_nobody_is_invited_twice_at_a_time_nor_who_is_here(ada, owner, link):
    assert "already been invited" in words(send(owner, "NORA@example.org"))
    User.objects.filter(pk=ada.user.pk).update(email="ada@example.org")
    assert "is already a member of the workspace" in words(send(owner, "Ada@example.org"))


def test_another_workspaces_invitations_are_not_there(ada, bob, link):
    for act in ("again", "revoke"):
        assert bob.sign_in().post(f"{PAGE}invitations/{row_of(ada).pk}/{act}/").status_code == 404
    assert Client().get(link).status_code == 200
