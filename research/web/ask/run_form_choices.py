"""Choices of the form that requests a run, with their labels in the interface."""

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from exports.labels.document_labels import DEPTHS as DEPTH_NAMES
from exports.labels.document_labels import RECENCY_BIASES, REGIONS, SOURCE_TYPES
from research.pipelines.report.report_config import DEPTHS, MAX_SOURCES_OF_A_CLAIM
from research.search.chosen_search_services import list_configured_services
from research.web.site.value_labels import PROVIDERS

Choices = Sequence[tuple[str, str | Promise]]

# Without a web search, "the web" means the pasted pages.
SOURCES_WITH_SEARCH: Choices = [("library", _("Your library")), ("web", _("The web")), ("both", _("Both"))]
SOURCES_WITHOUT: Choices = [
    ("both", _("Your library and the pages named below")),
    ("library", _("Your library only")),
    ("web", _("Only the pages named below")),
]
DEPTH_CHOICES: Choices = [
    (depth, format_lazy("{}: {}", DEPTH_NAMES[depth], format_lazy(_("{} sources"), sources)))
    for depth, sources in DEPTHS.items()
]
FACT_CHECKS: Choices = [
    ("basic", _("Basic: figures and names")),
    ("standard", _("Standard: also quotes and dates")),
    ("strict", _("Strict: also across sources")),
]
REVIEWS: Choices = [
    ("plan", _("Only about plans that are expensive or that I want to see")),
    ("ask", _("Also about doubts, and wait for my answer")),
    ("never", _("Never: continue, and say so in the report")),
]
PLAN_APPROVALS: Choices = [
    ("automatic", _("Start at once, unless it would take more than half of my credits")),
    ("ask", _("Show me every plan first")),
]
BIAS_CHOICES: Choices = list(RECENCY_BIASES.items())
REGION_CHOICES: Choices = [(code, name) for code, name in REGIONS.items() if code != "global"]
TYPE_CHOICES: Choices = [(code, name) for code, name in SOURCE_TYPES.items() if code != "other"]


FOLLOW_UPS: Choices = [("True", _("Offer some at the end of the report")), ("False", _("Offer none"))]
THIN_CLAIMS: Choices = [
    ("mark", _("Keep them, marked")),
    ("leave_out", _("Leave them out, and list them")),
]


def source_counts() -> Choices:
    """Return the choices for the number of sources for a claim, in the active language."""
    numbers = range(1, MAX_SOURCES_OF_A_CLAIM + 1)
    return [
        (str(number), ngettext("%(count)d source", "%(count)d sources", number) % {"count": number})
        for number in numbers
    ]


def provider_choices() -> Choices:
    """Return the search services that are configured."""
    return [(name, PROVIDERS.get(name, name)) for name in list_configured_services()]
