"""The options of a run as form fields. The run's configuration validates their values."""

from typing import TYPE_CHECKING

from django import forms
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _

from research.agents.tools.evidence.agent_named_sources import site_name, to_page_url
from research.agents.tools.evidence.sources_allowed_to_agents import (
    MAX_DOCUMENTS,
    MAX_PAGES_PER_SOURCE,
    MAX_SITES,
    MAX_URLS,
)
from research.llm.budgets.budget_limits import most
from research.pipelines.report.report_config import (
    MAX_EXCLUDED,
    MAX_REPORT,
    MAX_SUBTOPICS,
    MIN_REPORT,
)
from research.pipelines.report.report_required_sources import document_named
from research.web.ask.library_scope_field import ScopeField
from research.web.ask.run_form_choices import (
    BIAS_CHOICES,
    DEPTH_CHOICES,
    FACT_CHECKS,
    FOLLOW_UPS,
    PLAN_APPROVALS,
    REGION_CHOICES,
    REVIEWS,
    THIN_CLAIMS,
    TYPE_CHOICES,
)
from research.web.site.line_list_form_field import LinesField

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

CONTENT = ("subtopics", "excluded_subjects")
WHERE = ("sources", "urls", "documents", "providers")
FILTERS = (
    "priority_domains",
    "excluded_domains",
    "published_from",
    "published_to",
    "recency_bias",
    "languages",
    "source_types",
    "regions",
    "pages_per_source",
    "fresh_pages",
    "ignore_known",
)
LENGTH = (
    "depth",
    "target_sources",
    "words",
    "sources_per_claim",
    "thin_claims",
    "confidence_threshold",
    "max_quotes",
    "fact_check",
    "reviews",
    "plan_approval",
    "budget_credits",
    "commentary",
    "follow_ups",
    "exports",
    "slides",
)
SEARCH_ONLY = ("providers", "priority_domains", "excluded_domains", "regions", "fresh_pages")
ESTIMATING = {
    "hx-get": reverse_lazy("research:new_run"),
    "hx-trigger": "input delay:300ms",
    "hx-target": "#estimate",
    "hx-include": "#id_depth, #id_target_sources, #id_budget_credits",
    "hx-indicator": "#estimating",
}


def _day(label: "_StrPromise", help_text: "_StrPromise") -> forms.CharField:
    attributes = {"placeholder": "2024-06", "autocomplete": "off", "inputmode": "numeric", "class": "short"}
    widget = forms.TextInput(attrs=attributes)
    return forms.CharField(label=label, required=False, max_length=20, help_text=help_text, widget=widget)


def _document(name: str) -> str:
    return str(document_named(name).pk)


