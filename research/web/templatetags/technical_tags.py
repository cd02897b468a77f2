"""Template tags for technical answers."""

from collections.abc import Mapping

from django import template

from exports.document.document_tree import Document
from research.web.report.technical_view import TechnicalView, technical_view

register = template.Library()


@register.simple_tag
def technical_parts(document: Document, own: Mapping[str, object]) -> TechnicalView:
    return technical_view(document, own)
