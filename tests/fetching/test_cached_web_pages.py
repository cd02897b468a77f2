"""A tenant's cached pages, and how old they are."""

from datetime import timedelta

import pytest
from django.utils import timezone

from research.db.tenancy import create_tenant, tenant_context
from research.fetching.cached_web_pages import CachedPage, drop_copy, find_copy, keep_copies
from research.models import KeptPage, Tenant

pytestmark = pytest.mark.django_db
URL = "https://www.example.com/a?utm_source=mail"
NOW = timezone.now()


@pytest.fixture
def tenant() -> Tenant:
    return create_tenant("Readers")


def copy(**columns: object) -> CachedPage:
    given = {"final_url": URL, "raw_key": "objects/x", "media_type": "text/html", "name": "page.html"}
    return CachedPage(**{**given, "fetched_at": NOW, **columns})


def test_a_kept_page_is_found_by_every_spelling_of_its_address(tenant):
    with tenant_context(tenant.pk):
        keep_copies([(URL, copy())])
        assert find_copy("http://example.com/a/#top") == copy()


def test_no_tenant_finds_what_another_has_kept(tenant):
    with tenant_context(tenant.pk):
        keep_copies([(URL, copy())])
    with tenant_context(create_tenant("Others").pk):
        assert find_copy(URL) is None


def test_the_newest_copy_takes_the_place_of_an_older_one(tenant):
    with tenant_context(tenant.pk):
        keep_copies([(URL, copy(fetched_at=NOW - timedelta(days=3)))])
        keep_copies([(URL, copy(etag='"2"'))])
        assert KeptPage.objects.count() == 1
        assert find_copy(URL) == copy(etag='"2"')


def test_a_page_that_must_not_be_kept_is_forgotten(tenant):
    with tenant_context(tenant.pk):
        keep_copies([(URL, copy())])
        drop_copy("http://example.com/a")
        assert find_copy(URL) is None


def test_what_is_no_address_is_not_kept(tenant):
    with tenant_context(tenant.pk):
        keep_copies([("ftp://example.com/", copy())])
        assert not KeptPage.objects.exists()


@pytest.mark.parametrize(
    ("age_h", "must_check", "fresh"),
    [(0, False, True), (23, False, True), (24, False, False), (0, True, False)],
)
def test_a_copy_is_fresh_for_a_day_unless_its_server_wants_to_be_asked(age_h, must_check, fresh):
    kept = copy(fetched_at=NOW - timedelta(hours=age_h), must_check=must_check)
    assert kept.is_fresh(NOW) is fresh


def test_a_run_that_wants_newer_pages_finds_a_copy_stale_sooner():
    assert not copy(fetched_at=NOW - timedelta(hours=2)).is_fresh(NOW, timedelta(hours=1))


def test_marks_of_the_server_become_conditions():
    marked = copy(etag='W/"1"', last_modified="Tue, 01 Sep 2026 10:00:00 GMT")
    assert marked.conditions == {
        "If-None-Match": 'W/"1"',
        "If-Modified-Since": "Tue, 01 Sep 2026 10:00:00 GMT",
    }
    assert copy().conditions == {}
