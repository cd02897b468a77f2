"""The claims of a report's short answer."""

import pytest

from research.pipelines.common.verifying.store_report_verification import in_short

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
