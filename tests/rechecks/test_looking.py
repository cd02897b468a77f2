"""A recheck fetches a cited page like any page, and keeps it with its date, the saved copy untouched."""

import pytest

from citations.models import Recheck, RecheckedCitation, RecheckState
from config.services.browser_service import find_browser
from research.db.tenancy import tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.library.rechecks import recheck_library_sources
from research.models import Content
from research.models.base_models import new_id
from research.tasks import fetch_for_recheck, read_for_recheck
from tests.fetching.site import Said
from tests.worlds import TRIAL


def test_on_an_unchanged_page_every_quote_is_still_there(page_with_citations):
    done = page_with_citations.look()
    assert done.state == RecheckState.DONE
    assert done.finished_at is not None
    assert page_with_citations.outcomes(done) == ["still there"] * 3


def test_what_changed_is_kept_with_what_stands_there_now(page_with_citations):
    page_with_citations.says(TRIAL.replace("at nine sites", "at eight sites"))
    done = page_with_citations.look()
    assert page_with_citations.outcomes(done) == ["changed", "still there", "still there"]
    with tenant_context(page_with_citations.world.person.tenant.pk):
        changed = RecheckedCitation.objects.get(outcome="changed")
    assert changed.now == "The seasonal factor stayed above two at eight sites."
    assert 0.8 < changed.similarity < 1


def test_what_was_deleted_is_gone(page_with_citations):
    page_with_citations.says(
        "Something else altogether stands here, about gardens and the soil that they need for roses."
    )
    assert page_with_citations.outcomes(page_with_citations.look()) == ["gone"] * 3


def test_with_the_page_its_quotes_are_gone(page_with_citations):
    page_with_citations.site.pages["/trial"] = Said("", 410)
    done = page_with_citations.look()
    assert (done.state, page_with_citations.outcomes(done)) == (RecheckState.DONE, ["gone"] * 3)
    assert "no such page (410)" in done.reason


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Said("", 402), "only to subscribers"),
        (Said("x" * 10, kind="image/png"), "image/png, not text"),
        (Said(b"%PDF-1.4 and no more", kind="application/pdf"), "was cut off"),
        (Said("<html><body></body></html>"), "contains no text"),
    ],
)
def test_a_page_that_cannot_be_read_says_nothing_about_its_quotes(page_with_citations, answer, reason):
    page_with_citations.site.pages["/trial"] = answer
    done = page_with_citations.look()
    assert (done.state, page_with_citations.outcomes(done)) == (RecheckState.UNREADABLE, [])
    assert reason in done.reason


def test_robots_txt_is_obeyed(page_with_citations):
    page_with_citations.site.pages["/robots.txt"] = Said("User-agent: *\nDisallow: /\n", kind="text/plain")
    done = page_with_citations.look()
    assert done.state == RecheckState.UNREADABLE
    assert "robots.txt" in done.reason
    assert page_with_citations.site.asked == ["/robots.txt"]


def test_an_address_inside_the_network_is_not_asked(page_with_citations, settings):
    settings.PLUMBLINE_ALLOW_LOOPBACK = False
    close_fetch_process()
    done = page_with_citations.look()
    assert done.state == RecheckState.UNREADABLE
    assert page_with_citations.site.asked == []


def test_a_host_without_an_address_is_no_proof_that_the_page_is_gone(page_with_citations):
    with tenant_context(page_with_citations.world.person.tenant.pk):
        source = page_with_citations.source
        source.url = "http://nowhere.invalid-host-of-nobody.org/trial"
        source.save()
    done = page_with_citations.look()
    assert (done.state, page_with_citations.outcomes(done)) == (RecheckState.UNREADABLE, [])


def test_the_frozen_text_stays_as_it_was(page_with_citations):
    with tenant_context(page_with_citations.world.person.tenant.pk):
        before = list(Content.objects.order_by("pk").values_list("pk", "sha256", "text"))
    page_with_citations.says(
        "Nothing of it is left here, but for some words about the weather of the coming days and weeks."
    )
    page_with_citations.look()
    with tenant_context(page_with_citations.world.person.tenant.pk):
        assert list(Content.objects.order_by("pk").values_list("pk", "sha256", "text")) == before


