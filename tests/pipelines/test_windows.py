"""The words that a claim is checked against: a quote with its neighbours."""

from citations.anchoring import Span
from research.models import Content
from research.pipelines.common.report_claim_alignment import NEIGHBOURS, surroundings


def table(start: int, end: int) -> Content:
    return Content(tables=[{"headers": ["Year", "Sales"], "rows": [], "start": start, "end": end}])


def test_a_quote_is_read_with_what_stands_around_it():
    assert surroundings(None, Span(1000, 1020)) == Span(1000 - NEIGHBOURS, 1020 + NEIGHBOURS)


def test_a_text_begins_at_its_beginning():
    assert surroundings(None, Span(10, 20)).start == 0


def test_a_cell_is_read_with_its_whole_table():
    assert surroundings(table(200, 5000), Span(1000, 1020)) == Span(200, 5000)


def test_a_table_elsewhere_is_not_read_with_it():
    assert surroundings(table(5000, 6000), Span(1000, 1020)).end == 1020 + NEIGHBOURS
