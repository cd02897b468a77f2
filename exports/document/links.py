"""Addresses of originals: only http(s), and to the very words or page where a browser can go there."""

from urllib.parse import quote, urlsplit

WORDS_AT_AN_END = 5  # of a long quote, as the fragment's start and end
LONG_QUOTE = 12  # words; a shorter quote is given whole


def original_url(url: str, media_type: str = "", words: str = "", page: int | None = None) -> str:
    """The address to open, or an empty string where there is none that is safe to follow."""
    if not is_web_address(url):
        return ""
    address = url.partition("#")[0]
    if media_type == "application/pdf":
        return f"{address}#page={page}" if page else address
    return f"{address}#:~:text={text_fragment(words)}" if words.split() else url


def is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:  # brackets that do not close: people and pages write what they like
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)


def text_fragment(words: str) -> str:
    """The text directive for a quote; every `-`, `,` and `&` in it is escaped, else it fails silently."""
    parts = words.split()
    if len(parts) <= LONG_QUOTE:
        return _escape_fragment(parts)
    return f"{_escape_fragment(parts[:WORDS_AT_AN_END])},{_escape_fragment(parts[-WORDS_AT_AN_END:])}"


def _escape_fragment(words: list[str]) -> str:
    return quote(" ".join(words), safe="").replace("-", "%2D")
