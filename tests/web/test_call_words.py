"""An owner reads what was said to a model, one call at a time; nobody else does, and each look is recorded."""

import pytest
from django.test import Client

from research.db.tenancy import tenant_context
from research.llm.call_store import model_call_secure_log
from research.llm.call_types import Message, Speaker, ToolCall
from research.models import Act, AgentRole, AuditEntry, DataKey, ModelCall, Operation, Role, Step, StepStatus
from research.storage.keys import data_encryption_keys, key_rotation
from tests.llm.kept_calls import ANSWER, HOSTILE, answer, keep, log_call
from tests.people import join
from tests.web.pages import tree, words

KEY = "1.synthesizing/write"


@pytest.fixture(autouse=True)
def _as_after_a_restart():
    forget()
    yield
    forget()


def forget():
    data_encryption_keys.forget()
    data_encryption_keys._unwrap_data_key.cache_clear()
    model_call_secure_log.forget()


@pytest.fixture
def call_row(ada, world):
    keep(ada, "encrypted")
    return log_call(ada, world.run, answer())


def address(call):
    return f"/admin/research/modelcall/{call.pk}/said/"


def looks(person):
    with tenant_context(person.tenant.pk):
        rows = AuditEntry.objects.filter(act=Act.CALL_READ).order_by("created_at", "id")
        return [(row.who, row.role, row.via, row.outcome, row.object_id) for row in rows]


def test_an_owner_reads_a_call_turn_by_turn(ada, client, world):
    keep(ada, "encrypted")
    turns = (
        Message(Speaker.SYSTEM, "You write sections."),
        Message(Speaker.USER, "Which bridge?"),
        Message(Speaker.ASSISTANT, "", (ToolCall("c1", "search_web", '{"query": "bridge"}'),)),
        Message(Speaker.TOOL, '{"hits": []}', tool_call_id="c1"),
    )
    call = log_call(ada, world.run, answer("", ToolCall("c2", "search_web", '{"query": "Remagen"}')), *turns)
    page = tree(client.get(address(call)))
    said = [
        " ".join(part.text_content().split()) for part in page.xpath("//section[contains(@class, 'turn')]")
    ]
    assert said == [
        "System You write sections.",
        "User Which bridge?",
        'Model Calls the tool search_web { "query": "bridge" }',
        'Tool {"hits": []}',
        'Calls the tool search_web { "query": "Remagen" } Reason given by the server for ending: tool_calls',
    ]
    text = " ".join(page.text_content().split())
    for fact in (
        "Answer format: BridgeAnswer",
        "Tool: search_web",
        "writer/section.v1",
        "1,200 in, 340 out",
        "$0.012500",
        "At most 4,000 tokens",
    ):
        assert fact in text, fact


def test_personal_data_are_redacted_and_markup_stays_text(client, call_row):
    page = client.get(address(call_row)).content.decode()
    assert "ada@example.com" not in page
    assert "[email]" in page
    assert HOSTILE not in page
    assert "<b>was</b>" not in page
    assert "&lt;b&gt;was&lt;/b&gt;" in page


def test_personal_data_behind_a_line_end_are_redacted_and_the_turns_stay(ada, client, world):
    """In JSON a line end is written as a backslash and an n: the n is no letter of an address."""
    keep(ada, "encrypted")
    call = log_call(
        ada, world.run, answer(), Message(Speaker.USER, "Write to:\nada@example.com\nDear Mr Smith,")
    )
    page = tree(client.get(address(call)))
    [turn] = page.xpath("//section[h3[text()='User']]/pre")
    assert turn.text_content() == "Write to:\n[email]\nDear Mr [name],"


def test_the_page_is_kept_by_no_browser(client, call_row):
    assert "no-store" in client.get(address(call_row))["Cache-Control"]


def test_each_look_stands_in_the_trail_with_its_call(ada, client, call_row):
    client.get(address(call_row))
    client.get(address(call_row))
    assert looks(ada) == [("ada", "owner", "admin", "done", str(call_row.pk))] * 2


@pytest.mark.parametrize("role", [Role.MEMBER, Role.REVIEWER, Role.VIEWER])
@pytest.mark.parametrize("is_staff", [False, True])
def test_who_does_not_own_the_workspace_is_refused_staff_or_not(ada, call_row, role, is_staff):
    flags = {"is_staff": is_staff, "is_superuser": is_staff}
    vera = join("vera", role=role, tenant=ada.tenant, **flags)
    response = vera.sign_in().get(address(call_row))
    assert response.status_code == 403
    assert ANSWER.encode() not in response.content
    assert looks(ada) == [("vera", role.value, "admin", "refused", str(call_row.pk))]


def test_staff_of_another_workspace_meets_no_such_call(ada, call_row):
    root = join("root", is_staff=True, is_superuser=True)
    assert root.sign_in().get(address(call_row)).status_code == 404
    assert looks(ada) == []


def test_who_is_not_signed_in_is_asked_to(call_row):
    response = Client().get(address(call_row))
    assert (response.status_code, response["Location"].startswith("/login/")) == (302, True)


def test_a_call_is_only_looked_at(client, call_row):
    assert client.post(address(call_row)).status_code == 405


