"""Has a model propose the outline of a deck, within the budgets of the deck's run."""

import asyncio
from decimal import Decimal

from exports.document.document_tree import Document
from research.agents.agent_prompt_data_blocks import SourceText, fence_for
from research.agents.agent_prompt_files import render
from research.llm.budgets.credits import CreditsShort
from research.llm.call_types import Call
from research.llm.gateway import complete
from research.llm.model_errors import ModelError
from research.models import AgentRole
from slides.deck import DeckContent as DeckValue
from slides.decks.deck_proposal import MAX_SLIDES, Proposal, UnknownClaims, apply_proposal
from slides.decks.deck_spending import TOO_FEW_CREDITS, DeckCaller, open_run_budget
from slides.models import Deck

ESTIMATE_USD = Decimal("0.05")  # reserved before the call; more is spent if the balance allows it
MAX_OUTPUT_TOKENS = 6_000
MAX_CLAIMS = 300  # claims that the model is shown


class NotProposed(Exception):
    """Raised when no model made the outline; str() tells the reader why."""


def outline_with_model(deck: Deck, document: Document, by_rules: DeckValue) -> DeckValue:
    """Return the outlined deck. Raises NotProposed, and unexpected errors."""
    try:
        caller = DeckCaller(deck.tenant_id, deck.run_id, f"deck/{deck.pk}", deck.fence)
        with open_run_budget(caller, ESTIMATE_USD):
            proposal = asyncio.run(_ask(caller, document))
        return apply_proposal(by_rules, proposal)
    except UnknownClaims as error:
        raise NotProposed(f"The model named claims that the report does not have: {error}.") from error
    except CreditsShort as error:
        raise NotProposed(TOO_FEW_CREDITS) from error
    except ModelError as error:
        raise NotProposed(f"{error.message} ({error.code.value})") from error


async def _ask(caller: DeckCaller, document: Document) -> Proposal:
    """Call the model. Raises ModelError. The answer to an identical prompt is stored and not paid for again."""
    prompt = render("writer/slides", _values(document), fence_for(caller, "outline")).prompt
    call = Call(caller, AgentRole.WRITER, prompt, Proposal, "outline", MAX_OUTPUT_TOKENS)
    completion = await complete(call)
    if completion.parsed is None:
        raise NotProposed("The model gave no outline.")
    return completion.parsed


def _values(document: Document) -> dict[str, object]:
    left = MAX_CLAIMS
    sections = []
    for section in document.sections:
        claims = [
            {"number": claim.number, "strength": claim.strength, "text": SourceText(claim.text)}
            for claim in section.claims[:left]
        ]
        left -= len(claims)
        if claims:
            sections.append({"heading": SourceText(section.heading), "claims": claims})
    if not sections:
        raise NotProposed("The report has no claims to outline.")
    return {"title": document.title, "most": min(MAX_SLIDES, 2 * len(sections) + 2), "sections": sections}
