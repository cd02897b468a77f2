import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.comparing.terms import MAX_TERMS, Sort, terms


def keys(text: str) -> list[str]:
    return [term.key for term in terms(text)]


def sorts(text: str) -> dict[str, Sort]:
    return {term.text: term.sort for term in terms(text)}


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("It sold 1,500,000 copies.", "It sold 1.5 million copies."),
        ("Eight players left.", "8 players left."),
        ("It grew by 12 percent.", "It grew by 12 %."),
        ("It opened on 3 May 1987.", "It opened on May 3, 1987."),
        ("The deer was seen twice.", "The deer were seen 2 times."),
        ("They live in the US.", "They live in the United States."),
    ],
)
def test_spellings_of_one_figure_time_or_place_have_one_key(a, b):
    assert set(keys(a)) & set(keys(b)) - {term.key for term in terms(a) if not term.is_content}


def test_a_figure_with_its_scale_is_one_term():
    assert [term.text for term in terms("It sold 1.5 million copies.") if term.quantity] == ["1.5 million"]


def test_a_date_is_one_term():
    (time,) = (term for term in terms("Born on 16 November 1959 in Bergen.") if term.time)
    assert time.text == "16 November 1959"


@pytest.mark.parametrize("written", ["3/16/9", "1:52.3", "6-4-2"])
def test_a_compound_numeral_is_one_figure(written):
    assert sorts(f"the score was {written} then")[written] is Sort.FIGURE


@pytest.mark.parametrize(
    ("word", "sort"),
    [
        ("not", Sort.NEGATION),
        ("or", Sort.LOGIC),
        ("only", Sort.SCOPE),
        ("before", Sort.ORDER),
        ("should", Sort.MODAL),
        ("the", Sort.FUNCTION),
        ("harvest", Sort.WORD),
        ("Ministry", Sort.NAME),
    ],
)
def test_words_are_told_apart_by_what_they_do(word, sort):
    text = "The Farm Ministry did not say that only the harvest before or after should count."
    assert sorts(text)[word] is sort


def test_words_for_one_end_of_an_order_have_one_key():
    assert keys("over") == keys("above") == keys("exceeding")


def test_the_pronoun_us_is_no_country():
    assert "united states" not in keys("They told us about it.")


def test_contractions_of_function_words_are_no_content():
    assert not any(term.is_content for term in terms("it's"))


def test_terms_come_in_the_order_of_the_text_and_never_overlap():
    found = terms("In 2010, 12 % of 1.5 million people in the United States left on 3 May 2011.")
    assert all(one.span.end <= other.span.start for one, other in zip(found, found[1:], strict=False))


@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "مرحبا بالعالم", "1" * 5_000, "a" * 100_000])
def test_odd_texts_have_terms(text):
    assert len(terms(text)) <= MAX_TERMS


@given(st.text(max_size=200))
def test_every_term_is_where_it_says(text):
    for term in terms(text):
        assert term.span.cut(text).startswith(term.text) or term.sort is Sort.NAME
