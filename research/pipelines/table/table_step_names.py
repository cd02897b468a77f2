"""The names under which the steps of a table are stored."""

from enum import StrEnum


class TableStepName(StrEnum):
    PLAN = "table.plan"
    PROPOSE = "table.decompose"
    SEARCH_LISTS = "table.search_lists"
    READ_LISTS = "table.read_lists"

    FETCH_PAGE = "table.fetch"  # of lists of rows

    FILL_ROW = "table.row"
    FILL_ROW_AGAIN = "table.row_again"

    SUM_UP = "table.sum_up"
    TELL_INSIGHTS = "table.tell"


# Steps of earlier versions, which took several for a row: unfinished runs may still have some of them.
RETIRED = (
    "table.open",
    "table.library",
    "table.search",
    "table.find",
    "table.fill",
    "table.search_again",
    "table.end",
)
