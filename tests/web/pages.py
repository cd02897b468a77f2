"""Helpers that read a response."""

from django.http import HttpResponse
from django.utils.html import strip_tags
from lxml import html


def tree(response: HttpResponse) -> html.HtmlElement:
    return html.document_fromstring(response.content.decode())


def words(response: HttpResponse) -> str:
    """The page's visible text, white space folded."""
    return fold_spaces(strip_tags(response.content.decode()))


def fold_spaces(text: str) -> str:
    return " ".join(text.split())
