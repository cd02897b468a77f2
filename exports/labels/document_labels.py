"""Labels of stored values in documents, which are also used on pages."""

from collections.abc import Mapping
from pathlib import PurePath

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from exports.labels.document_evidence_labels import EVIDENCE_VOCABULARY
from exports.labels.document_finding_labels import FINDING_VOCABULARY

Words = Mapping[str, Promise]

STRENGTHS: Words = {"strong": _("Strong"), "moderate": _("Moderate"), "limited": _("Limited")}

KINDS: Words = {
    "report": _("Report"),
    "table": _("Table"),
    "brief": _("Brief"),
    "digest": _("Digest"),
    "synthesis": _("Synthesis"),
    "technical": _("Technical"),
}

SOURCE_TYPES: Words = {
    "news": _("News"),
    "academic": _("Paper"),
    "industry": _("Industry"),
    "government": _("Government"),
    "company": _("Company"),
    "blog": _("Blog"),
    "social": _("Social"),
    "wiki": _("Wiki"),
    "documentation": _("Documentation"),
    "code": _("Code"),
    "other": _("Document"),
}

REGIONS: Words = {
    "global": _("Anywhere"),
    "us": _("United States"),
    "eu": _("European Union"),
    "ch": _("Switzerland"),
    "apac": _("Asia and the Pacific"),
    "latam": _("Latin America"),
}

DEPTHS: Words = {
    "quick": _("Quick"),
    "standard": _("Standard"),
    "comprehensive": _("Comprehensive"),
    "exhaustive": _("Exhaustive"),
}

DRAWN_ON: Words = {"library": _("Your library"), "web": _("The web"), "both": _("Your library and the web")}

# Settings for a run's sources.
SETTINGS: Words = {
    "subtopics": _("Own subtopics"),
    "excluded_subjects": _("Excluded subjects"),
    "words": _("Maximum words"),
    "sources_per_claim": _("Sources wanted per claim"),
    "thin_claims": _("Claims with fewer"),
    "sources": _("Drawn on"),
    "depth": _("Depth"),
    "target_sources": _("Maximum sources"),
    "published_from": _("Published from"),
    "published_to": _("Published until"),
    "recency_bias": _("Age of sources"),
    "source_types": _("Kinds of source"),
    "regions": _("Regions"),
    "languages": _("Languages"),
    "priority_domains": _("Preferred sites"),
    "excluded_domains": _("Excluded sites"),
    "pages_per_source": _("Pages per site"),
    "confidence_threshold": _("Quality wanted"),
    "fresh_pages": _("Fetched again"),
    "ignore_known": _("Earlier findings ignored"),
    "urls": _("Had to be read"),
    "dois": _("Papers that had to be read"),
}

THIN_CLAIMS: Words = {"mark": _("Marked"), "leave_out": _("Left out")}

RECENCY_BIASES: Words = {
    "recent": _("Recent: a year is old"),
    "balanced": _("Balanced: five years are old"),
    "historical": _("Historical: twenty years are old"),
}

# The six checks of the sufficiency of a run's sources.
SUFFICIENCY: Words = {
    "count": _("Number of sources"),
    "coverage": _("Subtopics covered"),
    "diversity": _("Diversity"),
    "recency": _("Dates"),
    "quality": _("Quality"),
    "novelty": _("Saturation"),
}

MATCHES: Words = {
    "exact": _("Exact words"),
    "normalized": _("Exact words"),
    "paraphrase": _("Restated"),
    "summary": _("Summary of a passage"),
    "inference": _("Inferred"),
}

FACTORS: Words = {
    "text_match": _("Text match"),
    "context_match": _("Context match"),
    "source_authority": _("Source authority"),
    "corroboration": _("Corroboration"),
}

CHECKS: Words = {
    "verified": _("Appears in the source"),
    "paraphrased_accurate": _("Restated accurately"),
    "partially_supported": _("Partly supported"),
    "unsupported": _("Not supported"),
    "contradicted": _("Contradicted"),
    "unverifiable": _("Cannot be checked"),
    "unverified": _("Not checked"),
}

# Notes that readers must see in the text itself, not only on request.
DOUBTS: Words = {
    "partially_supported": _("partly supported"),
    "unsupported": _("not supported"),
    "contradicted": _("contradicted"),
    "unverifiable": _("cannot be checked"),
}

LEVELS: Words = {
    "basic": pgettext_lazy("level of checking", "basic"),
    "standard": pgettext_lazy("level of checking", "standard"),
    "strict": pgettext_lazy("level of checking", "strict"),
}

