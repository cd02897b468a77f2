"""Express queries and filters in the syntax of search engines: sites as operators, time ranges by name."""

from datetime import date

from research.search.search_protocol import Filters

MAX_SITES = 5  # per query: more would crowd out its words; the other sites are filtered afterwards
LONGEST = 400  # characters
_RANGES = (
    ("day", 2),
    ("week", 8),
    ("month", 32),
    ("year", 367),
)  # name, and the number of days that it does not reach


def with_sites(query: str, filters: Filters, minus: str = "-") -> str:
    """Add site operators to a query as far as they fit. `minus` is the engine's prefix for excluded sites."""
    wanted, unwanted = sorted(filters.allowed_domains), sorted(filters.excluded_domains)
    operators = [f"{minus}site:{site}" for site in unwanted[:MAX_SITES]]
    if 0 < len(wanted) <= MAX_SITES:
        sites = " OR ".join(f"site:{site}" for site in wanted)
        operators = [f"({sites})" if len(wanted) > 1 else sites]
    for operator in operators:
        if len(query) + 1 + len(operator) <= LONGEST:
            query = f"{query} {operator}"
    return query


def range_of(filters: Filters, today: date) -> str:
    """Return the narrowest time range that covers the filter: day, week, month or year; "" for none."""
    if filters.published_from is None:
        return ""
    days = (today - filters.published_from).days
    return next((name for name, most in _RANGES if days < most), "")
