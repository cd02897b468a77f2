"""The claims of a report's short answer."""

from uuid import uuid4

import pytest

from citations.models import Claim
from research.pipelines.common.verifying.store_report_verification import in_short, put_newest_first

SAID = "HNSW needs more memory than IVF-PQ."


@pytest.mark.parametrize(
    "announced",
    [
        "There are three main types of search:",
        "tbl.search(query) \\",
        "# Create the index",
        "!!! note It is slow.",
    ],
)
def test_what_says_nothing_by_itself_is_not_among_them(announced):
    assert in_short([announced, SAID]) == [SAID]


def test_they_are_the_first_three_in_their_order():
    assert in_short([f"{number} percent." for number in range(5)]) == [
        "0 percent.",
        "1 percent.",
        "2 percent.",
    ]


def test_where_none_says_anything_the_first_stand():
    assert in_short(["Types:", "Kinds:"]) == ["Types:", "Kinds:"]


def test_newest_rows_of_a_timeline_come_first():
    timeline, other = uuid4(), uuid4()
    placed = [("2023", timeline), ("Aside", other), ("2024", timeline), ("2025", timeline)]
    claims = [Claim(text=text, section_id=section) for text, section in placed]
    assert [claim.text for claim in put_newest_first(claims, {timeline})] == ["2025", "2024", "2023", "Aside"]
    assert put_newest_first(claims, set()) == claims
