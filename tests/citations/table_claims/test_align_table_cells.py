import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.table_claims.align_cited_table_cells import align_cells
from citations.table_claims.claim_table import ColumnKind
from citations.table_claims.table_claim_cells import read_cell
from citations.text.quote_span import Span

KINDS = (ColumnKind.TEXT, ColumnKind.DATE, ColumnKind.TEXT, ColumnKind.NUMBER)


def cells(*texts):
    return [read_cell(text, Span(0, len(text))) for text in texts]


@pytest.mark.parametrize(
    ("texts", "columns"),
    [
        (("Ada", "1990", "Hexley", "31"), (0, 1, 2, 3)),
        (("Ada", "Hexley", "31"), (0, 2, 3)),
        (("Ada", "31"), (0, 3)),
        (("1990", "31"), (1, 3)),
        (("Ada",), (0,)),
        ((), ()),
    ],
)
def test_cells_stand_under_columns_of_their_kind(texts, columns):
    assert align_cells(cells(*texts), KINDS) == columns


def test_more_cells_than_columns_are_refused():
    with pytest.raises(ValueError, match="do not fit"):
        align_cells(cells("a", "b"), KINDS[:1])


@given(st.lists(st.sampled_from(["Ada", "1990", "31", ""]), max_size=4), st.permutations(KINDS))
def test_cells_keep_their_order(texts, kinds):
    found = align_cells(cells(*texts), kinds)
    assert list(found) == sorted(set(found))
    assert len(found) == len(texts)
