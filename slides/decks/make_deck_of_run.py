"""Makes the slides that a run includes: a deck in the default theme, in the run's last step.

If the deck cannot be made, only the deck fails, not the run.
"""

from django.conf import settings

from research.accounts.people import settings_of
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.models import Run
from slides.decks.available_deck_themes import themes
from slides.decks.make_deck import make_deck
from slides.decks.request_deck import DeckRefused, DeckRequest, request_deck
from slides.models import Deck


def make_deck_of_run(work: StepWork) -> StepResult:
    """Make the deck; a second try continues the deck of the first one."""
    with tenant_context(work.tenant_id):
        run = Run.objects.select_related("owner").get(pk=work.run_id)
        deck = Deck.objects.filter(run=run, report_version=run.report_version).first()
        if deck is None:
            language = settings_of(run.owner).language or settings.LANGUAGE_CODE
            try:
                wish = DeckRequest(themes()[0], language=language)
                deck = request_deck(run, wish, run.owner, wakes_worker=False)
            except DeckRefused as refused:
                return StepResult({"refused": str(refused)})
    make_deck(work.tenant_id, deck.pk)
    with tenant_context(work.tenant_id):
        deck.refresh_from_db()
    return StepResult({"deck": str(deck.pk), "state": deck.state, "code": deck.error_code})
