"""The session with which the bench polls is one as signing in makes it."""

import pytest
from django.conf import settings
from django.test import Client

from research.accounts.people import PersonalAccount
from research.management.bench_viewer import session_of
from tests.worlds import make_report


@pytest.mark.django_db
def test_the_bench_watches_as_one_who_is_signed_in(ada):
    world = make_report(ada)
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = session_of(PersonalAccount(ada.user, ada.tenant.pk))
    assert client.get(f"/runs/{world.run.pk}/").status_code == 200
