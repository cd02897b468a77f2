"""Queries and filters in the words of search engines: sites as operators, a time range by its name."""

from datetime import date

from research.search.search_protocol import Filters

MOST_SITES = 5  # in one query: more would crowd out its words; the others are left out afterwards
LONGEST = 400  # characters
_RANGES = (
    ("day", 2),
    ("week", 8),
    ("month", 32),
    ("year", 367),
)  # the name, and below how many days it covers


def with_sites(query: str, filters: Filters, minus: str = "-") -> str:
    """`minus` is how the engine is told what is not wanted. The query's own words always stay."""
    wanted, unwanted = sorted(filters.allowed_domains), sorted(filters.excluded_domains)
    operators = [f"{minus}site:{site}" for site in unwanted[:MOST_SITES]]
    if 0 < len(wanted) <= MOST_SITES:
        sites = " OR ".join(f"site:{site}" for site in wanted)
        operators = [f"({sites})" if len(wanted) > 1 else sites]
    for operator in operators:
        if len(query) + 1 + len(operator) <= LONGEST:
            query = f"{query} {operator}"
    return query


def range_of(filters: Filters, today: date) -> str:
    """day, week, month or year: the narrowest that holds all that is wanted; "" for none."""
    if filters.published_from is None:
        return ""
    days = (today - filters.published_from).days
    return next((name for name, most in _RANGES if days < most), "")
