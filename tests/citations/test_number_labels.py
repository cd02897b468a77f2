import pytest

from citations.entities.entity_number_labels import blank_out, find_labels
from citations.find_quantities import find_quantities
from citations.text.quote_span import Span


@pytest.mark.parametrize(
    "text",
    [
        "No. 5 in the charts",
        "Apollo 11 landed",
        "the crew of Apollo 11 landed",
        "chapter 3 says",
        "Windows 10 is out",
        "Django 4.2 came",
        "ISBN 978-3-16-148410-0",
        "call +41 44 123 45 67",
        "call (555) 123-4567",
        "doi 10.1000/182",
        "see https://example.org/5/12",
        "at 10:30 am",
        "at 5 p.m.",
        "at 14:05",
        "won 3–1 against them",
        "5G networks and 3D films",
        "in her 30s",
        "on Route 66",
        "type 2 diabetes",
        "COVID-19",
        "open 24/7",
        "a screen of 1920 × 1080",
        "at f/16",
        "room 12",
        "as in [12]",
        "from 192.168.0.1",
        "since 9/11",
        "question 12 is hard",
    ],
)
def test_numbers_that_name_are_no_quantities(text):
    assert find_quantities(text) == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("In 12 countries it sells", 12),
        ("Employs 50 people", 50),
        ("order 5 pizzas", 5),
        ("track 5 million users", 5e6),
        ("Germany has 12 members", 12),
        ("Nearly 12 of them", 12),
        ("top 10 songs", 10),
        ("Rs 500 crore", 5e9),
        ("aged 65 or older", 65),
    ],
)
def test_numbers_that_count_stay(text, value):
    assert [found.low for found in find_quantities(text)] == [value]


def test_blanked_text_keeps_its_length():
    text = "see page 12 of 30"
    blank = blank_out(text, (Span(4, 11), Span(9, 11)))
    assert len(blank) == len(text)
    assert blank.endswith(" of 30")
    assert "12" not in blank


def test_a_text_without_digits_has_no_labels():
    assert find_labels("Apollo eleven") == ()
