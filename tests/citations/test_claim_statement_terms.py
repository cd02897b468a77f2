import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.contradiction.claim_statement_terms import MAX_TERMS, TermSort, terms


def keys(text: str) -> list[str]:
    return [term.key for term in terms(text)]


def sorts(text: str) -> dict[str, TermSort]:
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
    assert sorts(f"the score was {written} then")[written] is TermSort.FIGURE


@pytest.mark.parametrize(
    ("word", "sort"),
    [
        ("not", TermSort.NEGATION),
        ("or", TermSort.LOGIC),
        ("only", TermSort.SCOPE),
        ("before", TermSort.ORDER),
        ("should", TermSort.MODAL),
        ("the", TermSort.FUNCTION),
        ("harvest", TermSort.WORD),
        ("Ministry", TermSort.NAME),
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
                ("In", "in", TermSort.FUNCTION),
                ("2010", "time 2010--/2010--", TermSort.TIME),
                ("12 %", "percent  12 12", TermSort.FIGURE),
                ("of", "of", TermSort.FUNCTION),
                ("1.5 million", "count  1500000 1500000", TermSort.FIGURE),
                ("people", "peopl", TermSort.WORD),
                ("in", "in", TermSort.FUNCTION),
                ("the", "the", TermSort.FUNCTION),
                ("United States", "united states", TermSort.NAME),
                ("left", "left", TermSort.WORD),
                ("on", "on", TermSort.FUNCTION),
                ("3 May 2011", "time 2011-5-3/2011-5-3", TermSort.TIME),
            ],
        ),
        (
            "The Farm Ministry's men may not sell more than 3/16 of all wheat, or only some of it.",
            [
                ("The", "the", TermSort.FUNCTION),
                ("Farm", "farm", TermSort.NAME),
                ("Ministry's", "ministri", TermSort.NAME),
                ("men", "man", TermSort.WORD),
                ("may", "may", TermSort.MODAL),
                ("not", "not", TermSort.NEGATION),
                ("sell", "sell", TermSort.WORD),
                ("more", "more", TermSort.ORDER),
                ("than", "than", TermSort.FUNCTION),
                ("3/16", "3/16", TermSort.FIGURE),
                ("of", "of", TermSort.FUNCTION),
                ("all", "all", TermSort.SCOPE),
                ("wheat", "wheat", TermSort.WORD),
                ("or", "or", TermSort.LOGIC),
                ("only", "only", TermSort.SCOPE),
                ("some", "some", TermSort.SCOPE),
                ("of", "of", TermSort.FUNCTION),
                ("it", "it", TermSort.FUNCTION),
            ],
        ),
        (
            "He won 6-4-2, then 1:52.3 and the 4th race twice.",
            [
                ("He", "he", TermSort.FUNCTION),
                ("won", "won", TermSort.WORD),
                ("6-4-2", "6-4-2", TermSort.FIGURE),
                ("then", "then", TermSort.FUNCTION),
                ("1:52.3", "1:52.3", TermSort.FIGURE),
                ("and", "and", TermSort.LOGIC),
                ("the", "the", TermSort.FUNCTION),
                ("4th", "ordinal  4 4", TermSort.ORDER),
                ("race", "race", TermSort.WORD),
                ("twice", "count  2 2", TermSort.FIGURE),
            ],
        ),
        (
            "The US told us that Germany's exports grew by 5 percent a year.",
            [
                ("The", "the", TermSort.FUNCTION),
                ("US", "united states", TermSort.NAME),
                ("told", "tell", TermSort.WORD),
                ("us", "usa", TermSort.FUNCTION),
                ("that", "that", TermSort.FUNCTION),
                ("Germany", "germany", TermSort.NAME),
                ("exports", "export", TermSort.WORD),
                ("grew", "grow", TermSort.WORD),
                ("by", "by", TermSort.FUNCTION),
                ("5 percent", "percent  5 5", TermSort.FIGURE),
                ("a", "a", TermSort.FUNCTION),
                ("year", "annual", TermSort.WORD),
            ],
        ),
        (
            "Well, it's $5 and 3 % of one U.S. dollar; rock'n'roll, AT&T and sha256.",
            [
                ("Well", "well", TermSort.FUNCTION),
                ("it's", "it", TermSort.FUNCTION),
                ("$5", "currency USD 5 5", TermSort.FIGURE),
                ("and", "and", TermSort.LOGIC),
                ("3 %", "percent  3 3", TermSort.FIGURE),
                ("of", "of", TermSort.FUNCTION),
                ("one", "count  1 1", TermSort.FIGURE),
                ("U.S.", "united states", TermSort.NAME),
                ("dollar", "dollar", TermSort.WORD),
                ("rock'n'roll", "rock'n'rol", TermSort.WORD),
                ("AT&T", "at&t", TermSort.NAME),
                ("and", "and", TermSort.LOGIC),
                ("sha256", "sha256", TermSort.NAME),
            ],
        ),
        (
            "from 1914 to 1918 the first mill of Oslo was the largest",
            [
                ("from", "from", TermSort.FUNCTION),
                ("1914 to 1918", "time 1914--/1918--", TermSort.TIME),
                ("the", "the", TermSort.FUNCTION),
                ("first", "ordinal  1 1", TermSort.ORDER),
                ("mill", "mill", TermSort.WORD),
                ("of", "of", TermSort.FUNCTION),
                ("Oslo", "oslo", TermSort.NAME),
                ("was", "be", TermSort.FUNCTION),
                ("the", "the", TermSort.FUNCTION),
                ("largest", "most", TermSort.ORDER),
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
        assert term.span.cut(text).startswith(term.text) or term.sort is TermSort.NAME
