"""Labels of stored values in the interface."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from exports.labels.document_labels import DOCUMENT_VOCABULARY
from research.web.report.brief_page_labels import BRIEF_VOCABULARY
from research.web.review.review_labels import REVIEW_VOCABULARY
from research.web.runs.steering_labels import CHILDREN, INSTRUCTIONS, RELATIONS

Words = Mapping[str, Promise]

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

# Names of search services, which are not translated.
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

# The parts of a source's scores.
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
    "duplicate": _("Copy of another document"),
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
    "report.known": _("checks what earlier runs found"),
    "report.parent": _("takes over the sources of the run before"),
    "report.heed": _("reads the owner’s instructions"),
    "report.begin": _("starts the stage with your instructions"),
    "report.instruct": _("follows an instruction"),
    "report.instruct_pick": _("picks the best pages for an instruction"),
    "report.search": _("searches the library"),
    "report.url": _("opens a must-read page"),
    "report.document": _("opens a must-read document"),
    "report.web": _("prepares the web search"),
    "report.web_search": _("searches the web"),
    "report.web_pick": _("picks the best pages"),
    "report.look_again": _("searches again for open parts"),
    "report.delegate": _("divides the work among agents"),
    "report.task": _("works on a task with tools"),
    "report.gather": _("collects the agents’ findings"),
    "report.request": _("asks writers and a verifier what is missing"),
    "report.fetch": _("reads a page"),
    "report.extract": _("reads a page"),  # of older runs, like the next
    "report.render": _("renders a page in a browser"),
    "report.follow": _("follows the links of a page"),
    "report.read": _("extracts passages from a source"),
    "report.prepare": _("prepares sentences for their ranking"),
    "report.analyze": _("ranks and compares sentences"),
    "report.support": _("looks for evidence that the check missed"),
    "report.rewrite": _("gives claims the evidence that was found"),
    "report.write": _("writes a section"),
    "report.cite": _("finds the quotes of a section"),
    "report.verify": _("checks every claim"),
    "report.draft_plan": _("plans the search with a model"),
    "report.claims": _("reads a source for claims with a model"),
    "report.admit": _("looks a source’s claims up in its text"),
    "report.merge": _("merges and ranks the claims"),
    "report.compose": _("writes a section with a model"),
    "report.check": _("checks every claim by rules"),
    "report.opinion": _("compares a claim with its source with a model"),
    "report.settle": _("settles what was checked"),
    "run.make_file": _("makes a file"),
    "run.make_slides": _("makes slides"),
    "table.plan": _("analyses the request"),
    "table.decompose": _("analyses the request with a model"),
    "table.search_lists": _("searches for lists that name the rows"),
    "table.read_lists": _("reads the rows in the lists"),
    "table.fetch": _("fetches and reads a page"),
    "table.row": _("searches for a row, reads and fills it"),
    "table.row_again": _("looks again for a row’s open cells"),
    "table.sum_up": _("summarizes all rows"),
    "table.tell": _("says with a model what stands out"),
    # of older tables, which took several steps for a row
    "table.open": _("takes up the next row"),
    "table.library": _("searches the library for a row"),
    "table.search": _("searches the web for a row"),
    "table.search_again": _("looks again for a row’s open cells"),
    "table.find": _("finds the values of a row"),
    "table.fill": _("finds the values of a row with a model and checks them"),
    "table.end": _("ends a row"),
    "table.read": _("reads a page"),
    "table.check": _("looks the values of a row up in their sources"),
    "technical.rank": _("ranks what was read"),
    "technical.link": _("checks whether a page is still online"),
    "technical.compare": _("compares things side by side"),
    **{f"state.{state}": format_lazy("{}: {}", _("stage"), name) for state, name in STATES.items()},
}

CALL_STATUSES: Words = {
    "sent": _("Under way"),
    "stored": _("Answered"),
    "failed": _("Failed"),
    "unknown": _("Unknown: the requesting process ended before the answer arrived"),
}

REPAIRS: Words = {
    "repaired": _("Not in the requested format; the next call returned an answer that is"),
    "not_repaired": _("Not in the requested format, and neither was the answer to the next call"),
    "is_repair": _("Repeats a request whose answer was not in the requested format"),
}

SPEAKERS: Words = {
    "system": _("System"),
    "user": _("User"),
    "assistant": _("Model"),
    "tool": _("Tool"),
    "request": _("What was sent"),
}

MESSAGE_STATUSES: Words = {
    "started": _("Under way"),
    "completed": _("Done"),
    "partial": _("Done in part"),
    "failed": _("Failed"),
}

UNSEEN: Words = {
    "style": _("Hidden by its style"),
    "color": _("In the colour of its background"),
    "size": _("Too small to be read"),
    "off_page": _("Outside the page"),
    "covered": _("Covered by something else"),
    "markup": _("In parts that browsers do not show"),
    "comment": _("Comments in the page’s code"),
    "characters": _("Invisible characters"),
    "rendering": _("Drawn invisibly"),
    "layer": _("On a layer that is switched off"),
    "deleted": _("Deleted, but still in the file"),
    "struck": _("Struck through: no longer valid"),
    "annotation": _("Reviewers’ comments"),
    "running_head": _("Page headers and footers"),
    "unread": _("Charts, diagrams and embedded files"),
    "machine": _("Addressed to programs, not to people"),
    "formula": _("Formulas without a stored value"),
}

VOCABULARY: Mapping[str, Words] = {
    **DOCUMENT_VOCABULARY,
    "state": STATES,
    "score_part": SCORE_PARTS,
    "authority_part": AUTHORITY_PARTS,
    "credibility_part": CREDIBILITY_PARTS,
    "decision": DECISIONS,
    "source_status": SOURCE_STATUSES,
    "document_status": DOCUMENT_STATUSES,
    "step_status": STEP_STATUSES,
    "role": ROLES,
    "deed": DEEDS,
    "message_status": MESSAGE_STATUSES,
    "call_status": CALL_STATUSES,
    "repair": REPAIRS,
    "speaker": SPEAKERS,
    "unseen": UNSEEN,
    "instruction": INSTRUCTIONS,
    "provider": {
        **{name: format_lazy("{}", title) for name, title in PROVIDERS.items()},
        "library": _("Your library"),
        "web": _("The web"),
    },
    "relation": RELATIONS,
    "child": CHILDREN,
    **BRIEF_VOCABULARY,
    **REVIEW_VOCABULARY,
}


def word(value: str, kind: str) -> str:
    """Return the label of a stored value; the value itself if it has none."""
    return str(VOCABULARY[kind].get(value, value))
