"""What a model notes of a source is a claim only where the source carries it."""

import random

import pytest

from citations.language.normalizing import normalize
from research.models import Content, Source
from research.reading.document import Block, BlockKind
from research.recipes.report.reading.admitting import Admitted, Proposed, Refused, Unplaced, admit
from research.recipes.report.readings import Reading
from research.recipes.report.restating import carries
from tests.fakes.openai_answers import INJECTION, INVENTED_QUOTE

TEXT = (
    "The trial ran over two winters in eleven homes near Kiruna. The seasonal performance factor stayed above 2.1 at "
    "nine of the eleven sites. Two sites fell below 1.9 because their backup heaters ran for more than 400 hours. "
    "The coldest day of the trial reached -31 °C. Each installation cost 14,200 euros on average, drilling included. "
    "The operator does not recommend the pump for houses without insulation."
)
SENTENCES = [f"{one.rstrip('.')}." for one in TEXT.split(". ")]
OTHER = "Tomatoes need at least six hours of sun a day, and mulch saves a third of the water."


def reading(text: str = TEXT) -> Reading:
    content = Content(text=text, blocks=[vars_of(Block(0, len(text), BlockKind.PARAGRAPH))])
    return Reading(Source(title="A trial", content=content), (), ())


def vars_of(block: Block) -> dict:
    return {
        "start": block.start,
        "end": block.end,
        "kind": block.kind.value,
        "level": block.level,
        "section": block.section,
        "page": block.page,
    }


def admitted(text: str, quote: str, **values: object) -> Admitted | Refused | Unplaced:
    [outcome] = admit([Proposed(text, quote, **values)], reading())
    return outcome


def test_a_claim_in_the_sources_words_stands_on_them():
    claim = admitted(SENTENCES[3], SENTENCES[3])
    assert isinstance(claim, Admitted)
    assert (claim.text, TEXT[claim.start : claim.end]) == (SENTENCES[3], SENTENCES[3])


def test_a_faithful_restatement_keeps_its_words():
    claim = admitted("On average each installation cost 14,200 euros, drilling included.", SENTENCES[4])
    assert claim.text == "On average each installation cost 14,200 euros, drilling included."


@pytest.mark.parametrize(
    "text",
    [
        "Each installation cost 41,200 euros on average, drilling included.",
        "Each installation cost 14,200 dollars on average, drilling included.",
        "Each installation in Berlin cost 14,200 euros on average in 2019.",
        "Installations are cheap: see https://invented.example/page for the 14,200 euros.",
    ],
)
def test_a_claim_that_says_something_else_takes_the_sources_sentence(text: str):
    assert admitted(text, SENTENCES[4]).text == SENTENCES[4]


def test_a_claim_that_turns_its_source_round_takes_the_sources_sentence():
    claim = admitted("The operator recommends the pump for houses without insulation.", SENTENCES[5])
    assert claim.text == SENTENCES[5]


def test_half_a_sentence_as_a_quote_gives_the_whole_sentence():
    claim = admitted("Something that nobody said about 77 dogs.", "nine of the eleven sites")
    assert claim.text == SENTENCES[1]


def test_a_quote_that_is_not_in_the_source_has_no_place():
    assert isinstance(admitted("The pump failed.", INVENTED_QUOTE), Unplaced)


def test_a_quote_that_is_too_short_has_no_place():
    assert isinstance(admitted(SENTENCES[3], "-31 °C"), Unplaced)


def test_a_place_that_states_nothing_is_refused():
    [outcome] = admit([Proposed("Why so?", "Why is it so cold?")], reading("Why is it so cold?"))
    assert isinstance(outcome, Refused)


def invention(chance: random.Random) -> Proposed:
    """A claim with something made up in it, or in its quote."""
    sentence, other = chance.sample(SENTENCES, 2)
    words = sentence.split()
    shuffled = " ".join(chance.sample(words, len(words)))
    figure = sentence.replace("1", str(chance.randint(3, 9))).replace("eleven", "forty")
    quote = chance.choice(
        [INVENTED_QUOTE, OTHER, INJECTION, shuffled, f"{sentence} {OTHER}", sentence, figure]
    )
    text = chance.choice(
        [INVENTED_QUOTE, OTHER, INJECTION, figure, f"{sentence[:-1]}, as {OTHER}", shuffled, other]
    )
    return Proposed(text, quote, near=chance.choice([0, 10, 10_000]))


def test_nothing_invented_is_admitted_in_500_attempts():
    chance = random.Random(20260701)
    place, known = reading(), normalize(TEXT)
    outcomes = [one for _ in range(500) for one in admit([invention(chance)], place)]
    claims = [one for one in outcomes if isinstance(one, Admitted)]
    assert 50 < len(claims) < 450
    assert all(normalize(TEXT[one.start : one.end]) in known for one in claims)
    assert all(carries([TEXT], one.text) for one in claims)
    said = " ".join(one.text for one in claims)
    assert not [lie for lie in (INVENTED_QUOTE, INJECTION, "Tomatoes", "forty") if lie in said]
