"""Another round of searching is made if it may find more."""

import pytest

from research.db.tenancy import tenant_context
from research.llm.budgets.budget_degradations import DegradationCode
from research.models import AgentRole, Run, State, Step, StepStatus
from research.models.base_models import new_id
from research.pipelines.report.collecting.further_report_searches import MAX_ROUNDS, is_exhausted
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_step_names import ReportStepName
from tests.people import join

WEB = ReportConfig(sources="web")
FOUND = {"found": 9, "new": 9, "searches": 2, "answered": 2}


@pytest.fixture(autouse=True)
def search(settings):
    settings.PLUMBLINE_SEARXNG_URL = "http://searxng:8080"


@pytest.fixture
def ada(db):
    person = join("ada")
    with tenant_context(person.tenant.pk):
        yield person


def run_of(person, *picked, attempt=0, **columns):
    """Return a run in its search, of which each round picked what is given."""
    values = {
        "owner": person.user,
        "topic": "Do pumps freeze?",
        "state": State.COLLECTING,
        "attempt": attempt,
    }
    run = Run.objects.create(**values | columns)
    for index, output in enumerate(picked):
        Step.objects.create(
            run=run,
            step_index=index,
            key=f"{index}/web/pick",
            handler=ReportStepName.PICK_PAGES,
            agent_role=AgentRole.RESEARCHER,
            status=StepStatus.COMPLETED,
            output=output,
        )
    return run


def test_a_first_round_that_found_something_may_be_followed(ada):
    assert not is_exhausted(run_of(ada, FOUND), WEB)


def test_a_first_round_that_found_nothing_is_tried_in_other_words(ada):
    assert not is_exhausted(run_of(ada, FOUND | {"found": 0, "new": 0}), WEB)


def test_a_further_round_that_found_nothing_new_is_the_last(ada):
    assert is_exhausted(run_of(ada, FOUND, FOUND | {"new": 0}, attempt=1), WEB)
    assert not is_exhausted(run_of(ada, FOUND, FOUND | {"new": 1}, attempt=1), WEB)


def test_where_no_provider_answered_none_is_asked_again(ada):
    assert is_exhausted(run_of(ada, FOUND | {"answered": 0, "new": 0}), WEB)


def test_where_saved_pages_were_enough_for_every_query_the_web_may_still_be_searched(ada):
    assert not is_exhausted(run_of(ada, {"found": 0, "new": 0, "searches": 0, "answered": 0}), WEB)


def test_a_search_that_failed_as_a_whole_is_tried_again(ada):
    assert not is_exhausted(run_of(ada), WEB)


def test_the_rounds_are_limited(ada):
    assert is_exhausted(run_of(ada, FOUND, attempt=MAX_ROUNDS - 1), WEB)


def test_the_library_is_searched_as_a_whole_at_once(ada):
    assert is_exhausted(run_of(ada, FOUND), ReportConfig())


def test_without_a_provider_there_is_nothing_to_search(ada, settings):
    settings.PLUMBLINE_SEARXNG_URL = ""
    settings.PLUMBLINE_PROVIDERS = ()
    assert is_exhausted(run_of(ada, FOUND), WEB)


def test_what_was_given_up_for_want_of_tokens_stays_given_up(ada):
    given_up = {
        "code": DegradationCode.STOP_COLLECTING.value,
        "reason": "Few tokens.",
        "quality_impact": 0.1,
        "id": str(new_id()),
    }
    assert is_exhausted(run_of(ada, FOUND, degradations=[given_up]), WEB)
