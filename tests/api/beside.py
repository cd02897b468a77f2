"""Objects beside a report for programs: a link to it, slides with a file, and a schedule."""

from uuid import UUID

from exports.export_share_links import make_link
from research.db.tenancy import tenant_context
from research.models import Schedule
from slides.decks.deck_versions import newest
from slides.decks.make_deck import make_deck
from slides.decks.request_deck import DeckRequest, request_deck, request_file
from slides.models import Mode
from slides.theming.deck_themes import BUILT_IN
from tests.worlds import ReportWorld


def add_beside(world: ReportWorld) -> dict[str, UUID]:
    """Add the objects, and return their ids by the names that paths have for them."""
    tenant_id, owner = world.run.tenant_id, world.person.user
    with tenant_context(tenant_id):
        link, _token = make_link(world.run, owner, 7)
        deck = request_deck(world.run, DeckRequest(BUILT_IN[0]), None, wakes_worker=False)
        common = {"kind": "report", "topic": world.run.topic, "cron": "0 7 * * *"}
        schedule = Schedule.objects.create(name="Daily", owner=owner, config={"sources": "library"}, **common)
    make_deck(tenant_id, deck.pk)
    with tenant_context(tenant_id):
        file = request_file(newest(deck), Mode.PPTX, None)
    return {"link_id": link.pk, "deck_id": deck.pk, "file_id": file.pk, "schedule_id": schedule.pk}
