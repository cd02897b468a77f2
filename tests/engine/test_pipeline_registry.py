"""Pipelines become known, and are given what they need."""

import threading

import pytest

from research.engine import pipeline_registry
from research.engine.pipeline_registry import (
    StepDraft,
    StepWork,
    UnknownPipeline,
    load_pipelines,
    load_soon,
    pipeline_for,
    pipeline_of_run,
    register,
    register_path,
)
from research.models import AgentRole, Queue, Run
from tests.engine import toy


@pytest.fixture
def no_recipes(monkeypatch):
    monkeypatch.setattr(pipeline_registry, "_recipes", {})
    monkeypatch.setattr(pipeline_registry, "_paths", {})


def test_a_kind_known_by_its_path_is_imported_when_it_is_asked_for(no_recipes):
    register_path("technical", "tests.engine.toy.ToyPipeline")
    assert isinstance(pipeline_for("technical"), toy.ToyPipeline)
    assert pipeline_for("technical") is pipeline_for("technical")


def test_all_kinds_can_be_imported_before_the_first_run_asks(no_recipes, monkeypatch):
    register_path("technical", "tests.engine.toy.ToyPipeline")
    load_pipelines()
    monkeypatch.setattr(pipeline_registry, "_paths", {})
    assert isinstance(pipeline_for("technical"), toy.ToyPipeline)


def test_a_kind_is_loaded_while_somebody_still_reads_what_they_are_asked(no_recipes, monkeypatch):
    register_path("technical", "tests.engine.toy.ToyPipeline")
    before = set(threading.enumerate())
    load_soon("technical")
    for loader in set(threading.enumerate()) - before:
        loader.join()
    monkeypatch.setattr(pipeline_registry, "_paths", {})
    assert isinstance(pipeline_for("technical"), toy.ToyPipeline)
    load_soon("technical")  # once is enough, and what nobody knows is the decision's to refuse
    load_soon("report")


def test_the_last_registration_of_a_kind_counts(no_recipes):
    first, last = toy.ToyPipeline(), toy.ToyPipeline()
    register(first)
    register(last)
    assert pipeline_for("technical") is last


def test_an_unknown_kind_is_refused_by_its_name(no_recipes):
    with pytest.raises(UnknownPipeline, match="^runs of kind technical can't be started here$"):
        pipeline_for("technical")


def test_a_run_has_its_kind_s_recipe(start_toy, tenant):
    run = start_toy()
    assert isinstance(pipeline_of_run(tenant.pk, run.pk), toy.ToyPipeline)
    with pytest.raises(Run.DoesNotExist):
        pipeline_of_run(tenant.pk, tenant.pk)


def test_a_draft_is_work_for_an_agent_unless_it_says_otherwise():
    draft = StepDraft("key", "toy.part", AgentRole.WRITER)
    assert (draft.queue, draft.input, draft.stage) == (Queue.AGENTS, {}, None)


def test_a_step_reads_what_the_steps_that_it_waited_for_came_to(start_toy, add_step):
    run = start_toy()
    parent = add_step(run, "1.x")
    failed = {"status": "failed", "error_code": "PAYWALL", "error_message": "Members only."}
    add_step(run, "1.x/b", parent=parent, input={"n": 1}, output={"words": 2}, status="completed")
    add_step(run, "1.x/a", parent=parent, **failed)
    add_step(run, "1.x/stranger")
    work = StepWork(parent.pk, run.pk, run.tenant_id, parent.key, "toy.sum", {}, 1, 1)
    first, second = work.children()
    assert (first.key, first.handler, first.status) == ("1.x/b", "toy.part", "completed")
    assert (first.input, first.output, first.error_code) == ({"n": 1}, {"words": 2}, "")
    assert (second.key, second.status) == ("1.x/a", "failed")
    assert (second.error_code, second.error_message) == ("PAYWALL", "Members only.")
    assert not work.is_stopped()
