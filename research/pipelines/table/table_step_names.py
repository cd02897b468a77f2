"""Names under which the steps of a table are stored."""

from enum import StrEnum


class TableStepName(StrEnum):
    PLAN = "table.plan"
    PROPOSE = "table.decompose"
    SEARCH_LISTS = "table.search_lists"
    READ_LISTS = "table.read_lists"

    OPEN_LANES = "table.open"
    SEARCH_LIBRARY = "table.library"
    SEARCH_WEB = "table.search"
    FETCH_PAGE = "table.fetch"
    FIND_CELLS = "table.find"
    FILL_CELLS = "table.fill"
    SEARCH_AGAIN = "table.search_again"
    END_ITEM = "table.end"

    SUM_UP = "table.sum_up"
    TELL_INSIGHTS = "table.tell"
