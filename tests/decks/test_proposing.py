"""A model outlines a deck through the gateway: budgeted, paid once, and by rules where it cannot."""

import pytest

from research.db.tenancy import tenant_context
from research.llm.budgets import credits
from research.models import AccountName, Budget, ModelCall
from slides.decks.deck_versions import newest
from slides.decks.make_deck import make_deck
from slides.decks.request_deck import DeckRequest, request_deck
from slides.models import Deck, Outline
from tests.decks.conftest import ZURICH
from tests.fakes.openai_answers import answer
from tests.llm.conftest import gateway, server  # noqa: F401 - fixtures
from tests.people import join
from tests.worlds import make_report

pytestmark = pytest.mark.django_db(transaction=True)


def proposal(*claims: int) -> dict[str, object]:
    slides = [{"title": "What was measured", "claims": list(claims), "notes": "Go on.", "visual": "a house"}]
    return {"slides": slides}


@pytest.fixture
def deck(gateway) -> Deck:  # noqa: F811
    ada = join("ada")
    world = make_report(ada)
    with tenant_context(ada.tenant.pk):
        wish = DeckRequest(ZURICH, outline=Outline.MODEL)
        return request_deck(world.run, wish, ada.user, wakes_worker=False)


def make_and_reload(deck: Deck) -> Deck:
    make_deck(deck.tenant_id, deck.pk)
    with tenant_context(deck.tenant_id):
        deck.refresh_from_db()
    return deck


def test_a_models_outline_is_marked_and_its_budget_closed_again(deck, gateway):  # noqa: F811
    gateway.script(answer(proposal(2, 1)))
    assert (make_and_reload(deck).outlined_by, deck.note, gateway.paid) == (Outline.MODEL, "", 1)
    with tenant_context(deck.tenant_id):
        slide = newest(deck).value.slides[1]
        assert (slide.title, [passage.claim for passage in slide.passages]) == ("What was measured", [2, 1])
        assert ModelCall.objects.get().run_id == deck.run_id
        assert not Budget.objects.filter(closed_at=None).exists()
        assert credits.balance(AccountName.RESERVED) == 0


def test_claims_that_there_are_not_are_refused_and_rules_do_it(deck, gateway):  # noqa: F811
    gateway.script(answer(proposal(1, 77)))
    assert make_and_reload(deck).outlined_by == Outline.RULES
    assert "does not have: 77" in deck.note


def test_no_credits_no_model(deck, gateway):  # noqa: F811
    with tenant_context(deck.tenant_id):
        credits.reserve(credits.available(), "elsewhere")
    assert make_and_reload(deck).outlined_by == Outline.RULES
    assert ("too few credits" in deck.note, gateway.paid) == (True, 0)


def test_an_answer_that_is_none_leaves_the_rules(deck, gateway):  # noqa: F811
    gateway.script(answer({"nothing": 1}), answer({"nothing": 2}))
    assert make_and_reload(deck).outlined_by == Outline.RULES
    assert "LLM_INVALID_OUTPUT" in deck.note
