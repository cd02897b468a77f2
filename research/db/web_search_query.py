"""Words as people search the web with them, "exact phrase", or, -without, as a query of PostgreSQL's."""

import re

from django.contrib.postgres.search import SearchQuery

# A hyphen that leaves out no word; of 32 such in a row PostgreSQL makes a query that is too deep for it.
_LEAVES_OUT_NOTHING = re.compile(r"-(?![\w\"])")


def web_search(words: str) -> SearchQuery:
    """Whatever was typed there."""
    plain = _LEAVES_OUT_NOTHING.sub(" ", words.replace("\0", " "))
    return SearchQuery(plain, config="english", search_type="websearch")
