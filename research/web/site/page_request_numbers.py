"""Parses numbers in URLs, forms and headers, which may contain anything."""

MAX_DIGITS = 9  # fits every column that such numbers are compared with


def whole(text: str, otherwise: int = 0) -> int:
    """Return the text as a number from 0 with at most nine digits; `otherwise` for any other text."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS
    return int(text) if is_number else otherwise
