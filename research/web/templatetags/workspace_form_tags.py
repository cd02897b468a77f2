"""Replaces `{% csrf_token %}` in every template, adding the workspace in which the form was shown.

Installed as a built-in (settings, TEMPLATES), so that every form has it. Parts that are rendered without a request
have `workspace` in their context.
"""

from django import template
from django.http import HttpRequest
from django.template.base import Parser, Token
from django.template.context import Context
from django.template.defaulttags import CsrfTokenNode
from django.utils.html import format_html

from research.db.tenancy import access_in

register = template.Library()


class FormNode(CsrfTokenNode):
    def render(self, context: Context) -> str:
        token: str = super().render(context)
        request = context.get("request")
        access = access_in(request) if isinstance(request, HttpRequest) else context.get("workspace")
        if not token or access is None:
            return token
        return token + format_html('<input type="hidden" name="workspace" value="{}">', access.tenant_id)


@register.tag
def csrf_token(_parser: Parser, _token: Token) -> FormNode:
    return FormNode()
