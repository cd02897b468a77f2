"""Escapes text for spreadsheets, reversibly, so that no cell is taken for a formula.

Text that looks like a formula is prefixed with an apostrophe, which spreadsheets read as "this is text"; numbers are
cells of their own type. OWASP, "CSV Injection".
"""

import re

# A formula may follow blanks, quotation marks and invisible characters, because some programs strip them first.
_UNSEEN = (
    r"\s\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000e0fff"
)
_LIKE_A_FORMULA = re.compile(rf"'*[{_UNSEEN}\"{{(]*[=+\-@＝＋－＠|%]|'*[\t\r\n]")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def neutral(text: str) -> str:
    """Return the text in the form that a cell may hold."""
    plain = _CONTROLS.sub("", text)
    return f"'{plain}" if _LIKE_A_FORMULA.match(plain) else plain
