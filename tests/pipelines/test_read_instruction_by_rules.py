"""Rules read an instruction: each kind of wish, several at once, and what is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.pipelines.report.instructions.read_report_instruction_by_rules import (
    MAX_TOPIC,
    Topic,
    Wishes,
    read_wishes,
)

WANTED = 30  # sources so far


def read(text: str) -> Wishes:
    return read_wishes(text, WANTED)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("also look at costs", "Costs"),
        ("Please look into the costs too.", "Costs"),
        ("What about maintenance as well?", "Maintenance"),
        ("also safety", "Safety"),
        ("focus on costs since 2020", "Costs since 2020"),
        ("consider the role of “cold starts”", "Role of “cold starts”"),
    ],
)
def test_something_else_is_looked_for(text, name):
    assert read(text) == Wishes(topics=(Topic(name),))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("add a section on safety", "Safety"),
        ("Include a chapter about the risks of leaks too.", "Risks of leaks"),
        ("I want another section titled 'Noise'", "Noise"),
    ],
)
def test_a_section_is_asked_for(text, name):
    assert read(text) == Wishes(topics=(Topic(name, is_section=True),))


@pytest.mark.parametrize(
    ("text", "sites"),
    [
        ("not example.org", ("example.org",)),
        ("Do not use www.example.org or reddit.com", ("example.org", "reddit.com")),
        ("skip https://news.example.net/2024/story.html", ("news.example.net",)),
        ("exclude example.org.", ("example.org",)),
    ],
)
def test_a_site_is_left_out(text, sites):
    assert read(text) == Wishes(excluded=sites)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("more sources", 45),
        ("10 more sources", 40),
        ("fewer sources", 15),
        ("5 fewer papers", 25),
        ("29 fewer papers", 1),
        ("400 fewer papers", 1),
        ("use at most 12 sources", 12),
    ],
)
def test_another_number_of_sources_is_wanted(text, number):
    assert read(text) == Wishes(sources=number)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("only sources since 2020", "2020", ""),
        ("nothing before 2019-06", "2019-06", ""),
        ("nothing older than 2020", "2020", ""),
        ("include papers published after 2018", "2019", ""),
        ("published before 2020", "", "2019"),
        ("nothing after 2020", "", "2020"),
        ("sources between 2015 and 2020", "2015", "2020"),
        ("only sources from 2015 until 2020-03-31", "2015", "2020-03-31"),
        ("only papers of 2021", "2021", "2021"),
    ],
)
def test_only_some_days_count(text, first, last):
    assert read(text) == Wishes(published_from=first, published_to=last)


@pytest.mark.parametrize(
    "text", ["hello", "costs", "don't look at costs", "look at example.org", "only since 2020-13", "no blogs"]
)
def test_what_asks_for_none_of_it_is_said_to_be_unclear(text):
    assert read(text) == Wishes(unclear=(text,))


def test_several_things_are_said_at_once():
    text = "Please also look at costs, and not example.org. Add a section on safety!"
    assert read(f"{text}\nFewer sources, nothing before 2020") == Wishes(
        topics=(Topic("Costs"), Topic("Safety", is_section=True)),
        excluded=("example.org",),
        sources=15,
        published_from="2020",
    )


def test_what_is_said_later_counts():
    assert read("only sources since 2015. Only sources since 2020. 10 sources; 12 sources") == Wishes(
        sources=12, published_from="2020"
    )


def test_days_in_the_wrong_order_are_unclear():
    assert read("sources between 2020 and 2015").unclear == ("sources between 2020 and 2015",)


def test_an_address_of_a_person_is_no_site():
    assert read("do not quote ada@example.org").excluded == ()


@given(st.text(max_size=400))
def test_any_text_is_read_and_what_comes_of_it_fits(text):
    wishes = read(text)
    assert wishes == read(text)
    assert all(0 < len(topic.name) <= MAX_TOPIC for topic in wishes.topics)
    assert wishes.sources is None or wishes.sources >= 1


WORDS = st.sampled_from(
    [
        "also",
        "look at",
        "costs",
        "not",
        "example.org",
        "add",
        "a section on",
        "more",
        "sources",
        "since",
        "2020",
        ", and",
    ]
)


@given(st.lists(WORDS, min_size=1, max_size=12))
def test_words_of_instructions_in_any_order_are_read(words):
    wishes = read(" ".join(words))
    assert wishes != Wishes()
    assert all(site == "example.org" for site in wishes.excluded)