class RunOptions(forms.Form):
    """The form of a run's options: where to search, which sources to use, how many, and how they are checked."""

    subtopics = LinesField(
        _("Subtopics that must be covered"),
        _(
            "One per line. Each is searched for and gets its own section, or the report says that nothing "
            "was found."
        ),
        MAX_SUBTOPICS,
        str,
    )
    excluded_subjects = LinesField(
        _("Subjects to leave out"),
        _("One per line. Statements about them are kept out of the report and listed as left out."),
        MAX_EXCLUDED,
        str,
    )
    sources = forms.ChoiceField(label=_("Where to look"), widget=forms.RadioSelect)
    urls = LinesField(
        _("Pages and papers that must be read"),
        _("One address or DOI per line. A page is fetched if your library has no copy of it."),
        MAX_URLS,
        to_page_url,
    )
    documents = LinesField(
        _("Documents that must be read"),
        _("One title or file name from your library per line. They are read regardless of the filters."),
        MAX_DOCUMENTS,
        _document,
    )
    folders = ScopeField()
    providers = forms.MultipleChoiceField(
        label=_("Search services"),
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "columns"}),
        help_text=_("The services used to search the web. If none is ticked, all are used."),
    )
    priority_domains = LinesField(
        _("Sites to read first"), _("One per line, such as example.org."), MAX_SITES, site_name
    )
    excluded_domains = LinesField(
        _("Sites to exclude from the search"),
        _("One per line, such as example.org. Everything under it is excluded as well."),
        MAX_SITES,
        site_name,
    )
    published_from = _day(_("Published from"), _("A day, a month or a year: 2024-06-30, 2024-06, 2024."))
    published_to = _day(_("Published until"), _("Sources without a date are kept and marked as undated."))
    recency_bias = forms.ChoiceField(
        label=_("Age of sources"), required=False, initial="balanced", choices=BIAS_CHOICES
    )
    source_types = forms.MultipleChoiceField(
        label=_("Kinds of source"),
        required=False,
        choices=TYPE_CHOICES,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("If none is ticked, all kinds are used."),
    )
    regions = forms.MultipleChoiceField(
        label=_("Regions"),
        required=False,
        choices=REGION_CHOICES,
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "If none is ticked, all regions are used. Sites whose domain does not indicate a region are kept."
        ),
    )
    languages = forms.CharField(
        label=_("Languages"),
        required=False,
        max_length=200,
        help_text=_("Two-letter codes, such as en, de. Leave empty for any language."),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off", "class": "short"}),
    )
    pages_per_source = forms.IntegerField(
        label=_("Pages per site"),
        required=False,
        initial=1,
        help_text=_("From 2 up, links on a good page are followed, up to this many pages."),
        widget=forms.NumberInput(attrs={"min": 1, "max": MAX_PAGES_PER_SOURCE}),
    )
    fresh_pages = forms.BooleanField(
        label=_("Fetch every page again"),
        required=False,
        help_text=_("Otherwise, pages that your earlier runs saved are reused if they are recent enough."),
    )
    ignore_known = forms.BooleanField(
        label=_("Ignore what earlier runs found"),
        required=False,
        help_text=_(
            "Otherwise, documents that your earlier runs quoted on the same subjects are read again if they "
            "still contain the quotes."
        ),
    )
    depth = forms.ChoiceField(
        label=_("Depth"),
        required=False,
        initial="standard",
        choices=DEPTH_CHOICES,
        widget=forms.Select(attrs=ESTIMATING),
    )
    target_sources = forms.IntegerField(
        label=_("Maximum sources"),
        required=False,
        help_text=_(
            "Leave empty to use the default for the depth. More sources take more time and, with a model, more "
            "credits."
        ),
        widget=forms.NumberInput(attrs={"min": 1, "max": most("sources"), **ESTIMATING}),
    )
    confidence_threshold = forms.FloatField(
        label=_("Quality wanted"),
        required=False,
        initial=0.6,
        help_text=_(
            "Between 0 and 1: the average quality that the sources should reach before the search ends."
        ),
        widget=forms.NumberInput(attrs={"min": 0, "max": 1, "step": 0.05}),
    )
    max_quotes = forms.IntegerField(
        label=_("Maximum quotes"),
        required=False,
        help_text=_("Between 1 and 200. Leave empty to use the default for the depth."),
        widget=forms.NumberInput(attrs={"min": 1, "max": 200}),
    )
    words = forms.IntegerField(
        label=_("Length in words"),
        required=False,
        help_text=_(
            "The maximum, reached if the sources have enough to say. Leave empty to use the default for the "
            "depth."
        ),
        widget=forms.NumberInput(attrs={"min": MIN_REPORT, "max": MAX_REPORT}),
    )
    sources_per_claim = forms.ChoiceField(
        label=_("Sources wanted per claim"),
        required=False,
        initial="1",
        help_text=_(
            "Only independent sources count: copies of one text and pages of one publisher count once."
        ),
    )
    thin_claims = forms.ChoiceField(
        label=_("Claims with fewer sources"), required=False, initial="mark", choices=THIN_CLAIMS
    )
    commentary = forms.BooleanField(
        label=_("Add a commentary"),
        required=False,
        help_text=_("Add a section, marked as such, that assesses the evidence as a whole."),
    )
    follow_ups = forms.ChoiceField(
        label=_("Follow-up questions"),
        required=False,
        initial="True",
        choices=FOLLOW_UPS,
        help_text=_("Each one starts a run with a click."),
    )
    slides = forms.BooleanField(
        label=_("Make slides"), required=False, help_text=_("As soon as the report is done.")
    )
    fact_check = forms.ChoiceField(
        label=_("Checking"), required=False, initial="standard", choices=FACT_CHECKS
    )
    reviews = forms.ChoiceField(
        label=_("Questions to you"),
        required=False,
        initial="plan",
        choices=REVIEWS,
        help_text=_(
            "Doubts are conflicts between sources, missing evidence and sentences that the check is not sure "
            "about. They are shown in the report and can be reviewed afterwards."
        ),
    )
    plan_approval = forms.ChoiceField(
        label=_("Plan"), required=False, initial="automatic", choices=PLAN_APPROVALS
    )
    budget_credits = forms.IntegerField(
        label=_("Budget in credits"),
        required=False,
        help_text=_(
            "One credit is one US cent. Leave empty to use the workspace’s limit. A run whose estimate exceeds "
            "the budget does not start; a run that reaches it ends with what it has."
        ),
        widget=forms.NumberInput(attrs={"min": 1, **ESTIMATING}),
    )
    exports = forms.MultipleChoiceField(
        label=_("Files to make"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Created as soon as the report is done; others can be created later."),
    )
