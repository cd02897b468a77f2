import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.entailment.omitted_qualifications import qualifications


@pytest.mark.parametrize(
    ("claim", "sentence", "said"),
    [
        ("The drug helps.", "The drug may help.", "may be so"),
        ("Users must log in.", "Users should log in.", "“must”"),
        ("Sites should check it.", "Sites check it.", "“should”"),
        ("All users agreed.", "Most users agreed.", "fewer"),
        ("A majority of users agreed.", "Some users agreed.", "fewer"),
        ("It was the best film.", "It was a film.", "“best”"),
        ("The rule fails.", "Critics argue that the rule fails.", "position of others"),
        ("Caching is safe.", "If nobody writes, caching is safe.", "condition"),
    ],
)
def test_what_the_source_adds_is_told(claim, sentence, said):
    (told,) = qualifications(claim, sentence)
    assert said in told


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The drug may help.", "The drug helps."),
        ("Users should log in.", "Users must log in."),
        ("Some users agreed.", "All users agreed."),
        ("It has at least 8 rooms.", "It has 8 rooms."),
        ("It was of interest in the west.", "It was a film."),
        ("If nobody writes, caching is safe.", "When nobody writes, caching is safe."),
        ("Critics say that it fails, it is argued.", "Opponents argued that it fails."),
        ("It was sold in May 2017.", "It was sold in May 2017, whereas others were not."),
        ("", ""),
    ],
)
def test_a_claim_that_says_no_more_than_its_source_is_not_qualified(claim, sentence):
    assert list(qualifications(claim, sentence)) == []


def test_everything_that_is_added_is_told():
    told = list(qualifications("All users must agree.", "If asked, some users may agree."))
    assert len(told) == 4


@given(st.text(max_size=80))
def test_no_text_qualifies_itself(text):
    assert list(qualifications(text, text)) == []
