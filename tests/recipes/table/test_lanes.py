"""How many lanes of a table open at first, and behind which of them the others."""

from hypothesis import given
from hypothesis import strategies as st

from research.recipes.table.items.lanes import AT_FIRST, shares_of


@given(st.integers(1, 500))
def test_all_lanes_open_whatever_their_number(lanes: int) -> None:
    shares = shares_of(lanes)
    assert len(shares) == min(lanes, AT_FIRST)
    assert len(shares) + sum(shares) == lanes
    assert max(shares) - min(shares) <= 1
