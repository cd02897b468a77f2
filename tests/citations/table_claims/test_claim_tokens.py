import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.table_claims.claim_tokens import MAX_TOKENS, fold, tokens, word_key


def keys(text):
    return [token.key for token in tokens(text)]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("28–28–11", "28 - 28 - 11"),
        ("60,091", "60091"),
        ("Gutiérrez", "GUTIERREZ"),
        ("Guti\u0301errez", "gutíerrez"),
        ("31/05/1975", "31 / 05 / 1975"),
        ("T24", "t 24"),
        ("7.0", "7"),
        ("twelve", "12"),
        ("the third", "the 3rd"),
        ("won", "winner"),
        ("wrote", "writer"),
        ("Sept. 4", "september 4"),
        ("visited", "visitors"),
    ],
)
def test_two_spellings_have_the_same_keys(said, told):
    assert keys(said) == keys(told)


@pytest.mark.parametrize(("said", "told"), [("12", "21"), ("4.5", "45"), ("won", "lost"), ("rank", "bank")])
def test_different_words_have_different_keys(said, told):
    assert keys(said) != keys(told)


def test_a_number_knows_its_value_and_place():
    (token,) = [each for each in tokens("about 1,250.5 km") if each.number is not None]
    assert (token.number, token.start, token.end) == (1250.5, 6, 13)


def test_an_ordinal_is_marked():
    assert [token.is_ordinal for token in tokens("2nd second two")] == [True, True, False]


def test_function_words_and_single_letters_are_no_content():
    assert [token.word for token in tokens("the x lido was on 5") if token.is_content] == ["lido", "5"]


@pytest.mark.parametrize("word", ["December", "number", "river", "mayor"])
def test_a_word_has_one_key_in_any_case(word):
    assert word_key(word.lower()) == keys(word.upper())[0]


def test_no_more_tokens_are_read_than_the_limit():
    assert len(tokens("a " * 1_000)) == MAX_TOKENS


@given(st.text())
def test_folding_keeps_every_place(text):
    assert len(fold(text)) == len(text)


@given(st.text())
def test_tokens_are_in_order_and_inside_the_text(text):
    places = [place for token in tokens(text) for place in (token.start, token.end)]
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)
