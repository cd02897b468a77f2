"""Text on its way into a spreadsheet: never a formula, and what it was can be had back.

What begins like a formula gets an apostrophe in front, which spreadsheets take for "this is text"; figures are cells
of their own type and stay as they are. OWASP, "CSV Injection".
"""

import re

# After blanks and quotation marks too: some programs take them off before they look.
_LIKE_A_FORMULA = re.compile(r"'*[\s\"{(]*[=+\-@＝＋－＠|%]|'*[\t\r\n]")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def neutral(text: str) -> str:
    """The text as a cell may hold it."""
    plain = _CONTROLS.sub("", text)
    return f"'{plain}" if _LIKE_A_FORMULA.match(plain) else plain


def unescape_formula(cell: str) -> str:
    """Undo `neutral`, except for the control characters that it removed."""
    return cell[1:] if cell.startswith("'") and _LIKE_A_FORMULA.match(cell) else cell
