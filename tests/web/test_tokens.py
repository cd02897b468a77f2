"""The page where tokens are made, shown once, and taken back."""

import re

import pytest
from django.test import Client

from research.accounts.api_tokens import MAX_TOKENS, find_caller, issue_token
from research.db.tenancy import tenant_context
from research.models import ApiToken, Role, Scope
from tests.people import join

PAGE = "/account/tokens/"
GIVEN = {"name": "Nightly reports", "days": "30", "scopes": ["read", "exports"]}


def make_token(client, **given) -> str:
    page = client.post(PAGE, GIVEN | given).content.decode()
    found = re.search(r'value="(plumb_[\w-]{43})"', page)
    assert found, page
    return found[1]


def test_a_token_is_shown_once_and_kept_as_its_hash(client, ada):
    token = make_token(client)
    assert token not in client.get(PAGE).content.decode()
    with tenant_context(ada.tenant.pk):
        row = ApiToken.objects.get()
        assert token not in "".join(map(str, vars(row).values()))
        assert (row.name, row.scopes, row.hint) == ("Nightly reports", "read exports", token[:10])
    caller = find_caller(token)
    assert caller is not None
    assert (caller.tenant_id, caller.user_id, caller.role) == (ada.tenant.pk, ada.user.pk, Role.OWNER)


def test_what_was_taken_back_opens_nothing(client, ada):
    token = make_token(client)
    with tenant_context(ada.tenant.pk):
        address = f"{PAGE}{ApiToken.objects.get().pk}/revoke/"
    page = client.post(address, follow=True)
    assert b"Taken back" in page.content
    assert find_caller(token) is None


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"name": ""}, "Give the token a name"),
        ({"scopes": []}, "Choose at least one"),
        ({"scopes": ["everything"]}, "everything"),
        ({"days": "9999"}, "9999"),
        ({"name": "x" * 101}, "100"),
    ],
)
def test_a_form_that_makes_no_token_says_why(client, ada, given, complaint):
    response = client.post(PAGE, GIVEN | given)
    assert response.status_code == 422
    assert complaint in response.content.decode()
    with tenant_context(ada.tenant.pk):
        assert not ApiToken.objects.exists()


def test_others_tokens_are_not_there(client, ada, stranger):
    make_token(client)
    colleague = join("carla", tenant=ada.tenant)
    with tenant_context(ada.tenant.pk):
        address = f"{PAGE}{ApiToken.objects.get().pk}/revoke/"
    for other in (stranger, colleague.sign_in()):
        assert b"Nightly reports" not in other.get(PAGE).content
        assert other.post(address).status_code == 404
    assert Client().post(address).status_code == 302
    assert client.get(address).status_code == 405


@pytest.mark.parametrize("role", [Role.VIEWER, Role.REVIEWER])
def test_who_starts_nothing_makes_none_and_takes_back_what_there_is(ada, role):
    vera = join("vera", role=role, tenant=ada.tenant)
    theirs = vera.sign_in()
    assert theirs.post(PAGE, GIVEN).status_code == 403
    assert "Create a token" not in theirs.get(PAGE).content.decode()
    with tenant_context(ada.tenant.pk):
        row, token = issue_token(vera.user, "of before", [Scope.READ], None)
    assert theirs.post(f"{PAGE}{row.pk}/revoke/").status_code == 302
    assert find_caller(token) is None


def test_who_left_the_workspace_or_the_site_comes_in_no_more(client, ada):
    token = make_token(client)
    ada.user.is_active = False
    ada.user.save()
    assert find_caller(token) is None


def test_nobody_has_too_many(client, ada, monkeypatch):
    with tenant_context(ada.tenant.pk):
        for number in range(MAX_TOKENS):
            issue_token(ada.user, str(number), ["read"], None)
    assert b"the maximum number of tokens" in client.post(PAGE, GIVEN).content
