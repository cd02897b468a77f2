"""Why a source was judged as it was. A list has a hundred of them: drawn here, each takes a tenth of the time."""

from django import template
from django.template.defaultfilters import floatformat
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from citations.weighing.authority_rules import STARTS_AT
from exports.document import Assessment, ScorePart
from exports.stored.matching import stored
from exports.value_words import as_known
from exports.wording import percent
from research.templatetags.evidence import points
from research.web.words import word

register = template.Library()


@register.filter
def why(found: Assessment) -> SafeString:
    """The parts of its scores, folded away."""
    return format_html(
        '<details class="why small"><summary>{}</summary> <dl class="facts">{} {} {} <dt>{}</dt> <dd>{}</dd></dl>'
        "</details>",
        _("Why this score"),
        format_html_join(
            " ",
            "<dt>{}</dt> {}",
            ((word(one.name, "score_part"), _share(one)) for one in found.quality_parts),
        ),
        _authority(found),
        _credibility(found),
        _("Judged"),
        as_known(found.day),
    )


def _share(part: ScorePart) -> SafeString:
    if part.value is None:
        return format_html('<dd class="figure">{}</dd>', _("not known, counts nothing"))
    shares = percent(part.value), percent(part.weight)
    return format_html('<dd class="figure">{} <span class="muted">× {}</span></dd>', *shares)


def _authority(found: Assessment) -> SafeString:
    parts = (
        (points(one.value), word(one.name, "authority_part")) for one in found.authority_parts if one.value
    )
    return format_html(
        '<dt>{}</dt> <dd><span class="figure">{}</span>{}<br> <span class="muted">{}</span></dd>',
        _("Authority is"),
        floatformat(STARTS_AT, 2),
        format_html_join("", ', <span class="figure">{}</span> <span class="muted">{}</span>', parts),
        _("Its tier and kind: %(reason)s") % {"reason": stored(found.reason)},
    )


def _credibility(found: Assessment) -> SafeString:
    if not found.credibility_parts:
        return SafeString("")
    parts = (
        (floatformat(one.value, "-1"), word(one.name, "credibility_part")) for one in found.credibility_parts
    )
    return format_html(
        '<dt>{} {}/10</dt> <dd>{} <span class="muted">{}</span></dd>',
        _("Credibility"),
        found.credibility,
        format_html_join(", ", '<span class="figure">{}</span> <span class="muted">{}</span>', parts),
        _("(of 2 each)"),
    )
