"""Template filters that explain how a source was assessed.

A list contains a hundred explanations made of few distinct parts; each part is rendered once and cached.
"""

from functools import lru_cache
from html import escape

from django import template
from django.template.defaultfilters import floatformat
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from citations.credibility.source_authority_rules import STARTS_AT
from exports.document.document_tree import AssessmentEntry, ScorePartEntry
from exports.document.format_document_dates import as_known
from exports.labels.format_document_values import percent
from exports.stored.translate_exported_sentences import translate_stored_text
from research.web.site.value_labels import word
from research.web.templatetags.evidence_tags import points

register = template.Library()


@register.filter
def why(found: AssessmentEntry) -> SafeString:
    """Render the parts of a source's scores, folded."""
    language, judged = get_language() or "", escape(_("Judged"))
    quality = " ".join(_share(part, language) for part in found.quality_parts)
    drawn = (
        f"{_begins(language)}{quality} {_authority(found, language)} {_credibility(found, language)} "
        f"<dt>{judged}</dt> <dd>{escape(as_known(found.day))}</dd></dl></details>"
    )
    return SafeString(drawn)


@lru_cache(maxsize=16)
def _begins(language: str) -> str:
    """Render in the active language; `language` only serves as a cache key, here and below."""
    summary = escape(_("Why this score"))
    return f'<details class="why small"><summary>{summary}</summary> <dl class="facts">'


@lru_cache(maxsize=4096)
def _share(part: ScorePartEntry, language: str) -> str:
    if part.value is None:
        share = escape(_("unknown, not counted"))
    else:
        weight = escape(percent(part.weight))
        share = f'{escape(percent(part.value))} <span class="muted">× {weight}</span>'
    return f'<dt>{escape(word(part.name, "score_part"))}</dt> <dd class="figure">{share}</dd>'


def _authority(found: AssessmentEntry, language: str) -> str:
    parts = "".join(_render_part(part, language) for part in found.authority_parts if part.value)
    return f"{_authority_begins(language)}{parts}<br> {_reason(found.reason, language)}</dd>"


@lru_cache(maxsize=16)
def _authority_begins(language: str) -> str:
    authority, starts = escape(_("Authority is")), escape(floatformat(STARTS_AT, 2))
    return f'<dt>{authority}</dt> <dd><span class="figure">{starts}</span>'


@lru_cache(maxsize=4096)
def _render_part(part: ScorePartEntry, language: str) -> str:
    figure, name = escape(points(part.value)), escape(word(part.name, "authority_part"))
    return f', <span class="figure">{figure}</span> <span class="muted">{name}</span>'


@lru_cache(maxsize=4096)
def _reason(reason: str, language: str) -> str:
    words = escape(_("Its tier and kind: %(reason)s") % {"reason": translate_stored_text(reason)})
    return f'<span class="muted">{words}</span>'


def _credibility(found: AssessmentEntry, language: str) -> str:
    if not found.credibility_parts:
        return ""
    parts = ", ".join(_of_most(part, language) for part in found.credibility_parts)
    name, most = escape(_("Credibility")), escape(_("(6 for the domain, 1 for each other)"))
    return f'<dt>{name} {found.credibility}/10</dt> <dd>{parts} <span class="muted">{most}</span></dd>'


@lru_cache(maxsize=4096)
def _of_most(part: ScorePartEntry, language: str) -> str:
    name = escape(word(part.name, "credibility_part"))
    return f'<span class="figure">{escape(floatformat(part.value, "-1"))}</span> <span class="muted">{name}</span>'
