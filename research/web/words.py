"""The interface's words for the values that the database stores."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from research.web.evidence_words import EVIDENCE_VOCABULARY
from research.web.finding_words import FINDING_VOCABULARY
from research.web.review_words import REVIEW_VOCABULARY
from research.web.steering_words import CHILDREN, INSTRUCTIONS, RELATIONS

Words = Mapping[str, Promise]

STRENGTHS: Words = {"strong": _("Strong"), "moderate": _("Moderate"), "limited": _("Limited")}

STATES: Words = {
    "created": _("Queued"),
    "planning": _("Planning"),
    "collecting": _("Searching"),
    "reading": _("Reading sources"),
    "analyzing": _("Comparing evidence"),
    "synthesizing": _("Writing"),
    "citing": _("Anchoring quotes"),
    "verifying": _("Checking claims"),
    "exporting": _("Making files"),
    "completed": _("Done"),
    "human_review_plan": _("Waiting for you: plan"),
    "human_review_gaps": _("Waiting for you: gaps"),
    "human_review_conflicts": _("Waiting for you: conflicts"),
    "human_review_verification": _("Waiting for you: checks"),
    "replanning": _("Planning again"),
    "retrying": _("Trying again"),
    "failed": _("Failed"),
    "cancelled": _("Cancelled"),
}

KINDS: Words = {
    "report": _("Report"),
    "table": _("Table"),
    "brief": _("Brief"),
    "digest": _("Digest"),
    "synthesis": _("Synthesis"),
    "technical": _("Technical"),
}

# Search services under their own names, which no language changes.
PROVIDERS = {
    "searxng": "SearXNG",
    "brave": "Brave",
    "ddgs": "DuckDuckGo",
    "wikipedia": "Wikipedia",
    "hackernews": "Hacker News",
    "reddit": "Reddit",
    "arxiv": "arXiv",
    "openalex": "OpenAlex",
    "crossref": "Crossref",
    "semantic_scholar": "Semantic Scholar",
    "github": "GitHub",
    "github_code": "GitHub Code Search",
    "stackexchange": "Stack Overflow",
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

# What a run's owner may ask of its sources.
SETTINGS: Words = {
    "sources": _("Drawn on"),
    "depth": _("Depth"),
    "target_sources": _("Sources at most"),
    "published_from": _("Published from"),
    "published_to": _("Published until"),
    "recency_bias": _("Age of sources"),
    "source_types": _("Kinds of source"),
    "regions": _("Regions"),
    "languages": _("Languages"),
    "priority_domains": _("Sites read first"),
    "excluded_domains": _("Sites left out"),
    "pages_per_source": _("Pages of a site"),
    "confidence_threshold": _("Quality wanted"),
    "fresh_pages": _("Fetched anew"),
    "urls": _("Had to be read"),
    "dois": _("Papers that had to be read"),
}

RECENCY_BIASES: Words = {
    "recent": _("Recent: a year is old"),
    "balanced": _("Balanced: five years are old"),
    "historical": _("Historical: twenty years are old"),
}

# The six checks of whether a run has enough sources.
SUFFICIENCY: Words = {
    "count": _("Number of sources"),
    "coverage": _("Subtopics covered"),
    "diversity": _("Diversity"),
    "recency": _("Dates"),
    "quality": _("Quality"),
    "novelty": _("Saturation"),
}

# What a source's scores are made of.
SCORE_PARTS: Words = {
    "authority": _("Authority"),
    "relevance": _("Relevance"),
    "recency": _("Recency"),
}
AUTHORITY_PARTS: Words = {
    "tier": _("for its tier"),
    "source_type": _("for its kind"),
    "author": _("for a named author"),
    "recency": _("for being new"),
}
CREDIBILITY_PARTS: Words = {
    "domain": _("for its tier"),
    "recency": _("for its age"),
    "author": _("for its author"),
    "citation_density": _("for its references"),
    "corroboration": _("for others that say the same"),
}

DECISIONS: Words = {
    "browse": _("searched the web"),
    "both": _("searched the web and read saved pages"),
    "reuse": _("read saved pages"),
}

SOURCE_STATUSES: Words = {
    "pending": _("Waiting"),
    "fetching": _("Being fetched"),
    "extracted": _("Read"),
    "processed": _("Read"),
    "failed": _("Failed"),
    "duplicate": _("Copy of another"),
    "excluded": _("Left out"),
}

DOCUMENT_STATUSES: Words = {
    "pending": _("Waiting"),
    "reading": _("Being read"),
    "ready": _("Ready"),
    "failed": _("Not readable"),
    "duplicate": _("Copy of another"),
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
    "verified": _("Stands in the source"),
    "paraphrased_accurate": _("Restated accurately"),
    "partially_supported": _("Partly supported"),
    "unsupported": _("Not supported"),
    "contradicted": _("Contradicted"),
    "unverifiable": _("Cannot be checked"),
    "unverified": _("Not checked"),
}

# What a reader must see in the text itself, not only when asking.
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

VERDICTS: Words = {
    "passed": _("Passed"),
    "needs_revision": _("Needs revision"),
    "failed": pgettext_lazy("outcome of a check", "Failed"),
}

STEP_STATUSES: Words = {
    "pending": _("Waiting"),
    "running": _("Running"),
    "completed": _("Done"),
    "failed": _("Failed"),
    "retrying": _("Trying again"),
    "skipped": _("Skipped"),
}

ROLES: Words = {
    "orchestrator": _("Orchestrator"),
    "planner": _("Planner"),
    "researcher": _("Researcher"),
    "extractor": _("Extractor"),
    "analyzer": _("Analyzer"),
    "writer": _("Writer"),
    "verifier": _("Verifier"),
    "executor": _("Executor"),
}

DEEDS: Words = {
    "report.plan": _("plans the search"),
    "report.replan": _("plans the search again"),
    "report.draft_replan": _("plans the search again with a model"),
    "report.parent": _("takes over the sources of the run before"),
    "report.heed": _("reads the owner’s instructions"),
    "report.begin": _("begins the stage with what it was told"),
    "report.instruct": _("follows an instruction"),
    "report.instruct_pick": _("picks the best pages for an instruction"),
    "report.search": _("searches the library"),
    "report.url": _("opens a page that must be read"),
    "report.document": _("opens a document that must be read"),
    "report.web": _("prepares the search of the web"),
    "report.web_search": _("searches the web"),
    "report.web_pick": _("picks the best pages"),
    "report.fetch": _("fetches a page"),
    "report.extract": _("reads a page"),
    "report.render": _("has a page shown by a browser"),
    "report.follow": _("follows the links of a page"),
    "report.read": _("takes passages from a source"),
    "report.analyze": _("ranks and compares sentences"),
    "report.write": _("writes a section"),
    "report.cite": _("finds the quotes of a section"),
    "report.verify": _("checks every claim"),
    "report.draft_plan": _("plans the search with a model"),
    "report.claims": _("reads a source for claims with a model"),
    "report.admit": _("looks a source’s claims up in its text"),
    "report.merge": _("joins and ranks the claims"),
    "report.compose": _("writes a section with a model"),
    "report.check": _("checks every claim by rules"),
    "report.opinion": _("compares a claim with its source with a model"),
    "report.settle": _("settles what was checked"),
    **{f"state.{state}": format_lazy("{}: {}", _("stage"), name) for state, name in STATES.items()},
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
# What a failure took from a run; its own sentence says how much.
SHORTFALLS: Words = {
    "reduced_scope": _("The report covers less than planned."),
    "sources_skipped": _("Some sources could not be read."),
    "unverified_removed": _("Some claims did not hold."),
    "strict_sections": _("Rules wrote a section again."),
}

MESSAGE_STATUSES: Words = {
    "started": _("Under way"),
    "completed": _("Done"),
    "partial": _("Done in part"),
    "failed": _("Failed"),
}

FOLDERS: Words = {"sample": _("Sample library"), "uploads": _("Uploads"), "web": _("Pages from the web")}

UNSEEN: Words = {
    "style": _("Hidden by its style"),
    "color": _("In the color of its background"),
    "size": _("Too small to be read"),
    "off_page": _("Outside of the page"),
    "covered": _("Covered by something else"),
    "markup": _("In parts that browsers do not show"),
    "comment": _("Comments in the page’s code"),
    "characters": _("Invisible characters"),
    "rendering": _("Drawn invisibly"),
    "deleted": _("Deleted, and kept by the file"),
}

CITATION_STYLES: Words = {
    "apa": _("APA (7th edition)"),
    "mla": _("MLA (9th edition)"),
    "chicago": _("Chicago (author and date)"),
    "harvard": _("Harvard (Cite Them Right)"),
    "ieee": _("IEEE"),
    "inline": _("In the text: (author, date)"),
}

VOCABULARY: Mapping[str, Words] = {
    "strength": STRENGTHS,
    "state": STATES,
    "kind": KINDS,
    "source_type": SOURCE_TYPES,
    "region": REGIONS,
    "depth": DEPTHS,
    "drawn_on": DRAWN_ON,
    "setting": SETTINGS,
    "recency_bias": RECENCY_BIASES,
    "sufficiency": SUFFICIENCY,
    "score_part": SCORE_PARTS,
    "authority_part": AUTHORITY_PARTS,
    "credibility_part": CREDIBILITY_PARTS,
    "decision": DECISIONS,
    "source_status": SOURCE_STATUSES,
    "document_status": DOCUMENT_STATUSES,
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
    "step_status": STEP_STATUSES,
    "role": ROLES,
    "deed": DEEDS,
    "report_status": REPORT_STATUSES,
    "folder": FOLDERS,
    "degradation": {**DEGRADATIONS, **SHORTFALLS},
    "message_status": MESSAGE_STATUSES,
    "unseen": UNSEEN,
    "instruction": INSTRUCTIONS,
    "relation": RELATIONS,
    "child": CHILDREN,
    **EVIDENCE_VOCABULARY,
    **FINDING_VOCABULARY,
    **REVIEW_VOCABULARY,
}


def word(value: str, kind: str) -> str:
    """The word for a stored value; a value without one stands for itself."""
    return str(VOCABULARY[kind].get(value, value))
