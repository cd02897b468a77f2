"""Queries as search engines take them: sites that are wanted alone, or not at all, as operators."""

from research.acquisition.providers.protocol import Filters

MOST_SITES = 5  # in one query: more would crowd out its words; the others are left out afterwards
LONGEST = 400  # characters


def with_sites(query: str, filters: Filters, minus: str = "-") -> str:
    """`minus` is how the engine is told what is not wanted. The query's own words always stay."""
    wanted, unwanted = sorted(filters.allowed_domains), sorted(filters.excluded_domains)
    operators = [f"{minus}site:{one}" for one in unwanted[:MOST_SITES]]
    if 0 < len(wanted) <= MOST_SITES:
        sites = " OR ".join(f"site:{one}" for one in wanted)
        operators = [f"({sites})" if len(wanted) > 1 else sites]
    for operator in operators:
        if len(query) + 1 + len(operator) <= LONGEST:
            query = f"{query} {operator}"
    return query
