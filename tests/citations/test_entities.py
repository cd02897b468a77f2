import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.entities.entities import entity_key, entity_keys, find_entities
from citations.entities.find_place_entities import contains, overlap, place_key


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Elvis Presley was born in Tupelo.", {"elvis presley", "tupelo"}),
        ("Use PBKDF2 with SHA-256.", {"pbkdf2", "sha 256"}),
        ("as NIST SP 800-63B says", {"sp 800 63b"}),
        ("see RFC 2104 and ISO/IEC 27001", {"rfc 2104", "iso iec 27001"}),
        ("since Django 5.2 it is so", {"django 5.2"}),
        ("The University of Zurich found", {"university of zurich"}),
        ("sales in the US and in Germany", {"united states", "germany"}),
        ("sold in the united states", {"united states"}),
        ("Verifiers SHALL do it", set()),
        ("Passwords are weak. Users know.", set()),
        ("on Monday in May 2017", set()),
        ("", set()),
    ],
)
def test_names_are_found_by_their_form(text, keys):
    assert entity_keys(text) == keys


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Argon2id replaced bcrypt.", ["Argon2id"]),
        ("the cipher-suite AES-256-GCM", ["AES-256-GCM"]),
        ("foo--bar3 and x_9", ["bar3", "x_9"]),
        ("a three-fold well-known iPhone", ["iPhone"]),
        ("in 2020 the rate was 3-fold", []),
    ],
)
def test_a_word_with_a_digit_inside_is_a_name_whole(text, names):
    assert [found.text for found in find_entities(text)] == names


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The W3C", "W3C's"),
        ("NIST SP 800-63B", "SP 800-63B"),
        ("U.S.", "United States"),
        ("SHA‑256", "sha-256"),
    ],
)
def test_spellings_of_a_name_meet(a, b):
    assert entity_key(a) == entity_key(b)


def test_a_name_is_never_inside_another():
    found = find_entities("The New York Times of New York wrote on Bank of America and RFC 2104.")
    assert all(a.span.end <= b.span.start for a, b in zip(found, found[1:], strict=False))


@given(st.text(max_size=120))
def test_any_text_is_searched_for_names(text):
    for found in find_entities(text):
        assert found.span.cut(text) == found.text


@pytest.mark.parametrize(("name", "key"), [("USA", "united states"), ("Zürich", "zurich"), ("Nowhere", None)])
def test_places_have_one_key(name, key):
    assert place_key(name) == key


def test_a_city_lies_in_its_country_and_continent():
    assert contains("switzerland", "zurich")
    assert contains("europe", "zurich")
    assert not contains("zurich", "switzerland")
    assert not contains("germany", "zurich")


def test_places_overlap_either_way_round():
    assert overlap("europe", "zurich")
    assert overlap("zurich", "europe")
    assert not overlap("france", "germany")
