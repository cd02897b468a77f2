"""A deck in the database, as pages show it."""

from dataclasses import dataclass

from research.db.tenancy import tenant_context
from slides.decks.deck_versions import newest
from slides.decks.make_deck import make_deck
from slides.decks.request_deck import DeckRequest, request_deck
from slides.models import Deck, DeckVersion
from slides.theming.deck_themes import BUILT_IN
from tests.people import Person
from tests.worlds import ReportWorld, make_report


@dataclass(frozen=True)
class DeckWorld:
    report: ReportWorld
    deck: Deck

    @property
    def address(self) -> str:
        return f"/decks/{self.deck.pk}/"

    @property
    def now(self) -> DeckVersion:
        with tenant_context(self.deck.tenant_id):
            return newest(self.deck)

    def slide_with(self, text: str) -> int:
        """The number of the first slide that says it."""
        return next(slide.number for slide in self.now.value.slides if text in repr(slide))


def make_waiting_deck(person: Person) -> DeckWorld:
    world = make_report(person)
    with tenant_context(person.tenant.pk):
        return DeckWorld(
            world, request_deck(world.run, DeckRequest(BUILT_IN[1]), person.user, wakes_worker=False)
        )


def make_deck_world(person: Person) -> DeckWorld:
    made = make_waiting_deck(person)
    make_deck(made.deck.tenant_id, made.deck.pk)
    with tenant_context(person.tenant.pk):
        made.deck.refresh_from_db()
    return made
