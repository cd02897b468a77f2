"""`manage.py calls`: what an operator learns of a run's calls, and that the trail knows who read words."""

import io
import json
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from research.db.tenancy import tenant_context
from research.llm.call_store import model_call_secure_log
from research.llm.call_types import ToolCall
from research.models import Act, AuditEntry, DataKey, Run
from research.storage.keys import data_encryption_keys
from tests.llm.kept_calls import answer, keep, log_call
from tests.people import join

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _as_after_a_restart(monkeypatch):
    monkeypatch.setattr("config.services.embedded.build_embedded_services", list)
    data_encryption_keys.forget()
    model_call_secure_log.forget()
    yield
    data_encryption_keys.forget()
    model_call_secure_log.forget()


@pytest.fixture
def ada(db):
    return join("ada")


@pytest.fixture
def run(ada):
    join("bob")  # whose workspace is looked through as well
    with tenant_context(ada.tenant.pk):
        return Run.objects.create(owner=ada.user, topic="Which bridge?")


def run_calls(*words):
    out = io.StringIO()
    call_command("calls", *map(str, words), stdout=out)
    return out.getvalue()


def looks(ada):
    with tenant_context(ada.tenant.pk):
        rows = AuditEntry.objects.filter(act=Act.CALL_READ)
        return [(row.who, row.via, row.outcome, row.object_id) for row in rows]


def test_a_list_tells_each_call_with_its_cost_and_outcome(ada, run):
    first = log_call(ada, run, answer("no JSON"))
    log_call(ada, run, answer(), purpose="draft.repair")
    log_call(ada, run, None, purpose="again", error_code="LLM_TIMEOUT", cost_usd=None)
    heads, *lines = run_calls("list", run.pk).splitlines()
    assert heads.split() == "call role model purpose prompt in out USD ms outcome form".split()
    assert lines[0].split() == [
        str(first.pk), "writer", "test-model", "draft", "writer/section.v1", "1200", "340", "0.012500", "2300",
        "answered", "repaired",
    ]  # fmt: skip
    assert lines[1].split()[-3:] == ["answered", "repair", "turn"]
    assert "unknown  2300  failed LLM_TIMEOUT" in lines[2]
    assert looks(ada) == []  # nobody read a word


def test_a_list_as_json_is_for_programs(ada, run):
    call = log_call(ada, run, answer())
    [found] = json.loads(run_calls("list", run.pk, "--json"))
    assert (found["id"], found["cost_usd"], found["repair"], found["prompt_version"], found["status"]) == (
        str(call.pk), "0.012500", "none", "writer/section.v1", "stored",
    )  # fmt: skip


def test_a_run_without_calls_and_one_that_is_not_there_are_told_apart(ada, run):
    assert run_calls("list", run.pk) == "This run has asked no model.\n"
    with pytest.raises(CommandError, match="There is no run"):
        run_calls("list", uuid4())


def test_a_call_is_shown_turn_by_turn_and_the_look_recorded(ada, run):
    keep(ada, "encrypted")
    call = log_call(ada, run, answer("Found.", ToolCall("c", "search_web", '{"query": "bridge"}')))
    text = run_calls("show", call.pk)
    assert "=== user\nWhich bridge? Ask [email]." in text
    assert "--- form of the answer: BridgeAnswer" in text
    assert "--- tool search_web: Searches the web." in text
    assert text.endswith('=== answer\nFound.\ncalls search_web {\n  "query": "bridge"\n}\n')
    assert looks(ada) == [("", "command", "done", str(call.pk))]


def test_a_call_as_json_has_the_same_words(ada, run):
    keep(ada, "encrypted")
    call = log_call(ada, run, answer("Found."))
    found = json.loads(run_calls("show", call.pk, "--json"))
    assert found["words"]["reply"]["text"] == "Found."
    assert found["words"]["schema_name"] == "BridgeAnswer"
    assert found["words"]["schema"]["required"] == ["text"]
    assert found["why_not"] is None


def test_what_was_said_moves_no_terminal(ada, run):
    keep(ada, "encrypted")
    call = log_call(ada, run, answer("\x1b[2Jgone\x07\u202eback"))
    assert "�[2Jgone��back" in run_calls("show", call.pk)


def test_words_that_are_not_there_are_told_in_a_sentence(ada, run):
    call = log_call(ada, run, answer())
    assert "only a fingerprint" in run_calls("show", call.pk)
    assert json.loads(run_calls("show", call.pk, "--json"))["why_not"]["code"] == "hashed"
    assert [row[2] for row in looks(ada)] == ["refused", "refused"]


def test_a_destroyed_key_is_no_traceback(ada, run):
    keep(ada, "encrypted")
    call = log_call(ada, run, answer())
    with tenant_context(ada.tenant.pk):
        DataKey.objects.all().delete()
    data_encryption_keys.forget()
    assert "has been destroyed" in run_calls("show", call.pk)


def test_a_call_that_is_not_there_is_refused_by_its_id():
    with pytest.raises(CommandError, match="There is no call"):
        run_calls("show", uuid4())


@pytest.mark.parametrize("words", [("show", "nonsense"), ("list", "7"), ()])
def test_what_is_no_id_is_refused(words):
    with pytest.raises(CommandError):
        run_calls(*words)
