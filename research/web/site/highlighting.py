"""Code in colours, made here: spans with classes, so that the page needs no script and no style of its own."""

from functools import cache

from django.utils.html import escape
from django.utils.safestring import SafeString
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

PREFIX = "c-"  # of every class: none of them means anything elsewhere
_NAMES = {"csharp": "c#", "dockerfile": "docker", "cpp": "c++"}


def highlight_code(code: str, language: str) -> SafeString:
    """Escaped by Pygments, or by us where it knows no such language."""
    lexer = _lexer(language)
    if lexer is None:
        return escape(code)
    marked = highlight(code, lexer, HtmlFormatter(nowrap=True, classprefix=PREFIX))
    return SafeString(marked)  # Pygments escapes what it is given; a test tries


@cache
def _lexer(language: str) -> Lexer | None:
    if not language:
        return None
    try:
        return get_lexer_by_name(_NAMES.get(language, language), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
