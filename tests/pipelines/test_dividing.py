"""Work is divided where searches found too little: pure."""

import pytest

from research.agents.agent_delegation_plan import AgentPlan
from research.models import AgentRole
from research.pipelines.report.delegating.divide_report_among_agents import (
    MAX_TASKS,
    Short,
    divide_work,
    plain,
)
from research.pipelines.report.delegating.report_agent_task_waves import Wave
from tests.agents.test_plan import make_step

COSTS = Short("The costs", "What owners pay.", ("cost subsidy", "price of drilling"), 1, 3)


def plan(*steps) -> AgentPlan:
    return AgentPlan(steps=list(steps))


def test_without_a_division_a_researcher_looks_after_each_subtopic():
    [one] = plain([COSTS])
    assert (one.role, one.title) == (AgentRole.RESEARCHER, "Find sources on The costs")
    assert one.description == (
        "What owners pay. 1 of 3 sources were found by: cost subsidy; price of drilling."
    )


@pytest.mark.parametrize("role", ["writer", "verifier"])
def test_a_division_that_gives_work_to_who_has_none_yet_is_not_followed(role: str):
    assert divide_work(plan(make_step("a", role=role)), [COSTS]) == plain([COSTS])


def test_of_a_long_division_the_first_steps_are_done_none_without_what_it_waits_for():
    chain = [make_step("s0"), *(make_step(f"s{n}", f"s{n - 1}") for n in range(1, 9))]
    taken = divide_work(plan(*reversed(chain)), [COSTS])
    assert [one.id for one in taken] == [f"s{n}" for n in range(MAX_TASKS)]


def test_a_wave_gives_each_task_what_it_waited_for_and_no_more():
    wave = Wave(goal="Compare.", steps=[make_step("a"), make_step("b"), make_step("c", "a")])
    assert [draft.key for draft in wave.drafts()] == ["delegate/a", "delegate/b"]
    after = wave.next({"a": {"gaps": []}, "b": None})
    [task] = after.drafts()
    assert (task.key, task.input["outputs"]) == ("delegate/c", {"a": {"gaps": []}})
    assert after.after().key == "delegate/gather.2"
    assert after.next({"c": None}).after() is None


def test_a_task_whose_work_failed_leaves_the_others_without_it():
    wave = Wave(goal="Compare.", steps=[make_step("a"), make_step("b", "a")]).next({"a": None})
    [task] = wave.drafts()
    assert task.input["outputs"] == {}
