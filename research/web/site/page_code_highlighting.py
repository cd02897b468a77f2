"""Highlights code on the server as spans with classes, so that the page needs no script and no inline style."""

from functools import cache

from django.utils.html import escape
from django.utils.safestring import SafeString
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

PREFIX = "c-"  # prefix of all classes, so that no other style matches them
_NAMES = {"csharp": "c#", "dockerfile": "docker", "cpp": "c++"}


def highlight_code(code: str, language: str) -> SafeString:
    """Return the highlighted code, escaped, even if Pygments does not know the language."""
    lexer = _lexer(language)
    if lexer is None:
        return escape(code)
    marked = highlight(code, lexer, HtmlFormatter(nowrap=True, classprefix=PREFIX))
    return SafeString(marked)  # Pygments escapes its input; a test checks it


@cache
def _lexer(language: str) -> Lexer | None:
    if not language:
        return None
    try:
        return get_lexer_by_name(_NAMES.get(language, language), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
