"""Claims that repeat a sentence but for one word: carried where the word says the same, else not."""

import pytest

from citations.verification import CitedPassage, VerdictStatus, VerificationLevel, verify
from research.library.retrieval.library_passage_similarity import NearestSentence
from research.parsing.vectors.embed_texts import builtin_embedder
from tests.citations.grounding.telling import CARRYING, claims

TABLE = """
The children were dancing in the hall when the lights went out.
    - The children were singing in the hall when the lights went out.
The nurses were laughing in the corridor after the shift.
    - The nurses were crying in the corridor after the shift.
The gallery bought two landscapes from a private owner.
    + The gallery purchased two landscapes from a private owner.
    - The gallery bought two portraits from a private owner.
The engineers inspected the tunnel before it was opened.
    + The engineers examined the tunnel before it was opened.
    - The engineers inspected the elevator before it was opened.
The charity gave blankets to families after the flood.
    + The charity donated blankets to families after the flood.
    - The charity gave toys to families after the flood.
The court fined the airline for late refunds.
    - The court fined the newspaper for late refunds.
The trial tested the drug in patients with asthma.
    + The trial tested the medicine in patients with asthma.
    - The trial tested the drug in patients with diabetes.
Rising rents forced the bakery to leave the centre.
    + Rising rents compelled the bakery to leave the centre.
    - Rising rents forced the library to leave the centre.
The robot picks apples without bruising them.
    + The robot picks apples without damaging them.
    - The robot picks pears without bruising them.
The orchestra rehearsed the symphony in an empty hall.
    + The orchestra practised the symphony in an empty hall.
    - The orchestra rehearsed the opera in an empty hall.
The app warns its users of storms.
    + The app alerts its users of storms.
    - The app warns its users of earthquakes.
The survey asked teachers about their pay.
    + The survey asked teachers about their salaries.
    - The survey asked pupils about their pay.
The union criticised the new contract.
    + The union criticised the new agreement.
    - The union signed the new contract.
Bees were released into the orchard in April.
    + Bees were freed into the orchard in April.
    - Foxes were released into the orchard in April.
The company laid off workers at its plant in the north.
    + The company laid off employees at its plant in the north.
    - The company laid off managers at its plant in the north.
The firm repairs boilers in the whole county.
    - The firm rents boilers in the whole county.
The library lends instruments to its readers.
    - The library lends games to its readers.
The farmers planted wheat on the northern fields.
    - The farmers planted barley on the northern fields.
The museum opened a new wing for modern sculpture in the spring.
    - The museum opened a new wing for modern painting in the spring.
The vaccine protects infants against measles.
    + The vaccine protects babies against measles.
    - The vaccine protects infants against mumps.
The team studied whales near the coast.
    + The team studied whales near the shore.
    - The team studied seals near the coast.
"""


@pytest.fixture(scope="module")
def likeness():
    return NearestSentence(builtin_embedder())


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "+"))
def test_another_word_for_the_same_is_carried(text, claim, likeness):
    assert (
        verify(claim, [CitedPassage(text)], level=VerificationLevel.STRICT, similarity=likeness).status
        in CARRYING
    )


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "-"))
def test_another_word_in_the_place_of_the_sentences_own_is_not(text, claim, likeness):
    assert (
        verify(claim, [CitedPassage(text)], level=VerificationLevel.STRICT, similarity=likeness).status
        not in CARRYING
    )


def verify_claim(claim, text, likeness):
    return verify(claim, [CitedPassage(text)], level=VerificationLevel.STRICT, similarity=lambda *_: likeness)


def test_the_reader_is_told_both_words():
    found = verify_claim(
        "The children were singing in the hall.", "The children were dancing in the hall.", 0.8
    )
    assert found.status is VerdictStatus.PARTIALLY_SUPPORTED
    assert found.reasons == ("The source says “dancing”, the claim says “singing”.",)


def test_a_word_that_stands_elsewhere_in_the_passage_is_said():
    text = "The children were dancing in the hall. Singing had ended before."
    found = verify_claim("The children were singing in the hall.", text, 0.8)
    assert not any("the claim says" in reason for reason in found.reasons)


def test_a_claim_in_words_of_its_own_is_no_near_copy():
    found = verify_claim(
        "Rents drove the baker out of the centre.", "Rising rents forced the bakery to leave the centre.", 0.8
    )
    assert not any("the claim says" in reason for reason in found.reasons)


def test_a_verb_in_another_form_is_no_near_copy():
    found = verify_claim(
        "The wolf ate the hen in the barn.", "The wolf devouring the hen in the barn ran off.", 0.8
    )
    assert not any("the claim says" in reason for reason in found.reasons)
