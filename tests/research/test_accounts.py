"""The account that is ready on this machine."""

import pytest

from research.accounts.people import LOCAL_USER, NoAccount, account_of, ensure_local_account
from research.db.tenancy import tenant_context
from research.models import Membership
from tests.people import may_enter

pytestmark = pytest.mark.django_db


def test_the_local_account_may_use_the_admin():
    assert ensure_local_account().user.is_staff


@pytest.mark.parametrize("password", ["", "demo", "plumbline"])
def test_nobody_signs_in_to_the_local_account_with_a_password(password):
    ensure_local_account()
    assert not may_enter(LOCAL_USER, password)


def test_asking_again_gives_the_same_account():
    assert ensure_local_account() == ensure_local_account()


def test_the_local_account_owns_its_tenant():
    account = ensure_local_account()
    with tenant_context(account.tenant_id):
        [membership] = Membership.objects.all()
    assert (membership.user, membership.role) == (account.user, "owner")


def test_a_changed_password_is_kept():
    user = ensure_local_account().user
    user.set_password("my own words")
    user.save()
    assert ensure_local_account().user.check_password("my own words")


def test_a_user_is_found_with_the_tenant_the_user_belongs_to(world):
    assert account_of("ada").tenant_id == world.tenant.pk


@pytest.mark.parametrize("name", ["nobody", ""])
def test_an_unknown_user_has_no_account(name):
    with pytest.raises(NoAccount, match="no user"):
        account_of(name)


def test_a_user_without_a_tenant_has_no_account(django_user_model):
    django_user_model.objects.create_user("loner")
    with pytest.raises(NoAccount, match="no workspace"):
        account_of("loner")
