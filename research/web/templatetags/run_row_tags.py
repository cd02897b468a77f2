"""Renders rows of the lists of runs, which take most of a list's time and rarely change."""

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import get_language

from research.models import Run
from research.web.runs.run_list_page import RunRow
from research.web.site.page_fragment_cache import parts

register = template.Library()


@register.simple_tag
def run_row(row: RunRow) -> SafeString:
    """Render a row; it is cached by everything that it shows."""
    age = timesince(row.run.created_at)
    key = ("run row", get_language(), row.mix, row.children, age, *_build_key_parts(row.run))
    known = parts.get(key)
    if known is None:
        known = render_to_string("research/site/_run_row.html", {"row": row, "age": age})
        parts.keep(key, known)
    return SafeString(known)


def _build_key_parts(run: Run) -> tuple[object, ...]:
    """Return the values of a run that its row and the template of its state show."""
    return (
        run.pk,
        run.topic,
        run.kind,
        run.state,
        run.parent_id,
        run.relation,
        run.is_insufficient,
        run.paused_at is None,
        run.cost_usd,
    )
