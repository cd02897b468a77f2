"""After a run: which prompts it used is known, and no answer of a model is kept any longer."""

import threading

import pytest

from research.db.tenancy import tenant_context
from research.engine.states.transitions import end, lock_run
from research.engine.sweeper import sweep_tenant
from research.llm.call_types import Prompt
from research.models import ModelCall, Run, State
from research.runs.start_and_cancel import pause_run, resume_run
from tests.fakes.openai_answers import answer, hold_answer
from tests.llm.asking import SENTENCE, call, complete_one, list_logged_calls, user

BUILT = {"text": "Built.", "year": 1918}


def end_run(step, state=State.COMPLETED, code="") -> None:
    with tenant_context(step.tenant_id):
        end(lock_run(step.run_id), state, code)


def end_and_die(step) -> None:
    with tenant_context(step.tenant_id):
        end(lock_run(step.run_id), State.COMPLETED)
        raise ZeroDivisionError  # before the commit


def has_answers(step) -> list[bool]:
    return [row.answer is not None for row in list_logged_calls(step)]


@pytest.mark.parametrize(
    ("state", "code"), [(State.COMPLETED, ""), (State.FAILED, "RETRIES_SPENT"), (State.CANCELLED, "")]
)
def test_with_its_run_a_call_s_answer_is_forgotten_and_its_cost_is_not(gateway, step, state, code):
    used = complete_one(call(step)).usage
    end_run(step, state, code)
    [row] = list_logged_calls(step)
    assert (row.answer, row.status, row.tokens_input) == (None, "stored", used.tokens_input)


def test_answers_of_a_run_that_goes_on_are_kept(gateway, step, make_step):
    other = make_step("2.collecting/x")
    complete_one(call(step))
    complete_one(call(other, "Another run."))
    with tenant_context(step.tenant_id):
        pause_run(step.run_id)
    end_run(other)
    sweep_tenant(step.tenant_id)
    assert (has_answers(step), has_answers(other)) == ([True], [False])
    with tenant_context(step.tenant_id):
        resume_run(step.run_id)
    assert complete_one(call(step.again())).was_stored


def test_an_end_that_is_rolled_back_forgets_nothing(gateway, step):
    complete_one(call(step))
    with pytest.raises(ZeroDivisionError):
        end_and_die(step)
    assert has_answers(step) == [True]
    assert complete_one(call(step.again())).was_stored


def test_an_answer_that_comes_after_the_end_is_forgotten_by_the_next_sweep(gateway, step):
    gate = threading.Event()
    gateway.script(hold_answer(gate))
    asking = threading.Thread(target=complete_one, args=[call(step)])
    asking.start()
    gateway.wait_for_requests(1)
    end_run(step)
    gate.set()
    asking.join()
    assert has_answers(step) == [True]
    assert sweep_tenant(step.tenant_id).forgotten == 1
    assert has_answers(step) == [False]
    assert sweep_tenant(step.tenant_id).forgotten == 0


def test_a_run_keeps_the_versions_of_the_prompts_that_it_used(gateway, step):
    gateway.default = answer(BUILT)
    words = (user(SENTENCE),)
    for number, (name, version) in enumerate(
        [("writer/section", "v1+aa"), ("planner/report", "v2+bb"), ("writer/section", "v1+cc")]
    ):
        complete_one(call(step, purpose=f"turn.{number}", prompt=Prompt(name, version, words)))
    end_run(step)
    with tenant_context(step.tenant_id):
        versions = Run.objects.get(pk=step.run_id).prompt_versions
        assert ModelCall.objects.filter(run_id=step.run_id).count() == 3
    assert versions == {"planner/report": ["v2+bb"], "writer/section": ["v1+aa", "v1+cc"]}


def test_a_run_without_a_model_has_used_no_prompts(step):
    end_run(step)
    with tenant_context(step.tenant_id):
        assert Run.objects.get(pk=step.run_id).prompt_versions == {}