def test_a_site_that_asks_for_a_pause_is_asked_again_later(page_with_citations):
    page_with_citations.site.pages["/trial"] = Said("", 503, headers={"Retry-After": "120"})
    waiting = page_with_citations.look()
    assert (waiting.state, waiting.finished_at) == (RecheckState.WAITING, None)
    assert waiting.not_before is not None
    assert "too many requests" in waiting.reason


def test_after_three_tries_it_is_given_up_with_the_last_reason(page_with_citations):
    page_with_citations.site.pages["/trial"] = Said("", 503)
    asked = page_with_citations.ask()
    for _ in range(3):
        with tenant_context(asked.tenant_id):
            Recheck.objects.update(not_before=None)
        recheck_library_sources.fetch(asked.tenant_id, asked.pk)
    with tenant_context(asked.tenant_id):
        asked.refresh_from_db()
    assert (asked.state, asked.attempts) == (RecheckState.UNREADABLE, 3)
    assert "too many requests" in asked.reason


def test_the_workers_fetch_first_and_read_then(page_with_citations, broker_messages):
    asked = page_with_citations.ask()
    ids = (str(asked.tenant_id), str(asked.pk))
    fetch_for_recheck(*ids)
    assert broker_messages == [
        ("research.tasks.fetch_for_recheck", *ids),
        ("research.tasks.read_for_recheck", *ids),
    ]
    read_for_recheck(*ids)
    assert page_with_citations.outcomes(asked) == ["still there"] * 3


def test_a_message_that_comes_twice_finds_nothing_to_do(page_with_citations):
    done = page_with_citations.look()
    for _ in range(2):
        fetch_for_recheck(str(done.tenant_id), str(done.pk))
        read_for_recheck(str(done.tenant_id), str(done.pk))
    assert len(page_with_citations.outcomes(done)) == 3
    assert page_with_citations.site.asked.count("/trial") == 1


def test_who_died_with_it_loses_its_turn_and_the_next_one_does_it(page_with_citations):
    asked = page_with_citations.ask()
    taken = recheck_library_sources._take(asked.tenant_id, asked.pk, RecheckState.WAITING)
    assert taken is not None
    assert not recheck_library_sources.fetch(asked.tenant_id, asked.pk)  # in other hands
    with tenant_context(asked.tenant_id):
        Recheck.objects.update(not_before=None)  # those hands are gone
    assert recheck_library_sources.fetch(asked.tenant_id, asked.pk)


def test_a_look_that_kills_everybody_who_takes_it_ends_all_the_same(page_with_citations):
    asked = page_with_citations.ask()
    with tenant_context(asked.tenant_id):
        Recheck.objects.update(attempts=3)
    assert not recheck_library_sources.fetch(asked.tenant_id, asked.pk)
    with tenant_context(asked.tenant_id):
        asked.refresh_from_db()
    assert (asked.state, asked.reason) == (RecheckState.UNREADABLE, recheck_library_sources.SILENT)


def store_as_rendered(cited) -> None:
    """Store the source as if a browser had rendered the page."""
    with tenant_context(cited.world.person.tenant.pk):
        content = Content.objects.get(sources=cited.world.trial.pk)
        content.pk, content.raw_sha256, content.rendering = new_id(), "0" * 64, {"browser": "Chromium 1"}
        content.save(force_insert=True)
        type(cited.world.trial).objects.filter(pk=cited.world.trial.pk).update(content=content)


def test_without_a_browser_nothing_is_said_about_a_page_that_one_had_shown(page_with_citations, settings):
    store_as_rendered(page_with_citations)
    settings.PLUMBLINE_BROWSER = "none"
    close_fetch_process()
    done = page_with_citations.look()
    assert (done.state, page_with_citations.outcomes(done)) == (RecheckState.UNREADABLE, [])
    assert "needs a browser" in done.reason


@pytest.mark.browser
def test_a_page_that_a_browser_had_shown_is_shown_again(page_with_citations):
    if not find_browser("").path:
        pytest.skip("chromium is not installed: apt-get install chromium")
    store_as_rendered(page_with_citations)
    assert page_with_citations.outcomes(page_with_citations.look()) == ["still there"] * 3
