"""The workspace of a report's run: its plan with checkboxes, and what each stage came to; never a source of claims."""

import re
from collections.abc import Iterator

import pytest

from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount
from research.agents.tools.agent_notebook import MAX_ENTRIES, NotebookAuthor, append, read_workspace
from research.db.tenancy import tenant_context
from research.models import AgentRole, EntryKind, Run, Source, SourceStatus, State, WorkspaceEntry
from research.pipelines.report import report_progress_notes
from tests.fakes.openai_server import FakeOpenAI
from tests.people import join
from tests.pipelines.conftest import DOCUMENTS, QUESTION
from tests.pipelines.model_world import model_world
from tests.pipelines.scribe import get_form_name, scribe
from tests.pipelines.scribe import plan as scribe_plan
from tests.worlds import make_report

FAILED = SourceStatus.FAILED
LIE = "The factor must be at least 9.9."


@pytest.fixture(scope="module")
def model(library: str, valkey_url: str) -> Iterator[FakeOpenAI]:
    with model_world(valkey_url) as server:
        yield server


@pytest.fixture(scope="module")
def model_report(model: FakeOpenAI, ask_in_library) -> Document:
    model.default = scribe()
    model.requests.clear()
    return ask_in_library(QUESTION, target_sources=4)


def entries(account: PersonalAccount, run_id: object, kind: EntryKind) -> list[WorkspaceEntry]:
    with tenant_context(account.tenant_id):
        return list(WorkspaceEntry.objects.filter(run_id=run_id, kind=kind).order_by("position"))


def texts(account: PersonalAccount, run_id: object, kind: EntryKind = EntryKind.FINDING) -> list[str]:
    return [entry.text for entry in entries(account, run_id, kind)]


def format_count(number: int, noun: str = "claim") -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"


BY_RULES = (
    "“seasonal performance factor heat pump reach Building Policy Guide 2.0”"  # what rules would search for
)


def test_the_plan_is_written_down_and_ticked_as_its_stages_end(model_report, account):
    items = entries(account, model_report.run_id, EntryKind.PLAN)
    assert [item.text for item in items] == [
        f"Find sources on “The limits”: “{QUESTION[:80].rstrip()} …”; “seasonal performance”; {BY_RULES}",
        "Find sources on “The costs”: “cost subsidy”",
        *report_progress_notes.ITEMS.values(),
    ]
    assert [item.is_done for item in items] == 6 * [True]


def test_each_subtopic_says_what_was_searched_for_and_found(model_report, account):
    first, second, *_ = texts(account, model_report.run_id)
    assert "“seasonal performance”; " in first
    assert re.fullmatch(r".*; [1-9]\d* results\.", first)
    assert second.startswith("The costs: searched for “cost subsidy”; ")
    assert re.fullmatch(r".*; [1-9]\d* results?\.", second)


def test_each_later_stage_is_a_line(model_report, account):
    *_, read, compared, written = texts(account, model_report.run_id)
    assert read == f"Read {len(DOCUMENTS)} of {len(DOCUMENTS)} sources."
    sections = [
        (section.heading, sum(len(block.sentences) for block in section.blocks))
        for section in model_report.sections
    ]
    assert compared.startswith(
        f"{format_count(len(model_report.claims))} for {format_count(len(sections), 'section')}; "
    )
    assert written == "Sections: " + "; ".join(
        f"“{heading}” ({format_count(count)})" for heading, count in sections
    )


def test_the_writer_is_shown_the_plan(model_report, model):
    asked = [request.text for request in model.requests if get_form_name(request) == "SectionAnswer"]
    assert asked
    assert all(
        "[x] Find sources on “The limits”" in text and "[ ] Write the sections" in text for text in asked
    )


def test_a_source_that_gave_nothing_is_named(ask_in_library, account, model):
    model.default = scribe(claims=lambda request: {"claims": []})
    document = ask_in_library("Who won the chess championship of 1972 in Reykjavik?", target_sources=2)
    with tenant_context(account.tenant_id):
        sources = Source.objects.filter(run=document.run_id).count()
    spent, note = texts(account, document.run_id, EntryKind.NOTE)
    assert re.match(r"Tokens: planning [\d,]+, reading [\d,]+, writing 0, checking 0\.", spent)
    assert note.startswith("Gave nothing: “")
    assert note.count("(no claim)") == sources
    assert texts(account, document.run_id)[-1].startswith("No answer: ")


