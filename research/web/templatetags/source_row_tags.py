"""Renders rows of a run's list of sources: as a template, its hundred rows took most of a page's time."""

from collections.abc import Iterable
from functools import lru_cache
from html import escape
from uuid import UUID

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from exports.document.document_attribution import makers_of
from exports.document.document_tree import SourceEntry
from exports.document.format_document_dates import as_known
from exports.labels.format_document_values import percent
from exports.stored.translate_exported_sentences import translate_stored_text
from research.models import Run
from research.web.report.source_list_page import ListedSource
from research.web.site.value_labels import word
from research.web.templatetags.assessment_tags import why
from research.web.templatetags.evidence_tags import count_hidden_passages

register = template.Library()
ANY = UUID(int=0)  # computed once for each source


@register.simple_tag
def source_rows(lines: Iterable[ListedSource], run: Run) -> SafeString:
    address = reverse("research:source", args=[ANY])
    language = get_language() or ""
    return SafeString(
        "\n".join(_row(line, address.replace(str(ANY), str(line.entry.id)), run, language) for line in lines)
    )


def _row(listed: ListedSource, address: str, run: Run, language: str) -> str:
    source, judged = listed.entry, listed.entry.assessment
    quality = None if judged is None else judged.quality
    credibility = judged.credibility if judged else None
    return (
        f"<tr><td>{f'[{source.number}]' if source.number else ''}</td>"
        f"<td>{_render_title(listed, address)} {why(judged) if judged else ''}</td>"
        f"<td>{_word(source.source_type, 'source_type', language)}</td>"
        f"<td>{_day(source.published, language)}</td>"
        f"{_figure('Quality', language)}{'–' if quality is None else escape(percent(quality))}</td>"
        f"{_figure('Tier', language)}{source.tier}</td>"
        f"{_figure('Credibility', language)}{f'{credibility}/10' if credibility else '–'}</td>"
        f"<td>{_state(source, run, language)}</td></tr>"
    )


def _render_title(listed: ListedSource, address: str) -> str:
    source = listed.entry
    lang = f' lang="{escape(source.language)}"' if source.language else ""
    makers = makers_of(source) or (source.file,)
    named = "&nbsp;· ".join(f'<span dir="auto">{escape(maker)}</span>' for maker in makers)
    had_to_be = escape(_("had to be read"))
    must = f' <span class="tag">{had_to_be}</span>' if source.must_read else ""
    hidden = escape(count_hidden_passages(listed.hidden)) if listed.hidden else ""
    left_out = f' <a class="tag" href="{address}#left-out">{hidden}</a>' if hidden else ""
    return (
        f'<a href="{address}" dir="auto"{lang}>{escape(source.title)}</a> '
        f'<br><span class="muted">{named}</span>{must}{left_out}'
    )


def _state(source: SourceEntry, run: Run, language: str) -> str:
    state = escape(_("Cited")) if source.number else _word(source.status, "source_status", language)
    if source.reason:
        return (
            f'{state}<br><span class="muted" dir="auto">{escape(translate_stored_text(source.reason))}</span>'
        )
    if run.is_finished and source.sha256 and not source.number:
        why = escape(_("Nothing in it was chosen for the report."))
        return f'{state}<br><span class="muted">{why}</span>'
    return state


@lru_cache(maxsize=4096)
def _day(iso: str, language: str) -> str:
    """Format a day in the active language; `language` only serves as a cache key, here and below."""
    unknown = escape(_("date unknown"))
    return escape(as_known(iso)) if iso else f'<span class="tag">{unknown}</span>'


@lru_cache(maxsize=256)
def _word(value: str, kind: str, language: str) -> str:
    return escape(word(value, kind))


@lru_cache(maxsize=64)
def _figure(name: str, language: str) -> str:
    return f'<td class="number" data-label="{escape(_(name))}">'
