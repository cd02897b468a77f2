"""Another plan is made if it may find more than the last one did."""

import pytest

from research.db.tenancy import tenant_context
from research.models import AgentRole, Run, State, Step, StepStatus
from research.pipelines.report.replanning.is_report_replanning_useful import can_search_wider
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


def run_of(person, *outputs, state=State.COLLECTING):
    """Return a run with its search's result, and its plans made anew, in order."""
    run = Run.objects.create(owner=person.user, topic="Do pumps freeze?", state=state)
    for index, output in enumerate(outputs):
        Step.objects.create(
            run=run,
            step_index=index,
            key=f"{index}/x",
            handler=ReportStepName.REPLAN_BY_RULES if "changed" in output else ReportStepName.PICK_PAGES,
            agent_role=AgentRole.RESEARCHER,
            status=StepStatus.COMPLETED,
            output=output,
        )
    return run


@pytest.mark.parametrize("state", [State.COLLECTING, State.ANALYZING])
def test_where_a_provider_answered_other_words_may_find_more(state, ada):
    assert can_search_wider(run_of(ada, FOUND, state=state), WEB)


def test_where_no_provider_answered_other_words_find_nothing_either(ada):
    assert not can_search_wider(run_of(ada, FOUND | {"answered": 0}), WEB)


def test_where_saved_pages_were_enough_the_web_may_hold_more(ada):
    assert can_search_wider(run_of(ada, FOUND | {"searches": 0, "answered": 0}), WEB)


@pytest.mark.parametrize(("changed", "wider"), [((True,), True), ((False,), False), ((True, False), False)])
def test_where_the_last_plan_was_the_same_again_so_is_the_next(changed, wider, ada):
    assert can_search_wider(run_of(ada, FOUND, *({"changed": one} for one in changed)), WEB) is wider


def test_a_library_is_searched_as_a_whole(ada):
    assert not can_search_wider(run_of(ada), ReportConfig())


def test_without_a_provider_there_is_nothing_to_search(ada, settings):
    settings.PLUMBLINE_SEARXNG_URL = ""
    settings.PLUMBLINE_PROVIDERS = ()
    assert not can_search_wider(run_of(ada), WEB)


@pytest.mark.parametrize("state", [State.READING, State.VERIFYING])
def test_elsewhere_nobody_asks(state, ada):
    assert not can_search_wider(run_of(ada, FOUND, state=state), WEB)
