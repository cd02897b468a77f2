"""URLs of originals: only http(s), pointing to the quote or page if browsers support it."""

from urllib.parse import quote, urlsplit

WORDS_AT_AN_END = 5  # words at the start and the end of a long quote
LONG_QUOTE = 12  # number of words up to which a quote is included whole


def original_url(url: str, media_type: str = "", words: str = "", page: int | None = None) -> str:
    """Return the URL of the original; empty if there is none that can be followed safely."""
    if not is_web_address(url):
        return ""
    address = url.partition("#")[0]
    if media_type == "application/pdf":
        return f"{address}#page={page}" if page else address
    return f"{address}#:~:text={text_fragment(words)}" if words.split() else url


def is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:  # unbalanced brackets, which occur in URLs of pages
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)


def text_fragment(words: str) -> str:
    """Return the text directive for a quote.

    Every `-`, `,` and `&` in it must be escaped, otherwise the directive fails silently.
    """
    parts = words.split()
    if len(parts) <= LONG_QUOTE:
        return _escape_fragment(parts)
    return f"{_escape_fragment(parts[:WORDS_AT_AN_END])},{_escape_fragment(parts[-WORDS_AT_AN_END:])}"


def _escape_fragment(words: list[str]) -> str:
    return quote(" ".join(words), safe="").replace("-", "%2D")
