import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.dates.find_dates import Moment
from citations.table_claims.table_claim_cells import amount_of, is_blank, moment_of, read_cell
from citations.text.quote_span import Span


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("51,656", 51_656),
        ("£4.50", 4.5),
        ("35 chf", 35),
        ("t1", 1),
        ("4th", 4),
        ("- 3", -3),
        ("1080 (x2)", 1080),
        ("19.14 (128)", 19.14),
        ("15.2 million tonnes", 15_200_000),
        ("1:25.602", 85.602),
        ("1:12:04", 4_324),
        ("72 + 68 + 70 = 210", 210),
        ("12 %", 12),
    ],
)
def test_a_cell_of_one_number_has_an_amount(text, amount):
    assert amount_of(text) == pytest.approx(amount)


@pytest.mark.parametrize(
    "text",
    ["84 - 71", "w 5 - 2", "platform 9", "Henry the fifth", "", "Sandhithe", "6 - 4 , 7 - 5", "2008-09"],
)
def test_other_cells_have_none(text):
    assert amount_of(text) is None


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("1931", Moment(1931)),
        ("march 3 , 2008", Moment(2008, 3, 3)),
        ("sun sep 6", Moment(None, 9, 6)),
        ("31 / 05 / 1975", Moment(1975, 5, 31)),
        ("05/31/1975", Moment(1975, 5, 31)),
        ("2007 - 04 - 01", Moment(2007, 4, 1)),
        ("1889 - 1907", Moment(1889)),
        ("2007–08", Moment(2007)),
    ],
)
def test_a_date_is_read_as_it_is_written(text, moment):
    assert moment_of(text) == moment


@pytest.mark.parametrize("text", ["51,656", "Sandhithe", "45/45/2000", "1", "99 - 101", ""])
def test_what_is_no_date_is_none(text):
    assert moment_of(text) is None


def test_a_date_has_no_amount_but_a_year_has():
    assert read_cell("march 3 , 2008", Span(0, 14)).amount is None
    assert read_cell("2008", Span(0, 4)).amount == 2008


@pytest.mark.parametrize("text", ["", " ", "-", "–", "N/A", "none", "?"])
def test_a_cell_that_says_nothing_is_blank(text):
    assert is_blank(text)


@given(st.text(max_size=80))
def test_any_text_is_a_cell(text):
    cell = read_cell(text, Span(0, len(text)))
    assert cell.amount is None or isinstance(cell.amount, float)
