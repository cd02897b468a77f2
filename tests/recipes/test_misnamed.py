"""Quotes that are not in the source that a model named for them."""

import pytest

from research.recipes.report.analyzing import misnamed
from research.recipes.report.analyzing.misnamed import NO_ANCHOR, Found, replaced
from research.recipes.report.reading.admission import Admission
from research.recipes.report.reading.admitting import NOT_CARRIED, Proposed, Refused, Unplaced
from research.recipes.report.readings import read_all_sources
from research.tenancy import tenant_context
from tests.people import join
from tests.worlds import ReportWorld, add_source, make_report

SITES = "The seasonal factor stayed above two at nine sites."
MADE_UP = "The seasonal factor reached five at every site of the trial."


@pytest.fixture
def world(db: None) -> ReportWorld:
    return make_report(join("ada"))


def looked_up(world: ReportWorld, *proposed: Proposed) -> Found:
    """Notes on the study, whose quotes it does not have."""
    with tenant_context(world.person.tenant.pk):
        readings = read_all_sources(world.run.pk)
    return replaced([Admission(world.study.pk, (), unplaced=tuple(map(Unplaced, proposed)))], readings)


def test_a_quote_of_another_source_is_found_there(world):
    [one] = looked_up(world, Proposed(SITES, SITES)).placed
    assert (one.named, one.source) == (world.study.pk, world.trial.pk)
    assert world.trial.text[one.claim.start : one.claim.end] == SITES


def test_a_close_quote_keeps_how_close_it_is(world):
    close = "The seasonal factors stayed above two at nine sites"
    [one] = looked_up(world, Proposed(SITES, close)).placed
    assert 0.9 <= one.claim.similarity < 1


def test_a_made_up_quote_is_refused(world):
    assert looked_up(world, Proposed(SITES, MADE_UP)).refused == (Refused(SITES, NO_ANCHOR),)


def test_words_that_do_not_carry_the_claim_give_their_own_in_its_place(world):
    [one] = looked_up(world, Proposed("The trial cost five million euros.", SITES)).placed
    assert one.claim.text == SITES


def test_a_heading_of_another_source_carries_nothing(world):
    found = looked_up(world, Proposed("A cold field trial was held.", "Cold field trial"))
    assert [one.reason for one in found.refused] == [NO_ANCHOR]


def test_a_place_that_states_nothing_is_refused(world):
    with tenant_context(world.person.tenant.pk):
        add_source(
            world.run, "question.txt", "A question\n\nWhy is it so cold in Kiruna?", title="A question"
        )
    found = looked_up(world, Proposed("It is cold.", "Why is it so cold in Kiruna?"))
    assert [one.reason for one in found.refused] == [NOT_CARRIED]


def test_no_more_are_looked_for_than_are_worth_it(world, monkeypatch):
    monkeypatch.setattr(misnamed, "MOST_LOOKED_FOR", 1)
    found = looked_up(world, Proposed(SITES, SITES), Proposed(SITES, SITES))
    assert (len(found.placed), found.refused) == (1, (Refused(SITES, NO_ANCHOR),))