CONFLICTS: Words = {
    "numeric": _("Different figures"),
    "temporal": _("Different dates"),
    "polarity": _("Opposite statements"),
    "categorical": _("Different answers"),
}

RESOLUTIONS: Words = {
    "resolved": _("Resolved"),
    "presented_both": _("Both shown"),
    "human": _("Decided by a person"),
    "open": _("Open"),
}

SEVERITIES: Words = {
    "high": pgettext_lazy("severity", "High"),
    "medium": pgettext_lazy("severity", "Medium"),
    "low": pgettext_lazy("severity", "Low"),
}

ISSUE_SEVERITIES: Words = {
    "critical": pgettext_lazy("severity of an issue", "Critical"),
    "major": pgettext_lazy("severity of an issue", "Major"),
    "minor": pgettext_lazy("severity of an issue", "Minor"),
}

ISSUES: Words = {
    "unsupported": _("Not supported"),
    "contradicted": _("Contradicted"),
    "inaccurate": _("Inaccurate"),
    "outdated": _("Outdated"),
}

# A check that raised nothing has no label: it would be read as a judgement on the answer.
VERDICTS: Words = {
    "needs_revision": _("Needs revision"),
    "failed": pgettext_lazy("outcome of a check", "Failed"),
}

REPORT_STATUSES: Words = {
    "done": _("Done"),
    "insufficient_evidence": _("Insufficient evidence"),
    "partial": _("Partial"),
    "failed": _("Failed"),
    "cancelled": _("Cancelled"),
}

DEGRADATIONS: Words = {
    "stop_collecting": _("The search ended with fewer sources than planned."),
    "shallow_extraction": _("The remaining sources were read less deeply."),
    "fewer_sections": _("A model wrote only the first sections; rules arranged the claims of the others."),
    "no_model_verification": _("The claims were checked by rules alone, without a model."),
}

# The consequence of a failure for a run; the failure's own sentence states the extent.
SHORTFALLS: Words = {
    "reduced_scope": _("The report covers less than planned."),
    "sources_skipped": _("Some sources could not be read."),
    "unverified_removed": _("Some claims did not hold."),
    "strict_sections": _("Rules wrote a section again."),
    "model_unanswered": _("Made without a model."),
    "model_partly": _("Made in part without a model."),
    "reading_cut_short": _("A model read only some of the sources."),
}

# The stages of a report in which a model may take part.
STAGES: Words = {
    "planned": _("Planning"),
    "read": _("Reading"),
    "wrote": _("Writing"),
    "checked": _("Checking"),
}

FOLDERS: Words = {"sample": _("Sample library"), "uploads": _("Uploads"), "web": _("Pages from the web")}

CITATION_STYLES: Words = {
    "apa": _("APA (7th edition)"),
    "mla": _("MLA (9th edition)"),
    "chicago": _("Chicago (author and date)"),
    "harvard": _("Harvard (Cite Them Right)"),
    "ieee": _("IEEE"),
    "inline": _("In the text: (author, date)"),
}

DOCUMENT_VOCABULARY: Mapping[str, Words] = {
    "strength": STRENGTHS,
    "kind": KINDS,
    "source_type": SOURCE_TYPES,
    "region": REGIONS,
    "depth": DEPTHS,
    "drawn_on": DRAWN_ON,
    "setting": SETTINGS,
    "thin_claims": THIN_CLAIMS,
    "recency_bias": RECENCY_BIASES,
    "sufficiency": SUFFICIENCY,
    "match": MATCHES,
    "factor": FACTORS,
    "check": CHECKS,
    "level": LEVELS,
    "conflict": CONFLICTS,
    "resolution": RESOLUTIONS,
    "severity": SEVERITIES,
    "issue_severity": ISSUE_SEVERITIES,
    "issue": ISSUES,
    "verdict": VERDICTS,
    "report_status": REPORT_STATUSES,
    "folder": FOLDERS,
    "degradation": {**DEGRADATIONS, **SHORTFALLS},
    "stage": STAGES,
    **EVIDENCE_VOCABULARY,
    **FINDING_VOCABULARY,
}


def folder_name(key: str) -> str:
    """Return the display name of a library folder, without its path."""
    name = PurePath(key).name or key
    return word(key, "folder") if name == key else name


def word(value: str, kind: str) -> str:
    """Return the label of a stored value; the value itself if it has none."""
    return str(DOCUMENT_VOCABULARY[kind].get(value, value))
