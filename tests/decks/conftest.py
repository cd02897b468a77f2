"""Ada with a finished report, and a deck of it."""

from collections.abc import Iterator

import pytest

from research.db.tenancy import tenant_context
from slides.decks.deck_versions import newest
from slides.decks.make_deck import make_deck
from slides.decks.request_deck import DeckRequest, request_deck
from slides.models import Deck, DeckVersion
from slides.theming.deck_themes import BUILT_IN
from tests.people import Person, join
from tests.worlds import ReportWorld, make_report

ZURICH = BUILT_IN[1]


@pytest.fixture
def ada(db: None) -> Person:
    return join("ada")


@pytest.fixture
def world(ada: Person) -> ReportWorld:
    return make_report(ada)


@pytest.fixture
def within(world: ReportWorld) -> Iterator[ReportWorld]:
    """Enter Ada's tenant."""
    with tenant_context(world.person.tenant.pk):
        yield world


def ask_for_deck(world: ReportWorld, **wish: object) -> Deck:
    return request_deck(world.run, DeckRequest(ZURICH, **wish), world.person.user, wakes_worker=False)


def make_and_reload(deck: Deck) -> Deck:
    make_deck(deck.tenant_id, deck.pk)
    deck.refresh_from_db()
    return deck


@pytest.fixture
def deck(within: ReportWorld) -> Deck:
    return make_and_reload(ask_for_deck(within))


@pytest.fixture
def version(deck: Deck) -> DeckVersion:
    return newest(deck)
