"""Renders cells of the wide table. A page has up to 1,500 of them, and a template would take ten times as long."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from research.web.table.table_view import ShownCell

register = template.Library()

UNKNOWN = SafeString('<span aria-hidden="true">?</span>')
DIFFERS = SafeString('<span aria-hidden="true">≠</span>')


@register.filter
def as_cell(cell: ShownCell) -> SafeString:
    """Render a table's cell: a value with the link to its evidence, or a note that it is pending."""
    if not cell.address:
        return format_html(
            '<td class="{}"><div class="cell {}"><i class="waits" role="img" aria-label="{}"></i></div></td>',
            cell.kind,
            cell.state,
            cell.text,
        )
    return format_html(
        '<td class="{}"><div class="cell {}"><span class="cell-text" dir="auto">{}</span>{}</div></td>',
        cell.kind,
        cell.state,
        _value(cell),
        _badge(cell),
    )


def _value(cell: ShownCell) -> str:
    if not cell.link:
        return cell.text
    return format_html('<a href="{}" target="_blank" rel="noopener noreferrer">{}</a>', cell.link, cell.text)


def _badge(cell: ShownCell) -> SafeString:
    """Render the strength as a button, which opens the cell's page if scripts are off."""
    return format_html(
        '<button class="badge {}{}" id="{}" type="submit" form="evidence" formaction="{}" popovertarget="cite"'
        ' hx-get="{}" hx-target="#cite" aria-label="{}">{}{}</button>',
        cell.strength,
        " disputed" if cell.is_disputed else "",
        cell.id,
        cell.address,
        cell.address,
        cell.label,
        DIFFERS if cell.is_disputed else "",
        cell.dots or UNKNOWN,
    )
