"""Two quantities of texts and how they agree."""

import pytest

from citations.find_quantities import find_quantities
from citations.quantities.compare_amounts import agree, states
from tests.citations.telling import join_parts, parse_expectations

AGREEMENTS = """
in 12 users ~ 12 users
    agree same, first states same, second states same
12 users ~ 13 users
    agree same, first states different, second states different
about 12 users ~ 13 users
    agree same, first states same, second states different
about 100 users ~ 104 users
    agree same, first states same, second states different
about 100 users ~ 120 users
    agree different, first states different, second states different
at least 12 users ~ 15 users
    agree same, first states same, second states different
at least 12 users ~ 11 users
    agree different, first states different, second states different
at least 12 users ~ at least 12 users
    agree same, first states same, second states same
more than 12 users ~ at least 12 users
    agree same, first states same, second states same
at most 12 users ~ at least 13 users
    agree different, first states different, second states different
at most 12 users ~ at least 10 users
    agree same, first states different, second states different
12 users ~ at least 12 users
    agree same, first states same, second states same
10 to 15 users ~ 12 users
    agree same, first states different, second states different
10 to 15 users ~ 16 users
    agree different, first states different, second states different
12 users ~ 10 to 15 users
    agree same, first states different, second states different
12 users ~ 12 doors
    agree unrelated, first states same, second states same
12 % of users ~ 12 users
    agree unrelated, first states unrelated, second states unrelated
12 % of users ~ 12 percentage points of users
    agree unrelated, first states unrelated, second states unrelated
$5 ~ €5
    agree unrelated, first states unrelated, second states unrelated
1 mile ~ 1.609 km
    agree unrelated, first states same, second states same
1.6 km ~ 1 mile
    agree unrelated, first states same, second states same
2 km ~ 1 mile
    agree unrelated, first states unrelated, second states unrelated
1,200 users ~ 1,234 users
    agree same, first states different, second states different
1,234 users ~ 1,200 users
    agree same, first states different, second states different
3.1 million users ~ 3,123,456 users
    agree same, first states same, second states different
3 million users ~ 3,123,456 users
    agree same, first states same, second states different
twice as fast ~ 2x faster
    agree unrelated, first states same, second states same
half of users ~ 50 % of users
    agree same, first states same, second states same
the third attempt ~ 3 attempts
    agree unrelated, first states unrelated, second states unrelated
3:1 odds ~ 3-fold odds
    agree unrelated, first states unrelated, second states unrelated
5 °C ~ 41 °F
    agree unrelated, first states same, second states same
a rise of 5 °C ~ a rise of 9 °F
    agree same, first states same, second states same
"""


def describe_agreements(text):
    (one,), (other,) = map(find_quantities, text.split(" ~ "))
    return [
        join_parts(
            f"agree {agree(one, other).value}",
            f"first states {states(one, other).value}",
            f"second states {states(other, one).value}",
        )
    ]


@pytest.mark.parametrize(("text", "lines"), parse_expectations(AGREEMENTS))
def test_two_quantities_agree_or_not(text, lines):
    assert describe_agreements(text) == lines
