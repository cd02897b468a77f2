import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.contradiction.terms import MAX_TERMS, Sort, terms


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "In 2010, 12 % of 1.5 million people in the United States left on 3 May 2011.",
            [
                ("In", "in", Sort.FUNCTION),
                ("2010", "time 2010--/2010--", Sort.TIME),
                ("12 %", "percent  12 12", Sort.FIGURE),
                ("of", "of", Sort.FUNCTION),
                ("1.5 million", "count  1500000 1500000", Sort.FIGURE),
                ("people", "peopl", Sort.WORD),
                ("in", "in", Sort.FUNCTION),
                ("the", "the", Sort.FUNCTION),
                ("United States", "united states", Sort.NAME),
                ("left", "left", Sort.WORD),
                ("on", "on", Sort.FUNCTION),
                ("3 May 2011", "time 2011-5-3/2011-5-3", Sort.TIME),
            ],
        ),
        (
            "The Farm Ministry's men may not sell more than 3/16 of all wheat, or only some of it.",
            [
                ("The", "the", Sort.FUNCTION),
                ("Farm", "farm", Sort.NAME),
                ("Ministry's", "ministri", Sort.NAME),
                ("men", "man", Sort.WORD),
                ("may", "may", Sort.MODAL),
                ("not", "not", Sort.NEGATION),
                ("sell", "sell", Sort.WORD),
                ("more", "more", Sort.ORDER),
                ("than", "than", Sort.FUNCTION),
                ("3/16", "3/16", Sort.FIGURE),
                ("of", "of", Sort.FUNCTION),
                ("all", "all", Sort.SCOPE),
                ("wheat", "wheat", Sort.WORD),
                ("or", "or", Sort.LOGIC),
                ("only", "only", Sort.SCOPE),
                ("some", "some", Sort.SCOPE),
                ("of", "of", Sort.FUNCTION),
                ("it", "it", Sort.FUNCTION),
            ],
        ),
        (
            "He won 6-4-2, then 1:52.3 and the 4th race twice.",
            [
                ("He", "he", Sort.FUNCTION),
                ("won", "won", Sort.WORD),
                ("6-4-2", "6-4-2", Sort.FIGURE),
                ("then", "then", Sort.FUNCTION),
                ("1:52.3", "1:52.3", Sort.FIGURE),
                ("and", "and", Sort.LOGIC),
                ("the", "the", Sort.FUNCTION),
                ("4th", "ordinal  4 4", Sort.ORDER),
                ("race", "race", Sort.WORD),
                ("twice", "count  2 2", Sort.FIGURE),
            ],
        ),
        (
            "The US told us that Germany's exports grew by 5 percent a year.",
            [
                ("The", "the", Sort.FUNCTION),
                ("US", "united states", Sort.NAME),
                ("told", "tell", Sort.WORD),
                ("us", "usa", Sort.FUNCTION),
                ("that", "that", Sort.FUNCTION),
                ("Germany", "germany", Sort.NAME),
                ("exports", "export", Sort.WORD),
                ("grew", "grow", Sort.WORD),
                ("by", "by", Sort.FUNCTION),
                ("5 percent", "percent  5 5", Sort.FIGURE),
                ("a", "a", Sort.FUNCTION),
                ("year", "annual", Sort.WORD),
            ],
        ),
        (
            "Well, it's $5 and 3 % of one U.S. dollar; rock'n'roll, AT&T and sha256.",
            [
                ("Well", "well", Sort.FUNCTION),
                ("it's", "it", Sort.FUNCTION),
                ("$5", "currency USD 5 5", Sort.FIGURE),
                ("and", "and", Sort.LOGIC),
                ("3 %", "percent  3 3", Sort.FIGURE),
                ("of", "of", Sort.FUNCTION),
                ("one", "count  1 1", Sort.FIGURE),
                ("U.S.", "united states", Sort.NAME),
                ("dollar", "dollar", Sort.WORD),
                ("rock'n'roll", "rock'n'rol", Sort.WORD),
                ("AT&T", "at&t", Sort.NAME),
                ("and", "and", Sort.LOGIC),
                ("sha256", "sha256", Sort.NAME),
            ],
        ),
        (
            "from 1914 to 1918 the first mill of Oslo was the largest",
            [
                ("from", "from", Sort.FUNCTION),
                ("1914 to 1918", "time 1914--/1918--", Sort.TIME),
                ("the", "the", Sort.FUNCTION),
                ("first", "ordinal  1 1", Sort.ORDER),
                ("mill", "mill", Sort.WORD),
                ("of", "of", Sort.FUNCTION),
                ("Oslo", "oslo", Sort.NAME),
                ("was", "be", Sort.FUNCTION),
                ("the", "the", Sort.FUNCTION),
                ("largest", "most", Sort.ORDER),
            ],
        ),
    ],
)
def test_a_statement_is_a_row_of_terms_with_their_keys(text, expected):
    assert [(term.text, term.key, term.sort) for term in terms(text)] == expected


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