def test_what_the_plan_says_is_no_source_of_claims(ask_in_library, account, model):
    def plan_with_lie(request) -> dict:
        made = scribe_plan(request)
        made["subtopics"][0]["description"] = LIE
        return made

    repeated = {"paragraphs": [{"sentences": [{"claim": 1, "text": LIE}, {"claim": 0, "text": LIE}]}]}
    model.default = scribe(plan=plan_with_lie, section=lambda request: repeated)
    document = ask_in_library(QUESTION, target_sources=3)
    assert LIE in entries(account, document.run_id, EntryKind.PLAN)[0].text
    sentences = [
        sentence for part in document.sections for block in part.blocks for sentence in block.sentences
    ]
    assert sentences
    assert not any("9.9" in sentence.text for sentence in sentences)


def test_rules_keep_a_diary_too(report, account):
    items = entries(account, report.run_id, EntryKind.PLAN)
    assert items[-1].is_done
    assert any(text.startswith("Sections: ") for text in texts(account, report.run_id))


# --- single stages, on rows ---


@pytest.fixture
def world(db):
    return make_report(join("ada"))


@pytest.fixture
def inside(world) -> Iterator[Run]:
    with tenant_context(world.person.tenant.pk):
        yield Run.objects.get(pk=world.run.pk)


def findings(run: Run) -> list[str]:
    return [finding.text for finding in read_workspace(run.pk).findings]


def test_a_stage_that_is_tried_again_is_written_down_once(inside):
    for _ in range(2):
        for state in (State.COLLECTING, State.READING, State.ANALYZING):
            report_progress_notes.stage_begins(inside, state)
    found = read_workspace(inside.pk)
    subtopics = len(inside.plan["subtopics"])
    assert len(found.plan) == subtopics + len(report_progress_notes.ITEMS)
    assert len(found.findings) == subtopics + 1


def test_a_subtopic_without_results_stays_open(inside):
    report_progress_notes.stage_begins(inside, State.COLLECTING)
    report_progress_notes.stage_begins(inside, State.READING)
    assert not any(one.is_done for one in read_workspace(inside.pk).plan)
    assert all("not searched for; 0 results" in text for text in findings(inside))


def test_disagreements_are_named(inside, world):
    report_progress_notes.note_check_outcome(inside)
    [said] = findings(inside)
    assert said.startswith("Sources disagree: “")
    assert " against “" in said


def test_a_page_that_could_not_be_read_says_why(inside):
    Source.objects.filter(run=inside, status=FAILED).update(error_message="It is gone.")
    report_progress_notes.stage_begins(inside, State.ANALYZING)
    [note] = read_workspace(inside.pk).notes
    assert note.text.endswith("(It is gone.)")


def test_many_silent_sources_are_one_line(inside):
    Source.objects.bulk_create(
        Source(
            run=inside, canonical_url=f"http://a.example/{n}", title=300 * "x", status=FAILED, error_code="X"
        )
        for n in range(40)
    )
    report_progress_notes.stage_begins(inside, State.ANALYZING)
    [note] = read_workspace(inside.pk).notes
    assert note.text.endswith("; and 26 more")


def test_a_workspace_that_agents_filled_up_stops_no_run(inside):
    append(NotebookAuthor(inside.pk, None, AgentRole.RESEARCHER, "many"), EntryKind.NOTE, ["x"] * MAX_ENTRIES)
    report_progress_notes.stage_begins(inside, State.COLLECTING)
    report_progress_notes.note_check_outcome(inside)
    assert read_workspace(inside.pk).plan == ()


def test_a_run_without_a_plan_has_nothing_to_write(inside):
    inside.plan = None
    report_progress_notes.stage_begins(inside, State.COLLECTING)
    assert read_workspace(inside.pk).is_empty
