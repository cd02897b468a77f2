from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.entities.entity_gazetteer import fold, gazetteer
from citations.entities.entity_place_aliases import KNOWN_CITIES, OTHER_NAMES
from citations.entities.find_place_entities import contains, find_places, overlap, place_key


def keys(text: str) -> list[str]:
    return [found.key for found in find_places(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sales in the US and in Germany", ["united states", "germany"]),
        ("in Deutschland und der Schweiz", ["germany", "switzerland"]),
        ("en Suisse et en Allemagne", ["switzerland", "germany"]),
        ("She lives in Zurich.", ["zurich"]),
        ("Zürich wächst", ["zurich"]),
        ("in Genf und Basel", ["geneva", "basel"]),
        ("He lives in Paris.", ["paris"]),
        ("He lives in Paris, Texas.", ["paris, texas"]),
        ("in London, Ontario", ["london, ontario"]),
        ("Springfield, Illinois, grew", ["springfield, illinois"]),
        ("Southeast Asia and the Middle East", ["southeast asia", "middle east"]),
        ("between Greece and Georgia", ["greece", "georgia"]),
        ("New York City", ["new york"]),
        ("the City of London", ["london"]),
        ("the U.S. economy", ["united states"]),
        ("São Paulo and Bogotá", ["sao paulo", "bogota"]),
        ("DEU", ["germany"]),
        ("in Washington, D.C.", ["washington"]),
        ("Springfield, IL, and Portland, ME", ["springfield, illinois", "portland, maine"]),
        ("von Luzern nach Brugge", ["luzern", "brugge"]),
        ("from Lucerne to Bruges, Aarhus and Seville", ["luzern", "brugge", "arhus", "sevilla"]),
    ],
)
def test_places_are_found_in_three_languages(text, found):
    assert keys(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Paris Hilton smiled",
        "George Washington crossed the river",
        "Michael Jordan scored",
        "the University of Zurich",
        "the Bank of China",
        "Reading is fun",
        "A Nice thing",
        "Buffalo wings",
        "turkey is eaten",
        "people like us",
        "Anderson said so",
        "a man from nowhere",
        "",
    ],
)
def test_names_and_words_are_no_places(text):
    assert keys(text) == []


@pytest.mark.parametrize("text", ["born in Reading", "a flight to Nice", "near Bath", "the town of Mobile"])
def test_a_doubtful_name_is_a_place_after_a_word_that_says_so(text):
    assert len(keys(text)) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sold in the united states", ["united states"]),
        ("a trip to new york and los angeles", ["new york", "los angeles"]),
        ("the eu and the uk", ["european union", "united kingdom"]),
        ("germany won", ["germany"]),
        ("she moved to turkey", ["turkey"]),
        ("he was born in basel", ["basel"]),
        ("we have a nice reading", []),
    ],
)
def test_a_text_without_capitals_keeps_its_places(text, found):
    assert keys(text) == found


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("in Boston, Massachusetts, it rains", [("Boston, Massachusetts", "boston")]),
        ("Moscow and Tver, Russia", [("Moscow", "moscow"), ("Tver, Russia", "tver")]),
        (
            "Springfield, Illinois USA",
            [("Springfield, Illinois", "springfield, illinois"), ("USA", "united states")],
        ),
        ("near Cambridge, MA", [("Cambridge, MA", "cambridge, massachusetts")]),
        ("in New York, New York", [("New York, New York", "new york")]),
        ("Dublin, Ohio and Dublin", [("Dublin, Ohio", "dublin, ohio"), ("Dublin", "dublin")]),
        ("Paris, Hilton", [("Paris", "paris")]),
        ("the Kansas City Chiefs", []),
        ("Republic of Ireland", [("Ireland", "ireland")]),
        ("South Korea", [("South Korea", "south korea")]),
        ("the us army", [("us", "united states")]),
        ("tell us more", []),
    ],
)
def test_a_place_is_found_whole_with_what_is_around_it(text, places):
    assert [(found.span.cut(text), found.key) for found in find_places(text)] == places


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        ("switzerland", "zurich"),
        ("europe", "zurich"),
        ("united states", "paris, texas"),
        ("texas", "paris, texas"),
        ("north america", "los angeles"),
        ("california", "los angeles"),
        ("united kingdom", "edinburgh"),
        ("scotland", "edinburgh"),
        ("european union", "france"),
        ("scandinavia", "sweden"),
        ("asia", "turkey"),
        ("europe", "turkey"),
        ("germany", "bavaria"),
        ("canada", "london, ontario"),
    ],
)
def test_a_place_lies_in_all_around_it(outer, inner):
    assert contains(outer, inner)
    assert not contains(inner, outer)
    assert overlap(outer, inner)


@pytest.mark.parametrize(
    ("a", "b", "meet"),
    [
        ("france", "germany", False),
        ("england", "scotland", False),
        ("paris", "paris, texas", False),
        ("middle east", "asia", True),
        ("scandinavia", "european union", True),
        ("balkans", "scandinavia", False),
    ],
)
def test_places_overlap_where_one_country_lies_in_both(a, b, meet):
    assert overlap(a, b) is overlap(b, a) is meet


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("USA", "united states"),
        ("U.S.", "united states"),
        ("the Netherlands", "netherlands"),
        ("Holland", "netherlands"),
        ("Türkiye", "turkey"),
        ("Köln", "koln"),
        ("Cologne", "koln"),
        ("Paris, Texas", "paris, texas"),
        ("paris, texas", "paris, texas"),
        ("Switzerland's", "switzerland"),
        ("AND", None),
        ("Newton", None),
        ("Reading", None),
        ("", None),
        ("\ud800", None),
    ],
)
def test_a_name_has_one_key_or_none(name, key):
    assert place_key(name) == key


@pytest.mark.parametrize("name", sorted({*KNOWN_CITIES, *OTHER_NAMES.values()}))
def test_the_places_of_our_own_lists_are_in_the_data(name):
    assert fold(name) in gazetteer().keys


def test_names_are_folded():
    assert fold("São-Paulo") == fold("SAO PAULO") == "sao paulo"


@lru_cache
def all_keys() -> list[str]:
    return sorted(gazetteer().known)


KEYS = st.integers(0, 10**6).map(lambda number: all_keys()[number % len(all_keys())])  # read when first drawn


@given(KEYS)
def test_a_key_stands_for_itself(key):
    assert contains(key, key)


@given(KEYS, KEYS, KEYS)
def test_containment_is_transitive(a, b, c):
    for outer in gazetteer().containers[a]:
        for outermost in gazetteer().containers.get(outer, ()):
            assert contains(outermost, a)
    assert not (contains(a, b) and contains(b, c)) or contains(a, c)


@given(st.text(max_size=120))
def test_any_text_is_searched_for_places(text):
    for found in find_places(text):
        assert found.span.cut(text)
        assert found.key in gazetteer().containers
