"""A report from question to cited claims, in extractive mode: real database, real reading, real embeddings."""

import pytest

from citations.models import Citation, Claim, ClaimStatus, Section, VerificationReport
from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.engine.step_runner import drive
from research.models import Kind, Run, Source, State, Step, StepStatus
from research.pipelines.pipeline_in_foreground import ask
from research.pipelines.report.report_config import ConfigError
from research.runs.start_and_cancel import InvalidTopic, start_run
from tests.pipelines.conftest import QUESTION

ANSWER = "A heat pump shall reach a seasonal performance factor of at least 3.0 to receive the subsidy."
UNKNOWN = "What share of homes in Portugal heat with district heating?"


@pytest.fixture(scope="module")
def honest(ask_in_library) -> Document:
    """The report on a question that the library cannot answer."""
    return ask_in_library(UNKNOWN)


def test_the_first_claim_is_the_sentence_that_answers(report):
    assert report.status == "done"
    assert report.claims[0].text == ANSWER


def test_every_quote_is_the_sources_own_words(report, account):
    with tenant_context(account.tenant_id):
        citations = list(Citation.objects.filter(claim__run=report.run_id).select_related("source__content"))
    assert citations
    assert [citation.quote for citation in citations] == [
        citation.source.text[citation.start_offset : citation.end_offset] for citation in citations
    ]


def test_every_placed_claim_is_cited_checked_and_weighed(report, account):
    with tenant_context(account.tenant_id):
        placed = Claim.objects.filter(run=report.run_id, section__isnull=False)
        bare = placed.filter(citations=None)
        unweighed = placed.filter(confidence=None)
        statuses = set(placed.values_list("verification_status", flat=True))
        assert (bare.count(), unweighed.count()) == (0, 0)
    assert statuses == {ClaimStatus.VERIFIED}


def test_claims_are_numbered_as_the_reader_meets_them(report):
    assert [claim.number for claim in report.claims] == list(range(1, len(report.claims) + 1))


def test_a_claim_of_one_source_is_limited_and_capped(report):
    first = report.claims[0]
    assert (first.strength, first.origins) == ("limited", 1)
    assert first.confidence is not None
    assert first.confidence <= 0.69


def test_the_answer_comes_from_the_edition_that_was_asked_for(ask_in_library):
    older = ask_in_library(
        "What seasonal performance factor must a heat pump reach under Building Policy Guide 1.0?"
    )
    assert "2.5" in older.claims[0].text


def test_a_question_that_the_library_cannot_answer_gets_an_honest_report(honest):
    assert (honest.status, honest.claims) == ("insufficient_evidence", ())
    assert any("Portugal" in reason for reason in honest.reasons)
    assert honest.looked_for


def test_an_honest_report_is_a_completed_run(honest, account):
    with tenant_context(account.tenant_id):
        assert Run.objects.get(pk=honest.run_id).state == State.COMPLETED


def test_the_nearest_passages_are_shown_without_being_claims(honest):
    assert honest.left_out


def test_a_folder_that_there_is_not_starts_nothing(account, library):
    with pytest.raises(ConfigError, match="no folder “/nowhere”. Available folders: "):
        ask(account, Kind.REPORT, QUESTION, {"folders": ["/nowhere"]})


def test_a_run_with_nothing_to_read_fails_with_a_reason(account, library):
    document = ask(account, Kind.REPORT, QUESTION, {"folders": [library], "source_types": ["code"]})
    assert document.status == "failed"
    with tenant_context(account.tenant_id):
        assert Run.objects.get(pk=document.run_id).failure_code == "INSUFFICIENT_SOURCES"


def test_no_report_holds_more_quotes_than_were_asked_for(ask_in_library):
    document = ask_in_library(QUESTION, max_quotes=3)
    assert sum(len(claim.citations) for claim in document.claims) <= 3


def test_only_the_dates_asked_for_are_searched(ask_in_library, account):
    document = ask_in_library("What does the subsidy cover?", published_to="2020")
    titles = {source.title for source in document.sources}
    assert "Building Policy Guide 2.0" not in titles
    assert "Building Policy Guide 1.0" in titles


def test_a_page_that_must_be_read_is_read_even_when_no_search_finds_it(ask_in_library):
    document = ask_in_library(QUESTION, urls=["https://nordhaus.example/trial"], target_sources=1)
    assert "Nordhaus field trial of heat pumps" in {source.title for source in document.sources}


def test_a_page_that_is_not_in_the_library_is_refused_before_anything_begins(ask_in_library):
    with pytest.raises(ConfigError, match="has no copy of “https://elsewhere.example/”"):
        ask_in_library(QUESTION, urls=["https://elsewhere.example/"])


def test_a_page_that_left_the_library_is_reported_and_the_rest_goes_on(account, library):
    config = {"folders": [library], "urls": ["https://elsewhere.example/"], "reviews": "never"}
    with tenant_context(account.tenant_id):
        run = start_run(owner=account.user, kind="report", topic=QUESTION, config=config)
    drive(account.tenant_id, run.pk)
    with tenant_context(account.tenant_id):
        run.refresh_from_db()
        failed = Step.objects.get(run=run, status=StepStatus.FAILED)
    assert (run.state, "https://elsewhere.example/" in failed.error_message) == ("completed", True)


def test_sources_carry_what_their_manifest_says(report):
    guide = next(source for source in report.sources if source.title == "Building Policy Guide 2.0")
    assert (guide.published, guide.url) == ("2023-05-01", "https://policy.example/guide/2.0")


def test_asking_twice_gives_the_same_report(ask_in_library, report):
    again = ask_in_library(QUESTION)
    assert [(claim.text, claim.confidence) for claim in report.claims] == [
        (claim.text, claim.confidence) for claim in again.claims
    ]


def test_the_run_keeps_its_counts_and_its_verification(report, account):
    with tenant_context(account.tenant_id):
        run = Run.objects.get(pk=report.run_id)
        checked = VerificationReport.objects.get(run=run)
        assert run.sources_found == run.sources_processed == Source.objects.filter(run=run).count()
        assert run.sections_completed == run.total_sections == Section.objects.filter(run=run).count()
    assert (checked.overall_status, checked.accuracy) == ("passed", 1.0)
    assert run.cost_usd == 0


def count_runs(account: PersonalAccount) -> int:
    with tenant_context(account.tenant_id):
        return Run.objects.count()


@pytest.mark.parametrize("topic", ["", "  ", "ab", "x" * 10_001, "what\x00ever", "\x01\x02\x03\x04"])
def test_a_question_that_is_none_is_refused_and_starts_nothing(ask_in_library, account, topic):
    before = count_runs(account)
    with pytest.raises(InvalidTopic):
        ask_in_library(topic)
    assert count_runs(account) == before


@pytest.mark.parametrize(
    ("setting", "value"),
    [("max_quotes", 0), ("target_sources", "many"), ("published_from", "yesterday"), ("colour", "red")],
)
def test_a_setting_that_cannot_be_used_is_named(ask_in_library, setting, value):
    with pytest.raises(ConfigError, match=setting):
        ask_in_library(QUESTION, **{setting: value})
