"""The report: wide research on a question. Which work each state holds, and who does it."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from citations.models import Section, SectionStatus
from research.governance.degradations import sections_kept
from research.lifecycle.predicates import MOST_REVISIONS
from research.lifecycle.recipe import Handler, Policy, StepDraft
from research.models import AgentRole, Kind, Queue, Run, State
from research.recipes.report import diary
from research.recipes.report.analyzing.by_model import analyze_claims
from research.recipes.report.analyzing.by_rules import analyze_sentences
from research.recipes.report.citing import cite
from research.recipes.report.collecting.library import search_library, take_url
from research.recipes.report.collecting.web import pick_pages, plan_web, search_web, web_drafts
from research.recipes.report.config import ReportConfig
from research.recipes.report.degrading import Code, give_up
from research.recipes.report.engine import Engine, choose, engine_of
from research.recipes.report.planning.by_model import draft_plan
from research.recipes.report.planning.by_rules import make_plan
from research.recipes.report.reading.admission import admit_claims
from research.recipes.report.reading.documents import document_drafts, read_document
from research.recipes.report.reading.extracting import extract_page
from research.recipes.report.reading.fetching import fetch_drafts, fetch_page
from research.recipes.report.reading.proposing import propose_claims
from research.recipes.report.synthesizing.by_model import compose_section
from research.recipes.report.synthesizing.by_rules import write_section
from research.recipes.report.synthesizing.claims import faulty_sections
from research.recipes.report.verifying.by_model import check_by_rules, give_opinion, settle
from research.recipes.report.verifying.by_rules import verify_report


class ReportRecipe:
    kind = Kind.REPORT
    states = (
        State.PLANNING,
        State.COLLECTING,
        State.READING,
        State.ANALYZING,
        State.SYNTHESIZING,
        State.CITING,
        State.VERIFYING,
    )
    handlers: Mapping[str, Handler] = {
        "report.plan": make_plan,
        "report.search": search_library,
        "report.url": take_url,
        "report.web": plan_web,
        "report.web_search": search_web,
        "report.web_pick": pick_pages,
        "report.fetch": fetch_page,
        "report.extract": extract_page,
        "report.read": read_document,
        "report.analyze": analyze_sentences,
        "report.write": write_section,
        "report.cite": cite,
        "report.verify": verify_report,
        "report.draft_plan": draft_plan,
        "report.claims": propose_claims,
        "report.admit": admit_claims,
        "report.merge": analyze_claims,
        "report.compose": compose_section,
        "report.check": check_by_rules,
        "report.opinion": give_opinion,
        "report.settle": settle,
    }

    def policy(self, run: Run) -> Policy:
        # The library is searched as a whole: a second try would find the same. Sentences that are taken as they
        # stand would be written the same; what a model wrote is revised, as often as may be.
        is_final = engine_of(run) is Engine.EXTRACTIVE or run.revision_count >= MOST_REVISIONS
        return Policy(minimum_sources=1, search_is_exhausted=True, is_written_once=is_final)

    def steps_for(self, run: Run, state: State) -> Sequence[StepDraft]:
        diary.stage_begins(run, state)
        drafts = _DRAFTS.get(state)
        return list(drafts(run)) if drafts else []


def _plan(run: Run) -> Iterator[StepDraft]:
    engine = choose(ReportConfig.model_validate(run.config))
    handler = "report.draft_plan" if engine is Engine.MODEL else "report.plan"
    yield StepDraft("plan", handler, AgentRole.PLANNER)


def _collect(run: Run) -> Iterator[StepDraft]:
    config = ReportConfig.model_validate(run.config)
    for index, subtopic in enumerate(run.plan["subtopics"] if config.uses_library else ()):
        for number, query in enumerate(subtopic["queries"]):
            yield StepDraft(
                f"plan.{index}/search.{number}",
                "report.search",
                AgentRole.RESEARCHER,
                input={"subtopic": subtopic["name"], "query": query, "sources": subtopic["target_sources"]},
                tool_name="search",
                agent_id=f"researcher-{index + 1}",
            )
    yield from web_drafts(run)
    for url in config.urls:
        key = hashlib.sha256(url.encode()).hexdigest()[:12]
        yield StepDraft(
            f"url.{key}", "report.url", AgentRole.RESEARCHER, input={"url": url}, tool_name="browse"
        )


def _read(run: Run) -> Iterator[StepDraft]:
    yield from fetch_drafts(run)
    yield from document_drafts(run)


def _analyze(run: Run) -> Iterator[StepDraft]:
    handler = "report.merge" if engine_of(run) is Engine.MODEL else "report.analyze"
    yield StepDraft("analyze", handler, AgentRole.ANALYZER, queue=Queue.READING)


def _write(run: Run) -> Iterator[StepDraft]:
    """All sections; in a revision those that have a fault. Where tokens run short, rules arrange the last ones."""
    total = len(run.outline)
    by_model = total if engine_of(run) is Engine.MODEL else 0
    if by_model and give_up(run, Code.FEWER_SECTIONS):
        by_model = sections_kept(total)
    for index in faulty_sections(run) if run.revision_count else range(total):
        handler = "report.compose" if index < by_model else "report.write"
        yield StepDraft(f"section.{index}", handler, AgentRole.WRITER, input={"section": index})


def _cite(run: Run) -> Iterator[StepDraft]:
    written = Section.objects.filter(
        run=run, report_version=run.report_version, status=SectionStatus.WRITTEN
    )  # fmt: skip
    for index, section_id in written.order_by("index").values_list("index", "pk"):
        yield StepDraft(
            f"section.{index}",
            "report.cite",
            AgentRole.VERIFIER,
            queue=Queue.READING,
            input={"section": str(section_id)},
            tool_name="cite",
        )


def _verify(run: Run) -> Iterator[StepDraft]:
    handler = "report.check" if engine_of(run) is Engine.MODEL else "report.verify"
    yield StepDraft(
        "verify" if handler == "report.verify" else "check", handler, AgentRole.VERIFIER, queue=Queue.READING
    )


_DRAFTS = {
    State.PLANNING: _plan,
    State.COLLECTING: _collect,
    State.READING: _read,
    State.ANALYZING: _analyze,
    State.SYNTHESIZING: _write,
    State.CITING: _cite,
    State.VERIFYING: _verify,
}
