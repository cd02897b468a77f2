"""Web search syntax ("exact phrase", or, -without) as a PostgreSQL query."""

import re

from django.contrib.postgres.search import SearchQuery

# Hyphens that exclude no word; 32 of them in a row would make PostgreSQL's query too deeply nested.
_LEAVES_OUT_NOTHING = re.compile(r"-(?![\w\"])")


def web_search(words: str) -> SearchQuery:
    """Return the query for any input."""
    plain = _LEAVES_OUT_NOTHING.sub(" ", words.replace("\0", " "))
    return SearchQuery(plain, config="english", search_type="websearch")
