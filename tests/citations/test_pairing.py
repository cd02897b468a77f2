import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.comparing.pairing import Fit, Pair, fit, is_form, lay
from citations.comparing.terms import terms


def met(a: str, b: str) -> list[tuple[str, str]]:
    return [
        (pair.mine.text, pair.theirs.text) for pair in lay(a, b) if pair.mine and pair.theirs and pair.meets
    ]


def placed(a: str, b: str) -> list[tuple[str, str]]:
    return [
        (pair.mine.text, pair.theirs.text)
        for pair in lay(a, b)
        if pair.mine and pair.theirs and pair.fit is Fit.PLACE
    ]


def fit_of(a: str, b: str) -> Fit:
    (one,), (other,) = terms(a), terms(b)
    return fit(one, other)


def test_equal_words_meet_in_order():
    assert met("Salted hashes resist tables.", "Salted hashes also resist big tables.") == [
        ("Salted", "Salted"),
        ("hashes", "hashes"),
        ("resist", "resist"),
        ("tables", "tables"),
    ]


def test_what_stands_in_anothers_place_is_paired_with_it():
    assert placed("The team won nine games in May.", "The team won seven games in May.") == [
        ("nine", "seven")
    ]


def test_words_are_paired_with_words_and_names_with_names():
    a, b = "They beat Norway 3 times.", "They beat Sweden 4 times."
    assert set(placed(a, b)) == {("Norway", "Sweden"), ("3 times", "4 times")} or set(placed(a, b)) == {
        ("Norway", "Sweden"),
        ("3", "4"),
    }


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("1987", "1987", Fit.SAME),
        ("March 1987", "1987", Fit.NEAR),
        ("1986", "1987", Fit.PLACE),
        ("1,234", "1200", Fit.PLACE),
        ("colour", "colours", Fit.SAME),
        ("organise", "organize", Fit.NEAR),
    ],
)
def test_how_far_two_terms_meet(a, b, expected):
    assert fit_of(a, b) is expected
    assert fit_of(b, a) is expected


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("electr", "electric", True),
        ("bellfast", "belfast", True),
        ("argon2i", "argon2id", False),
        ("win", "wind", False),
        ("wide", "tide", False),
        ("", "", False),
    ],
)
def test_forms_of_one_word(a, b, expected):
    assert is_form(a, b) is expected
    assert is_form(b, a) is expected


WORDS = st.lists(
    st.sampled_from("the fox saw 12 13 not Oslo Bergen hens hen before after 1987".split()), max_size=9
)


@given(WORDS, WORDS)
def test_exchanging_the_statements_exchanges_the_sides(a, b):
    one, other = " ".join(a), " ".join(b)
    assert lay(one, other) == tuple(Pair(pair.theirs, pair.mine, pair.fit) for pair in lay(other, one))


@given(WORDS, WORDS)
def test_every_term_is_in_the_alignment_once_and_in_order(a, b):
    pairs = lay(" ".join(a), " ".join(b))
    assert tuple(pair.mine for pair in pairs if pair.mine) == terms(" ".join(a))
    assert tuple(pair.theirs for pair in pairs if pair.theirs) == terms(" ".join(b))


@given(st.text(max_size=60))
def test_a_text_meets_itself_whole(text):
    assert all(pair.fit is Fit.SAME for pair in lay(text, text))


def test_a_huge_text_is_compared_by_its_beginning():
    long = "word " * 50_000
    assert len(lay(long, "other " * 50_000)) < 1_000