@pytest.mark.parametrize(
    ("level", "sentence"), [("off", "is “Off”"), ("hashed", "stores only a fingerprint")]
)
def test_a_level_that_keeps_nothing_is_told_with_the_way_to_change_it(ada, client, world, level, sentence):
    keep(ada, level)
    call = log_call(ada, world.run, answer())
    text = words(client.get(address(call)))
    assert sentence in text
    assert "must set “Kept bodies” of the workspace to “Encrypted”" in text
    assert "Which bridge" not in text
    assert [outcome for *_who, outcome, _id in looks(ada)] == ["refused"]


def test_a_call_from_before_the_words_were_kept_says_so(ada, client, world):
    keep(ada, "hashed")
    call = log_call(ada, world.run, answer())
    keep(ada, "encrypted")
    assert "the call was made before" in words(client.get(address(call)))


def test_words_that_are_kept_are_read_also_when_the_level_keeps_none_any_more(ada, client, call_row):
    keep(ada, "off")
    assert "finished in 1918" in words(client.get(address(call_row)))


def test_words_are_read_after_their_key_was_rotated_and_they_were_sealed_anew(ada, client, call_row):
    key_rotation.rotate(ada.tenant.pk)
    forget()
    assert "finished in 1918" in words(client.get(address(call_row)))
    key_rotation.reseal(ada.tenant.pk)
    forget()
    assert "finished in 1918" in words(client.get(address(call_row)))


def test_a_destroyed_key_is_told_in_a_sentence(ada, client, call_row):
    with tenant_context(ada.tenant.pk):
        DataKey.objects.all().delete()
    forget()
    response = client.get(address(call_row))
    assert response.status_code == 200
    assert "has been destroyed. It cannot be recovered" in words(response)


def test_a_key_that_another_key_wrapped_is_told_with_the_setting(client, call_row, settings):
    settings.PLUMBLINE_KEY_ENCRYPTION_KEY = "another" * 8
    forget()
    assert "PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY" in words(client.get(address(call_row)))


def test_words_of_another_call_are_not_shown_for_it(ada, client, world, call_row):
    other = log_call(ada, world.run, answer("Cologne."), purpose="again")
    with tenant_context(ada.tenant.pk):
        ModelCall.objects.filter(pk=call_row.pk).update(response_body=bytes(other.response_body))
    text = words(client.get(address(call_row)))
    assert "belongs to another call" in text
    assert "Cologne" not in text


def test_a_call_that_failed_shows_what_was_asked_and_what_went_wrong(ada, client, world):
    keep(ada, "encrypted")
    failed = {
        "error_code": "LLM_BAD_REQUEST",
        "error_message": "The model's server did not accept the request.",
    }
    text = words(client.get(address(log_call(ada, world.run, None, **failed))))
    assert "did not accept the request. (LLM_BAD_REQUEST)" in text
    assert "Which bridge?" in text
    assert "No answer was received." in text


def test_vectors_say_where_they_are(ada, client, world):
    keep(ada, "encrypted")
    call = log_call(ada, world.run, None, operation=Operation.EMBEDDING, status="stored")
    assert "The answer consists of vectors" in words(client.get(address(call)))


def test_a_body_of_an_older_form_is_shown_as_it_stands(ada, client, call_row):
    with tenant_context(ada.tenant.pk):
        ModelCall.objects.filter(pk=call_row.pk).update(
            request_body=data_encryption_keys.seal(b'{"messages": \\[email]', f"request:{call_row.pk}"),
            response_body=data_encryption_keys.seal(b"Remagen, as I said.", f"response:{call_row.pk}"),
        )
    text = words(client.get(address(call_row)))
    assert '{"messages": \\[email]' in text.replace("&quot;", '"')
    assert "Remagen, as I said." in text


def test_a_call_whose_answer_was_repaired_says_so(ada, client, world):
    keep(ada, "encrypted")
    first = log_call(ada, world.run, answer("no JSON"))
    second = log_call(ada, world.run, answer('{"text": "x"}'), purpose="draft.repair")
    assert "the next call returned an answer that is" in words(client.get(address(first)))
    assert "Repeats a request whose answer" in words(client.get(address(second)))


def test_the_log_of_a_run_leads_its_owner_there_and_nobody_else(ada, client, world):
    with tenant_context(ada.tenant.pk):
        Step.objects.create(
            run=world.run, key=KEY, step_index=1, handler="report.compose", agent_role=AgentRole.WRITER,
            status=StepStatus.COMPLETED, attempt=1,
        )  # fmt: skip
    call = log_call(ada, world.run, answer())
    log = f"/runs/{world.run.pk}/log/"
    assert tree(client.get(log)).xpath(f"//a[@href='{address(call)}']")
    member = join("mia", role=Role.MEMBER, tenant=ada.tenant, is_staff=True, is_superuser=True).sign_in()
    assert not tree(member.get(log)).xpath("//a[contains(@href, '/said/')]")


def test_an_owner_who_is_not_of_the_staff_is_led_to_the_site_alone(client, call_row):
    links = tree(client.get(address(call_row))).xpath("//a/@href")
    assert [link for link in links if link.startswith("/admin/")] == []
    assert "/" in links


def test_the_admins_row_of_a_call_leads_its_owner_there(ada, call_row):
    row = f"/admin/research/modelcall/{call_row.pk}/change/"
    owner = join("grace", tenant=ada.tenant, is_staff=True, is_superuser=True).sign_in()
    assert tree(owner.get(row)).xpath(f"//a[@href='{address(call_row)}']")
    member = join("mia", role=Role.MEMBER, tenant=ada.tenant, is_staff=True, is_superuser=True).sign_in()
    assert not tree(member.get(row)).xpath("//a[contains(@href, '/said/')]")
