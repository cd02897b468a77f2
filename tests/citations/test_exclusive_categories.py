import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.entailment.exclusive_categories import are_exclusive, demonym_of, has_category


@pytest.mark.parametrize(
    ("word", "country"),
    [
        ("Canadian", "canada"),
        ("French", "france"),
        ("Japanese", "japan"),
        ("Kenyan", "kenya"),
        ("Swiss", "switzerland"),
        ("Brazilian", "brazil"),
    ],
)
def test_a_demonym_names_its_country(word, country):
    assert demonym_of(word) == country


@pytest.mark.parametrize(
    ("word", "country"),
    [
        ("American", "united states"),
        ("Canadian", "canada"),
        ("Peruvian", "peru"),
        ("Peru", None),
        ("Norwegians", None),
        ("Chinese", "china"),
        ("Iraqi", "iraq"),
        ("Chilean", "chile"),
        ("Cuban", "cuba"),
        ("Italian", "italy"),
        ("Mali", None),
        ("Malian", None),
        ("Ian", None),
        ("Indian", "india"),
        ("Togolese", None),
        ("Danes", None),
    ],
)
def test_a_demonym_is_read_by_its_ending_or_from_the_list(word, country):
    assert demonym_of(word) == country


@pytest.mark.parametrize("word", ["canadian", "Librarian", "Man", "Human", "Ocean", "", "\ud800"])
def test_other_words_name_no_country(word):
    assert demonym_of(word) is None


@pytest.mark.parametrize(
    ("a", "b"),
    [("film", "album"), ("Canadian", "American"), ("brothers", "sister"), ("Monday", "Friday")],
)
def test_one_thing_is_not_called_by_both(a, b):
    assert are_exclusive(a, b)
    assert are_exclusive(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [("film", "movies"), ("French", "French"), ("film", "red"), ("Canadian", "singer"), ("table", "chair")],
)
def test_one_thing_may_be_called_by_both(a, b):
    assert not are_exclusive(a, b)


@pytest.mark.parametrize(("word", "has"), [("albums", True), ("Dutch", True), ("table", False), ("", False)])
def test_only_words_of_a_category_exclude_others(word, has):
    assert has_category(word) is has


WORDS = st.sampled_from("film album Canadian American king queen north Friday table".split()) | st.text(
    max_size=8
)


@given(WORDS, WORDS)
def test_exclusion_is_symmetric_and_asks_for_two_categories(a, b):
    assert are_exclusive(a, b) == are_exclusive(b, a)
    assert not are_exclusive(a, b) or has_category(a) and has_category(b)
