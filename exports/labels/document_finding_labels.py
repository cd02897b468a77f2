"""Labels for gaps and contradictions of a report's evidence."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

Words = Mapping[str, Promise]

# Circumstances in which the sides of a contradiction may differ.
CIRCUMSTANCES: Words = {
    "date": _("Time"),
    "population": _("Group"),
    "unit": _("Unit"),
    "place": _("Place"),
}
STANDINGS: Words = {
    "apart": _("Differs"),
    "one_sided": _("Only one side says"),
    "shared": _("Shared"),
    "unnamed": _("Neither side says"),
}

SEARCH_PLACES: Words = {"library": _("in the library"), "web": _("on the web")}

# The subject of each check, by the code of its warning. All of these checks are made for every report.
LOOKED_FOR: Words = {
    "G001": _("Parts of the plan without a claim"),
    "G002": _("Parts of the plan that rest on a single source"),
    "G003": _("A medical question without a randomized trial"),
    "G004": _("A medical question without a meta-analysis or review"),
    "G005": _("Groups of people named in the question but in no source"),
    "G006": _("Names and times in the question that no source mentions"),
    "G007": _("Parts of the question that the sources leave open"),
    "G008": _("Kinds of study that the question asks for and no source mentions"),
    "W001": _("Sources that all have one origin"),
    "W002": _("A single source"),
    "W003": _("Mostly old sources"),
    "W004": _("Many sources without a date"),
    "W005": _("Only companies writing about their own field"),
    "W006": _("Many sources behind a paywall"),
    "W007": _("Many preprints without peer review"),
    "W008": _("Figures without a source"),
    "W009": _("Quotations without a speaker"),
    "W010": _("Superlatives without evidence"),
    "W011": _("Predictions stated as facts"),
    "W012": _("Percentages that do not add up"),
    "W013": _("Nearly all claims resting on the same source"),
    "W014": _("No source of the first two tiers"),
    "W016": _("Unsettled disagreements between sources"),
    "W017": _("Claims that rest on a single source of low credibility"),
    "W018": _("A required source that was not available"),
    "W019": _("Low overall confidence"),
    "W020": _("Sources that were retracted or replaced"),
    "W023": _("Sources that were read in part"),
}
_OF_BRIEFS: Words = {
    "B001": _("A result without evidence, or one that its own task rates with low confidence"),
    "B002": _("Statements of the answer that their own sources deny"),
    "B003": _("Quotes that do not appear in the library’s copy of their page"),
    "B004": _("Cited pages that were not read"),
    "B005": _("A draft written by rules because a model failed"),
}
# For kinds that have checks of their own: all checks of their runs.
LOOKED_FOR_OF_KINDS: Mapping[str, Words] = {
    "brief": {**{code: words for code, words in LOOKED_FOR.items() if code != "W019"}, **_OF_BRIEFS},
    "digest": {
        "W030": _("A discussion with only a few posts and comments"),
        "W031": _("Instructions for work that is dangerous if done wrong"),
        "W032": _("Posts that could not be fetched"),
    },
    "synthesis": {
        "G040": _("A table without a randomized trial"),
        "G041": _("A table without a meta-analysis"),
        "W040": _("Studies without peer review"),
        "W041": _("Studies that all come from one author or journal"),
        "W042": _("Many studies with few participants"),
        "W043": _("Studies that do not state their sample size"),
        "W044": _("Studies that all examined the same population"),
        "W045": _("A text in an older format, which names no studies"),
    },
}

SEVERITY_COUNTS: Words = {
    "high": pgettext_lazy("severity of several warnings", "high"),
    "medium": pgettext_lazy("severity of several warnings", "medium"),
    "low": pgettext_lazy("severity of several warnings", "low"),
}

FINDING_VOCABULARY: Mapping[str, Words] = {
    "circumstance": CIRCUMSTANCES,
    "standing": STANDINGS,
    "search_place": SEARCH_PLACES,
    "severity_count": SEVERITY_COUNTS,
}
