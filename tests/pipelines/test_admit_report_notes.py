"""A model's note of a source is a claim only if the source carries it."""

import random

import pytest

from citations.anchoring import AnchorMatchType, anchor
from citations.text.quote_normalizing import normalize
from research.models import Content, Source
from research.parsing.parsed_document import BlockKind, TextBlock
from research.pipelines.common.check_restated_report_words import carries
from research.pipelines.common.report_source_readings import SourceReading
from research.pipelines.report.reading.admit_report_notes import (
    AdmittedClaim,
    ProposedClaim,
    RefusedClaim,
    UnplacedClaim,
    admit,
)
from tests.fakes.openai_answers import INJECTION, INVENTED_QUOTE

TEXT = (
    "The trial ran over two winters in eleven homes near Kiruna. The seasonal performance factor stayed above 2.1 at "
    "nine of the eleven sites. Two sites fell below 1.9 because their backup heaters ran for more than 400 hours. "
    "The coldest day of the trial reached -31 °C. Each installation cost 14,200 euros on average, drilling included. "
    "The operator does not recommend the pump for houses without insulation."
)
SENTENCES = [f"{one.rstrip('.')}." for one in TEXT.split(". ")]
OTHER = "Tomatoes need at least six hours of sun a day, and mulch saves a third of the water."


def make_reading(text: str = TEXT) -> SourceReading:
    content = Content(text=text, blocks=[vars_of(TextBlock(0, len(text), BlockKind.PARAGRAPH))])
    return SourceReading(Source(title="A trial", content=content), (), ())


def vars_of(block: TextBlock) -> dict:
    return {
        "start": block.start,
        "end": block.end,
        "kind": block.kind.value,
        "level": block.level,
        "section": block.section,
        "page": block.page,
    }


def admit_note(text: str, quote: str, **values: object) -> AdmittedClaim | RefusedClaim | UnplacedClaim:
    [outcome] = admit([ProposedClaim(text, quote, **values)], make_reading())
    return outcome


def test_a_claim_in_the_sources_words_stands_on_them():
    claim = admit_note(SENTENCES[3], SENTENCES[3])
    assert isinstance(claim, AdmittedClaim)
    assert (claim.text, TEXT[claim.start : claim.end]) == (SENTENCES[3], SENTENCES[3])


def test_a_faithful_restatement_keeps_its_words():
    claim = admit_note("On average each installation cost 14,200 euros, drilling included.", SENTENCES[4])
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
    assert admit_note(text, SENTENCES[4]).text == SENTENCES[4]


def test_a_claim_that_turns_its_source_round_takes_the_sources_sentence():
    claim = admit_note("The operator recommends the pump for houses without insulation.", SENTENCES[5])
    assert claim.text == SENTENCES[5]


def test_half_a_sentence_as_a_quote_gives_the_whole_sentence():
    claim = admit_note("Something that nobody said about 77 dogs.", "nine of the eleven sites")
    assert claim.text == SENTENCES[1]


def test_a_quote_that_is_not_in_the_source_has_no_place():
    assert isinstance(admit_note("The pump failed.", INVENTED_QUOTE), UnplacedClaim)


def test_a_quote_that_is_too_short_has_no_place():
    assert isinstance(admit_note("It was very cold in Kiruna.", "-31 °C"), UnplacedClaim)


def test_a_place_that_states_nothing_is_refused():
    [outcome] = admit([ProposedClaim("Why so?", "Why is it so cold?")], make_reading("Why is it so cold?"))
    assert isinstance(outcome, RefusedClaim)


def invention(chance: random.Random) -> ProposedClaim:
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
    return ProposedClaim(text, quote, near=chance.choice([0, 10, 10_000]))


def test_nothing_invented_is_admitted_in_500_attempts():
    chance = random.Random(20260701)
    place, known = make_reading(), normalize(TEXT)
    outcomes = [one for _ in range(500) for one in admit([invention(chance)], place)]
    claims = [outcome for outcome in outcomes if isinstance(outcome, AdmittedClaim)]
    assert 50 < len(claims) < 450
    assert all(normalize(TEXT[claim.start : claim.end]) in known for claim in claims)
    assert all(carries([TEXT], claim.text) for claim in claims)
    said = " ".join(claim.text for claim in claims)
    assert not [lie for lie in (INVENTED_QUOTE, INJECTION, "Tomatoes", "forty") if lie in said]


