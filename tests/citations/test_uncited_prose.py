import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.credibility.uncited_prose import connective_faults, foreign_urls

CITED = ["NIST requires at least 8 characters since 2017.", "Length reduces guessing."]


@pytest.mark.parametrize(
    "sentence",
    [
        "The sources agree on this point.",
        "NIST says more on length.",
        "Since 2017 this has been so.",
        "Of 8 characters more below.",
    ],
)
def test_prose_that_adds_nothing_has_no_fault(sentence):
    assert connective_faults(sentence, CITED) == ()


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [
        ("Some 40 agencies agree.", "40"),
        ("This changed in 2025.", "2025"),
        ("So does the BSI today.", "BSI"),
        ("This is the best advice.", "best"),
        ("Rotation causes weak choices.", "causes"),
    ],
)
def test_prose_that_claims_something_new_is_at_fault(sentence, fault):
    assert fault in connective_faults(sentence, CITED)


@pytest.mark.parametrize(
    ("sentence", "faults"),
    [
        ("Some 40 agencies agree with 40 banks in 2025 that OWASP is best.", ("40", "2025", "OWASP", "best")),
        ("The BSI in 2017 causes less guessing.", ("BSI", "causes")),
        ("Rotation reduced guessing and led to the largest loss.", ("largest", "led to")),
        ("Of 8 characters NIST knows.", ()),
        ("It is the Best one and triggers more.", ("Best", "triggers")),
        ("BSI told BSI.", ("BSI",)),
    ],
)
def test_each_new_claim_of_prose_is_told_once(sentence, faults):
    assert connective_faults(sentence, CITED) == faults


def test_each_foreign_address_is_told_once_without_its_punctuation():
    prose = "See https://b.org/y/., then https://b.org/y; and https://c.org/z) or <https://a.org/x.>"
    assert foreign_urls(prose, ["https://a.org/x/"]) == ("https://b.org/y", "https://c.org/z")


def test_urls_in_prose_must_be_those_of_sources():
    prose = "See https://a.org/x, https://b.org/y and (https://a.org/x/)."
    assert foreign_urls(prose, ["https://a.org/x"]) == ("https://b.org/y",)


@given(st.text(max_size=100))
def test_a_sentence_has_no_fault_beside_itself(sentence):
    assert connective_faults(sentence, [sentence]) == ()


@pytest.mark.parametrize(
    ("sentence", "cited", "faults"),
    [
        ("It reduced guessing.", "Length reduces guessing.", ()),
        ("It reduces guessing.", "Length increases guessing.", ("reduces",)),
        ("It reduces guessing.", "Length matters.", ("reduces",)),
    ],
)
def test_a_verb_in_another_form_is_carried_and_its_opposite_is_not(sentence, cited, faults):
    assert connective_faults(sentence, [cited]) == faults
