"""A page for a run: the tenant's copy while it is new, else asked for with its marks; nothing kept that must not be."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from research.db.tenancy import create_tenant, tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.fetching.fetched_page_content import FetchError
from research.fetching.get_web_page import AcquiredPage, acquire
from research.models import KeptPage
from research.storage.object_store import get_object
from tests.fetching.site import Said, Site, serve_site
from tests.fetching.sockets import run

pytestmark = pytest.mark.django_db(transaction=True)
BODY = "<html><body><p>" + "Heat pumps were measured over two winters. " * 40 + "</p></body></html>"
NEW = BODY.replace("two", "three")
Get = Callable[..., AcquiredPage]


@pytest.fixture
def site(settings) -> Iterator[Site]:
    settings.PLUMBLINE_ALLOW_LOOPBACK = True
    settings.PLUMBLINE_POLITENESS_MS = 0
    close_fetch_process()
    with serve_site({"/a": Said(BODY, headers={"ETag": '"1"'})}) as site:
        yield site
    close_fetch_process()


@pytest.fixture
def tenant() -> UUID:
    return create_tenant("Readers").pk


@pytest.fixture
def get(site: Site, tenant: UUID) -> Get:
    def act(path: str = "/a", tenant_id: UUID = tenant, **limits: timedelta) -> AcquiredPage:
        return run(acquire(tenant_id, "run", f"{site.base}{path}", **limits))

    return act


def list_requested_paths(site: Site) -> list[str]:
    return [path for path in site.asked if path != "/robots.txt"]


def a_day_passes(tenant: UUID) -> None:
    with tenant_context(tenant):
        KeptPage.objects.update(fetched_at=timezone.now() - timedelta(hours=25))


def test_a_page_is_asked_for_once_a_day(site, get):
    first, again = get(), get()
    assert (first.how, again.how) == ("fetched", "kept")
    assert get_object(again.raw_key) == BODY.encode()
    assert list_requested_paths(site) == ["/a"]


def test_another_tenant_asks_for_itself(site, get):
    get()
    other = get(tenant_id=create_tenant("Others").pk)
    assert not other.was_kept
    assert list_requested_paths(site) == ["/a", "/a"]


def test_a_page_that_did_not_change_is_not_sent_again(site, get, tenant):
    first = get()
    a_day_passes(tenant)
    site.pages["/a"] = lambda path: Said("", 304) if site.heard[-1]["if-none-match"] == '"1"' else Said(NEW)
    second, third = get(), get()
    assert (second.how, third.how) == ("unchanged", "kept")
    assert second.raw_key == first.raw_key
    assert list_requested_paths(site) == ["/a", "/a"]


def test_the_time_of_the_last_change_is_a_mark_too(site, get, tenant):
    since = "Tue, 01 Sep 2026 10:00:00 GMT"
    site.pages["/a"] = Said(BODY, headers={"Last-Modified": since})
    get()
    a_day_passes(tenant)
    get()
    assert site.heard[-1]["if-modified-since"] == since


def test_a_page_that_changed_takes_the_place_of_its_copy(site, get, tenant):
    first = get()
    a_day_passes(tenant)
    site.pages["/a"] = Said(NEW)
    second, third = get(), get()
    assert first.raw_key != second.raw_key == third.raw_key
    assert get_object(third.raw_key) == NEW.encode()
    assert get_object(first.raw_key) == BODY.encode()  # what was read stays


def test_marks_go_only_to_the_address_that_gave_them(site, get, tenant):
    site.pages["/old"] = Said("", 302, headers={"Location": "/a"})
    get("/old")
    a_day_passes(tenant)
    get("/old")
    heard = dict(zip(site.asked, site.heard, strict=True))
    assert "if-none-match" not in heard["/old"]
    assert heard["/a"]["if-none-match"] == '"1"'


def test_a_run_may_want_newer_pages(site, get):
    get()
    assert get(max_age=timedelta(0)).checked
    assert list_requested_paths(site) == ["/a", "/a"]


@pytest.mark.parametrize(
    ("said", "times"), [("no-store", 2), ("private, no-cache", 2), ("max-age=60", 1), ('no-cache="X-A"', 1)]
)
def test_what_a_server_wants_of_caches_is_obeyed(site, get, said, times):
    site.pages["/a"] = Said(BODY, headers={"Cache-Control": said})
    get(), get()
    assert len(list_requested_paths(site)) == times


def test_a_page_that_must_not_be_kept_leaves_no_trace_in_the_cache(site, get, tenant):
    get()
    site.pages["/a"] = Said(BODY, headers={"Cache-Control": "No-Store"})
    get(max_age=timedelta(0))
    with tenant_context(tenant):
        assert not KeptPage.objects.exists()


def test_a_page_that_is_gone_is_forgotten(site, get, tenant):
    get()
    del site.pages["/a"]
    with pytest.raises(FetchError, match="404"):
        get(max_age=timedelta(0))
    with tenant_context(tenant):
        assert not KeptPage.objects.exists()


def test_a_server_that_fails_costs_no_copy(site, get, tenant):
    get()
    site.pages["/a"] = Said("", 500)
    with pytest.raises(FetchError):
        get(max_age=timedelta(0))
    assert get().was_kept


def test_a_copy_whose_bytes_are_gone_is_fetched_again(site, get, tmp_path, settings):
    get()
    settings.MEDIA_ROOT = tmp_path / "empty"
    assert not get().was_kept
    assert list_requested_paths(site) == ["/a", "/a"]


def test_a_server_that_calls_unchanged_what_nobody_has_gives_no_page(site, get):
    site.pages["/a"] = Said("", 304)
    with pytest.raises(FetchError, match="304"):
        get()