def test_a_quote_with_an_ellipsis_stands_on_the_whole_sentence():
    quote = "The trial ran over two winters … homes near Kiruna."
    claim = admit_note(SENTENCES[0], quote)
    assert isinstance(claim, AdmittedClaim)
    assert (claim.text, TEXT[claim.start : claim.end], claim.similarity) == (SENTENCES[0], SENTENCES[0], 1.0)


def test_what_an_ellipsis_turns_round_is_not_admitted():
    outcome = admit_note(
        "The operator does recommend the pump for houses without insulation.",
        "The operator does … recommend the pump for houses without insulation.",
    )
    assert isinstance(outcome, UnplacedClaim)


@pytest.mark.parametrize("quote", [OTHER, INVENTED_QUOTE, "The trial … nine of the eleven tomatoes."])
@pytest.mark.parametrize("near", [0, 10, 10_000])
def test_a_claim_that_the_source_says_word_for_word_stands_whatever_its_quote(quote, near):
    claim = admit_note(SENTENCES[3], quote, near=near)
    assert isinstance(claim, AdmittedClaim)
    assert TEXT[claim.start : claim.end].rstrip(".") == SENTENCES[3].rstrip(".")


def test_a_claim_that_the_source_denies_is_not_admitted_by_its_own_words():
    text = "It is not true that heat pumps fail in the cold. They were tried in Kiruna for two winters."
    [outcome] = admit([ProposedClaim("heat pumps fail in the cold", OTHER)], make_reading(text))
    assert not isinstance(outcome, AdmittedClaim) or "not true" in outcome.text


ALTERED = 500
INVENTED = ("cauliflowers", "ninety", "submarine", "purple")


def change_word(rng: random.Random, words: list[str]) -> tuple[str, str]:
    """The sentence with another word in it, and that word."""
    place, word = rng.randrange(1, len(words) - 1), rng.choice(INVENTED)
    return " ".join([*words[:place], word, *words[place + 1 :]]), word


def change_figure(rng: random.Random, words: list[str]) -> tuple[str, str]:
    """Return the quote with another figure, which stands nowhere in the source."""
    places = [place for place, word in enumerate(words) if any(map(str.isdigit, word))]
    if not places:
        return change_word(rng, words)
    figure = str(rng.choice((3.7, 86, 57, 6_030, 99.5)))
    place = rng.choice(places)
    return " ".join([*words[:place], figure, *words[place + 1 :]]), figure


def drop_words(rng: random.Random, words: list[str]) -> tuple[str, str]:
    """Return the quote with one to four words left out, and no mark that tells of it."""
    count = rng.randint(1, min(4, len(words) - 4))
    place = rng.randrange(1, len(words) - count)
    return " ".join([*words[:place], *words[place + count :]]), ""


def join_sentences(rng: random.Random, words: list[str]) -> tuple[str, str]:
    """The beginning of the sentence with the end of another."""
    other = rng.choice([sentence for sentence in SENTENCES if sentence.split() != words]).split()
    return " ".join([*words[: rng.randint(3, 6)], *other[-rng.randint(3, 6) :]]), ""


def mislead(rng: random.Random, words: list[str]) -> tuple[str, str]:
    """Return the quote with an ellipsis for words, and another word behind it."""
    word = rng.choice(INVENTED)
    return f"{' '.join(words[:4])} … {word} {' '.join(words[-3:])}", word


@pytest.mark.parametrize("seed", range(5))
def test_of_500_altered_quotes_none_is_shown_that_is_not_the_sources(seed):
    """Whatever of them is admitted stands on words of the source, and says nothing that was made up."""
    rng, source = random.Random(seed), make_reading()
    ways = (change_word, change_figure, drop_words, join_sentences, mislead)
    for number in range(ALTERED // 5):
        quote, made_up = ways[number % len(ways)](rng, rng.choice(SENTENCES).split())
        assert quote not in TEXT
        found = anchor(quote, TEXT)
        if found is not None:  # never told as the same words
            assert (found.match_type, found.similarity < 1) == (AnchorMatchType.CLOSE, True), quote
        [outcome] = admit([ProposedClaim(quote, quote, near=rng.choice((0, 5, 200)))], source)
        if isinstance(outcome, AdmittedClaim):
            words = TEXT[outcome.start : outcome.end]
            assert words
            assert made_up not in outcome.text or not made_up, (quote, outcome.text)
            assert normalize(outcome.text) in normalize(TEXT) or carries([words], outcome.text), (
                quote,
                outcome.text,
            )
