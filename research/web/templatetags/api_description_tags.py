"""Renders text of the API description, in which field names are between backticks."""

import re

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

NAMES = re.compile(r"`([^`]+)`")


@register.filter
def format_names(text: str) -> SafeString:
    """Render `state` as <code>state</code>."""
    parts = NAMES.split(text)  # every other part is a name
    return format_html_join(
        "",
        "{}",
        ((format_html("<code>{}</code>", part) if at % 2 else part,) for at, part in enumerate(parts)),
    )
