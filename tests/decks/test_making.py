"""Making a deck: it is there whole with its first version, or fails with a code; who comes second finds nothing."""

from datetime import timedelta

import pytest
from django.utils import timezone

from exports.files.export_file_state import ExportState
from exports.files.export_lease import MAX_ATTEMPTS
from research.db.tenancy import tenant_context
from research.models import Run, State
from slides.decks import make_deck
from slides.decks.request_deck import DeckRefused, ask_again, make_again
from slides.models import Change, Deck, DeckCode, DeckVersion, Length, Outline
from tests.decks.conftest import ask_for_deck, make_and_reload
from tests.people import join
from tests.worlds import make_report


def test_a_deck_has_its_first_version_with_the_reports_claims(deck, version, within):
    value = version.value
    assert (deck.state, deck.outlined_by, version.number, version.change) == (
        ExportState.READY,
        Outline.RULES,
        1,
        Change.MADE,
    )
    bullets = [passage for slide in value.slides for passage in slide.passages if passage.claim]
    assert {passage.claim for passage in bullets} <= set(value.claim_of)
    assert all(passage.sources for passage in bullets)
    assert value.report_url.endswith(f"/runs/{within.run.pk}/report/")


def test_slides_are_numbered_from_one(version):
    assert [slide.number for slide in version.value.slides] == list(range(1, version.slide_count + 1))


def test_sources_are_written_as_references(version):
    assert any(
        "Miller" in source.reference and "2024" in source.reference for source in version.value.sources
    )


def test_a_short_deck_is_no_longer_than_a_full_one(within):
    short, full = (
        make_and_reload(ask_for_deck(within, length=length)) for length in (Length.SHORT, Length.FULL)
    )
    assert short.versions.get().slide_count <= full.versions.get().slide_count


def test_making_twice_makes_once(deck):
    before = (deck.fence, deck.finished_at)
    make_and_reload(deck)
    assert (deck.fence, deck.finished_at, deck.versions.count()) == (*before, 1)


def test_a_run_that_goes_on_has_no_slides_yet(ada):
    world = make_report(ada, state=State.READING)
    with tenant_context(ada.tenant.pk), pytest.raises(DeckRefused, match="still being written"):
        ask_for_deck(world)


def test_a_fault_of_the_program_fails_the_deck_alone(within, monkeypatch):
    monkeypatch.setattr(make_deck, "outline_deck", lambda *_: 1 / 0)
    deck = make_and_reload(ask_for_deck(within))
    assert (deck.state, deck.error_code, deck.taken_by) == (ExportState.FAILED, DeckCode.BROKEN, "")
    assert not deck.versions.exists()


def test_what_failed_can_be_asked_for_again(within, monkeypatch):
    monkeypatch.setattr(make_deck, "outline_deck", lambda *_: 1 / 0)
    deck = make_and_reload(ask_for_deck(within))
    monkeypatch.undo()
    make_again(deck)
    assert make_and_reload(deck).state == ExportState.READY


def test_a_worker_that_died_is_followed_by_another(within):
    deck = ask_for_deck(within)
    left = {"state": ExportState.MAKING, "taken_by": "gone", "fence": 1, "attempts": 1}
    Deck.objects.update(**left, taken_until=timezone.now() - timedelta(seconds=1))
    assert (make_and_reload(deck).state, deck.attempts, deck.fence) == (ExportState.READY, 2, 2)


def test_a_deck_that_kills_its_workers_is_given_up(within):
    deck = ask_for_deck(within)
    left = {"state": ExportState.MAKING, "taken_by": "gone", "attempts": MAX_ATTEMPTS}
    Deck.objects.update(**left, taken_until=timezone.now() - timedelta(seconds=1))
    assert (make_and_reload(deck).state, deck.error_code) == (ExportState.FAILED, DeckCode.INTERRUPTED)


def test_who_was_thought_dead_writes_nothing(within, monkeypatch):
    deck = ask_for_deck(within)
    outline = make_deck.outline_deck

    def slowly(*given: object) -> object:
        Deck.objects.update(fence=9)  # another took it meanwhile
        return outline(*given)

    monkeypatch.setattr(make_deck, "outline_deck", slowly)
    make_and_reload(deck)
    assert (deck.state, DeckVersion.objects.count()) == (ExportState.MAKING, 0)


def test_the_sweep_asks_for_what_nobody_took(within, monkeypatch):
    told: list[str] = []
    monkeypatch.setattr(
        "exports.files.export_lease.current_app.send_task", lambda name, args, **_: told.append(args[1])
    )
    deck = ask_for_deck(within)
    Deck.objects.update(updated_at=timezone.now() - timedelta(minutes=1))
    assert (ask_again(), told) == (1, [str(deck.pk)])


def test_decks_of_others_are_not_there(deck):
    other = join("bob")
    with tenant_context(other.tenant.pk):
        assert (Deck.objects.count(), DeckVersion.objects.count(), Run.objects.count()) == (0, 0, 0)
