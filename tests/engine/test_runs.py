"""Starting a run: what is refused, what is kept."""

import pytest
from django.db import IntegrityError
from hypothesis import given
from hypothesis import strategies as st

from research.db.tenancy import create_tenant, tenant_context
from research.models import Relation, Run, State
from research.runs.start_and_cancel import (
    InvalidTopic,
    cancel_run,
    pause_run,
    resume_run,
    start_run,
    validate_topic,
)


@pytest.mark.parametrize(
    ("topic", "words"),
    [
        ("", "at least 3"),
        ("  a ", "at least 3"),
        ("x" * 10_001, "10001 characters; the limit is 10000"),
        ("PK\x03\x04 a zip file", "not text"),
        ("half a pair \ud800", "not text"),
        ("bytes \ufffd\ufffd", "not text"),
    ],
)
def test_a_question_that_is_none_is_refused_with_the_reason(topic, words):
    with pytest.raises(InvalidTopic, match=words):
        validate_topic(topic)


@pytest.mark.parametrize(
    "topic", ["Why", "x" * 10_000, "Zwei\nZeilen\tund ein Tab", "为什么天是蓝的", "naïve 🙂?"]
)
def test_a_question_in_any_script_is_taken(topic):
    assert validate_topic(f" {topic}\n") == topic


@given(st.text())
def test_what_is_taken_can_be_stored(topic):
    try:
        taken = validate_topic(topic)
    except InvalidTopic:
        return
    assert 3 <= len(taken) <= 10_000
    assert "\x00" not in taken
    taken.encode()


def test_a_refused_question_leaves_no_run(tenant, owner):
    with tenant_context(tenant.pk):
        with pytest.raises(InvalidTopic):
            start_run(owner=owner, kind="technical", topic="\x00\x01\x02")
        assert not Run.objects.exists()


def test_the_same_client_key_is_the_same_run(tenant, owner):
    with tenant_context(tenant.pk):
        first = start_run(owner=owner, kind="technical", topic="How many?", client_key="form-1")
        again = start_run(owner=owner, kind="technical", topic="How many?", client_key="form-1")
        assert first == again
        assert first.steps.count() == 1


def test_another_tenant_may_use_the_same_client_key(tenant, owner):
    runs = []
    for one in (tenant.pk, create_tenant("Others").pk):
        with tenant_context(one):
            runs.append(start_run(owner=owner, kind="technical", topic="How many?", client_key="form-1"))
    assert runs[0] != runs[1]


def test_a_kind_that_does_not_exist_is_refused(tenant, owner):
    with tenant_context(tenant.pk), pytest.raises(IntegrityError):
        start_run(owner=owner, kind="essay", topic="How many?")


def test_a_run_keeps_its_configuration(start_toy):
    assert start_toy(width=3).config == {"width": 3}


def test_a_run_knows_whose_child_it_is_and_how(tenant, owner):
    with tenant_context(tenant.pk):
        parent = start_run(owner=owner, kind="technical", topic="How many words?")
        child = start_run(
            owner=owner, kind="technical", topic="How many?", parent=parent, relation=Relation.RERUN
        )
        assert (parent.parent, parent.relation) == (None, "")
        assert [(one.pk, one.relation) for one in parent.children.all()] == [(child.pk, "rerun")]


def test_another_tenants_run_cannot_be_touched(start_toy):
    run = start_toy()
    with tenant_context(create_tenant("Others").pk):
        assert not cancel_run(run.pk)
        assert not pause_run(run.pk)
        assert not resume_run(run.pk)
    with tenant_context(run.tenant_id):
        run.refresh_from_db()
        assert (run.state, run.cancel_at, run.paused_at) == (State.CREATED, None, None)


def test_only_a_paused_run_is_resumed(start_toy, tenant):
    run = start_toy()
    with tenant_context(tenant.pk):
        assert not resume_run(run.pk)
        assert pause_run(run.pk)
        assert not pause_run(run.pk)
        assert resume_run(run.pk)
