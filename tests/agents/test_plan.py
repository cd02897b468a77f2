"""Plans: what can't be carried out is refused when the plan is made; what can is done in order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from research.agents.agent_delegation_plan import (
    MAX_STEPS,
    AgentPlan,
    PlannedStep,
    in_order,
    ready,
    resolve_references,
)
from research.llm.provider.structured_output_schema import build_structured_output


def make_step(
    id: str, *depends_on: str, value: str = "", safe: bool = True, role: str = "researcher"
) -> PlannedStep:
    inputs = [{"name": "found", "value": value}] if value else []
    return PlannedStep.model_validate(
        {
            "id": id,
            "title": id,
            "role": role,
            "depends_on": depends_on,
            "inputs": inputs,
            "parallel_safe": safe,
        }
    )


def plan(*steps: PlannedStep) -> AgentPlan:
    return AgentPlan.model_validate({"steps": [step.model_dump() for step in steps]})


def ids(steps: list[PlannedStep]) -> list[str]:
    return [one.id for one in in_order(steps)]


def test_a_step_comes_after_those_that_it_depends_on():
    assert ids(plan(make_step("b", "a"), make_step("a")).steps) == ["a", "b"]


def test_a_reference_is_a_dependency():
    assert ids([make_step("b", value="See {{a.output}}."), make_step("a")]) == ["a", "b"]


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ([make_step("a", "b"), make_step("b", "a")], "circle"),
        ([make_step("a", "a")], "circle"),
        ([make_step("a", value="{{a.output}}")], "circle"),
        ([make_step("a", "z")], "does not exist"),
        ([make_step("a", value="{{z.output}}")], "does not exist"),
        ([make_step("a"), make_step("a")], "one id"),
        ([make_step("a", value="{{a}}")], "referred"),
        ([make_step("a", value="{{ ''.__class__ }}")], "referred"),
        ([make_step("a", value="{{a.output|safe}}")], "referred"),
        ([make_step("a", role="planner")], "no step is given"),
        ([make_step("a", role="orchestrator")], "no step is given"),
        ([], "at least 1"),
    ],
)
def test_what_cannot_be_carried_out_is_refused(steps: list[PlannedStep], reason: str):
    with pytest.raises(ValidationError, match=reason):
        plan(*steps)


def test_a_plan_of_too_many_steps_is_refused():
    with pytest.raises(ValidationError):
        plan(*(make_step(f"s{number}") for number in range(MAX_STEPS + 1)))


def test_a_model_can_be_asked_for_a_plan():
    assert build_structured_output(AgentPlan).is_strict


# --- references ---


def test_an_output_comes_in_place_of_its_reference():
    outputs = {"a": {"insights": ["one"], "n": None}, "b": "words"}
    assert resolve_references("{{a.output.insights}} and {{ b.output }}", outputs) == '["one"] and words'
    assert resolve_references("{{a.output.n.deeper}}{{a.output.missing}}", outputs) == "nullnull"


def test_a_step_that_gave_nothing_is_said_to_be_missing():
    assert resolve_references("{{a.output}}", {}) == "(not available)"


def test_what_comes_in_place_is_never_read_again():
    assert resolve_references("{{a.output}}", {"a": "{{b.output}}", "b": "secret"}) == "{{b.output}}"


def test_a_long_output_is_cut():
    assert resolve_references("{{a.output}}", {"a": "x" * 30_000}).endswith("(cut)")


@given(st.text(), st.dictionaries(st.sampled_from(["a", "b"]), st.text(max_size=50)))
def test_resolving_never_fails(value: str, outputs: dict[str, str]):
    assert isinstance(resolve_references(value, outputs), str)


# --- what always holds ---


@st.composite
def steps_without_circles(draw: st.DrawFn) -> list[PlannedStep]:
    """Each step depends on earlier ones; then they are shuffled."""
    count = draw(st.integers(1, 10))
    steps = [
        make_step(
            f"s{number}",
            *draw(
                st.lists(st.sampled_from([f"s{n}" for n in range(number)]), unique=True)
                if number
                else st.just([])
            ),
            safe=draw(st.booleans()),
        )
        for number in range(count)
    ]
    return draw(st.permutations(steps))


@given(steps_without_circles())
def test_every_step_comes_once_and_after_what_it_waits_for(steps: list[PlannedStep]):
    done: set[str] = set()
    for one in in_order(steps):
        assert one.waits_for <= done
        done.add(one.id)
    assert sorted(done) == sorted(step.id for step in steps)
    assert plan(*steps).steps


@given(steps_without_circles(), st.integers(1, 4))
def test_wave_by_wave_every_step_has_its_turn_once(steps: list[PlannedStep], most: int):
    ended: list[str] = []
    while wave := ready(steps, ended, most):
        assert len(wave) <= most
        assert len(wave) == 1 or all(one.parallel_safe for one in wave)
        assert all(one.waits_for <= set(ended) for one in wave)
        ended += [one.id for one in wave]
    assert sorted(ended) == sorted(step.id for step in steps)


@given(steps_without_circles(), st.data())
def test_a_circle_is_always_found(steps: list[PlannedStep], data: st.DataObject):
    first = data.draw(st.sampled_from(steps))
    reached = {first.id}
    for one in in_order(steps):
        if one.waits_for & reached:
            reached.add(one.id)
    last = data.draw(st.sampled_from(sorted(reached)))
    closed = [
        step.model_copy(update={"depends_on": [*step.depends_on, last]}) if step.id == first.id else step
        for step in steps
    ]
    with pytest.raises(ValidationError, match="circle"):
        plan(*closed)
