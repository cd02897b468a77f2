"""Quotes that are not in the source that a model named for them."""

import pytest

from research.db.tenancy import tenant_context
from research.pipelines.common.report_source_readings import read_all_sources
from research.pipelines.report.analyzing import misattributed_report_notes
from research.pipelines.report.analyzing.misattributed_report_notes import (
    NO_ANCHOR,
    TURNED,
    MisattributionResult,
    relocate_quotes,
)
from research.pipelines.report.reading.admit_report_notes import (
    NOT_CARRIED,
    ProposedClaim,
    RefusedClaim,
    UnplacedClaim,
)
from research.pipelines.report.reading.store_report_notes import Admission
from tests.people import join
from tests.worlds import ReportWorld, add_source, make_report

SITES = "The seasonal factor stayed above two at nine sites."
MADE_UP = "The seasonal factor reached five at every site of the trial."


@pytest.fixture
def world(db: None) -> ReportWorld:
    return make_report(join("ada"))


def relocate(world: ReportWorld, *proposed: ProposedClaim) -> MisattributionResult:
    """Notes on the study, whose quotes it does not have."""
    with tenant_context(world.person.tenant.pk):
        readings = read_all_sources(world.run.pk)
    return relocate_quotes(
        [Admission(world.study.pk, (), unplaced=tuple(map(UnplacedClaim, proposed)))], readings
    )


def test_a_quote_of_another_source_is_found_there(world):
    [one] = relocate(world, ProposedClaim(SITES, SITES)).placed
    assert (one.named, one.source) == (world.study.pk, world.trial.pk)
    assert world.trial.text[one.claim.start : one.claim.end] == SITES


def test_a_close_quote_keeps_how_close_it_is(world):
    close = "The seasonal factors stayed above two at nine sites"
    [one] = relocate(world, ProposedClaim(SITES, close)).placed
    assert 0.9 <= one.claim.similarity < 1


def test_a_made_up_quote_is_refused(world):
    assert relocate(world, ProposedClaim(MADE_UP, MADE_UP)).refused == (RefusedClaim(MADE_UP, NO_ANCHOR),)


def test_words_that_do_not_carry_the_claim_give_their_own_in_its_place(world):
    [one] = relocate(world, ProposedClaim("The trial cost five million euros.", SITES)).placed
    assert one.claim.text == SITES


def test_a_heading_of_another_source_carries_nothing(world):
    found = relocate(world, ProposedClaim("A cold field trial was held.", "Cold field trial"))
    assert [one.reason for one in found.refused] == [NO_ANCHOR]


def test_a_place_that_states_nothing_is_refused(world):
    with tenant_context(world.person.tenant.pk):
        add_source(
            world.run, "question.txt", "A question\n\nWhy is it so cold in Kiruna?", title="A question"
        )
    found = relocate(world, ProposedClaim("It is cold.", "Why is it so cold in Kiruna?"))
    assert [one.reason for one in found.refused] == [NOT_CARRIED]


def test_beyond_the_first_quotes_are_looked_for_letter_by_letter(world, monkeypatch):
    monkeypatch.setattr(misattributed_report_notes, "MAX_LOOKED_FOR", 1)
    close = "The seasonal factors stayed above two at nine sites"
    found = relocate(
        world, ProposedClaim(SITES, SITES), ProposedClaim(MADE_UP, close), ProposedClaim(SITES, SITES)
    )
    assert (len(found.placed), found.refused) == (2, (RefusedClaim(MADE_UP, NO_ANCHOR),))


def test_a_claim_that_a_source_says_word_for_word_is_found_whatever_its_quote(world):
    [moved] = relocate(world, ProposedClaim(SITES, MADE_UP)).placed
    assert (moved.named, moved.source) == (world.study.pk, world.trial.pk)
    assert world.trial.text[moved.claim.start : moved.claim.end].rstrip(".") == SITES.rstrip(".")


def test_a_quote_with_an_ellipsis_is_found_in_another_source(world):
    [moved] = relocate(world, ProposedClaim(SITES, "The seasonal factor … at nine sites.")).placed
    assert world.trial.text[moved.claim.start : moved.claim.end] == SITES


def test_a_quote_that_leaves_out_a_negation_says_so(world):
    with tenant_context(world.person.tenant.pk):
        add_source(
            world.run, "yard.txt", "Parking in the inner yard is not permitted on a Sunday.", title="Yard"
        )
    claim = "Parking in the inner yard is permitted on a Sunday."
    found = relocate(world, ProposedClaim(claim, "Parking in the inner yard is … permitted on a Sunday."))
    assert found.refused == (RefusedClaim(claim, TURNED),)
