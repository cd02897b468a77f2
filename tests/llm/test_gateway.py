"""The door to models: budget, stored answers, repair, errors; on real rows, through a server that misbehaves."""

import asyncio
import threading
from decimal import Decimal

import pytest
from django.db import connection
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from research.db import thread_pool
from research.db.tenancy import tenant_context
from research.llm import gateway as gateway_module
from research.llm.call_store import model_call_rows
from research.llm.call_types import ToolSchema, Turns, Usage
from research.llm.gateway import complete
from research.llm.model_errors import ModelError, Trouble
from research.llm.model_prices import ModelFacts
from research.llm.model_process import model_process
from research.llm.model_requests import turn
from research.llm.provider import model_server_features
from research.llm.send_call import Patience
from research.models import Budget, LanguageModel, Reservation, UsageEntry
from research.runtime import tracing
from tests.fakes.openai_answers import (
    answer,
    cut_off,
    drop_connection,
    empty_text,
    error,
    filter_content,
    generate_answer,
    half_answer,
    hold_answer,
    invalid_json,
    not_json,
    rate_limited,
    refusal,
    schema_violation,
    text,
    tool_calls,
    very_long,
)
from tests.llm.asking import Finding, call, complete_all, complete_one, list_logged_calls

BUILT = {"text": "Built.", "year": 1918}


def spent(step):
    with tenant_context(step.tenant_id):
        whole = Budget.objects.get(run_id=step.run_id, role="")
        return (whole.spent_tokens_input, whole.spent_tokens_output)


def count_reservations(step):
    with tenant_context(step.tenant_id):
        return Reservation.objects.filter(run_id=step.run_id).count()


def catch_failure(one):
    with pytest.raises(ModelError) as raised:
        complete_one(one)
    return raised.value


def test_an_object_of_the_schema_comes_back(gateway, step):
    gateway.script(answer(BUILT))
    done = complete_one(call(step))
    assert (done.parsed, done.model, done.was_stored, done.was_repaired) == (
        Finding(**BUILT), "test-model", False, False
    )  # fmt: skip
    assert (done.usage.tokens_input, done.usage.tokens_output) == (11, 14)


def test_what_was_used_is_settled_and_nothing_stays_reserved(gateway, step):
    done = complete_one(call(step))
    assert spent(step) == (done.usage.tokens_input, done.usage.tokens_output)
    assert count_reservations(step) == 0


def test_without_a_model_the_door_stays_shut(gateway, step, settings):
    settings.PLUMBLINE_MODEL_BASE_URL = settings.PLUMBLINE_MODEL_API_KEY = ""
    assert catch_failure(call(step)).code is Trouble.NOT_CONFIGURED


def test_each_role_may_have_its_own_model(gateway, step, settings):
    settings.PLUMBLINE_ROLE_MODELS = {"writer": "poet-7b"}
    assert complete_one(call(step)).model == "poet-7b"


def test_tool_calls_come_back_as_they_are(gateway, step):
    gateway.script(tool_calls(("look_up", {"text": "x"})))
    done = complete_one(call(step, tools=(ToolSchema("look_up", "Looks it up.", Finding),)))
    assert done.parsed is None
    assert [one.name for one in done.tool_calls] == ["look_up"]


def test_missing_usage_is_estimated_and_marked(gateway, step):
    gateway.script(answer(BUILT, usage=False))
    usage = complete_one(call(step)).usage
    assert usage.is_estimated
    assert usage.tokens_input > 0
    assert usage.tokens_output > 0


# --- prices ---


def test_a_local_model_shows_no_dollars_whatever_the_table_says(gateway, step):
    LanguageModel.objects.create(name="test-model", usd_per_million_input=1000, usd_per_million_output=2000)
    assert complete_one(call(step)).usage.cost_usd == 0


def test_costs_of_a_call_and_its_repair_are_added():
    known = Usage(1, 2, Decimal("0.5")) + Usage(3, 4, Decimal("0.25"))
    assert (known.tokens_input, known.cost_usd) == (4, Decimal("0.75"))
    assert (Usage(1, 2, None) + Usage(3, 4, Decimal(1))).cost_usd is None


# --- repair ---


@pytest.mark.parametrize(
    "wrong", [invalid_json(), schema_violation(), half_answer(), empty_text(), text("Sorry, no JSON today.")]
)
def test_a_wrong_answer_is_repaired_in_one_turn(gateway, step, wrong):
    gateway.script(wrong, answer(BUILT))
    done = complete_one(call(step))
    assert (done.parsed, done.was_repaired) == (Finding(**BUILT), True)
    assert gateway.paid == 2


def test_the_repair_turn_says_what_was_wrong(gateway, step):
    gateway.script(schema_violation(), answer(BUILT))
    complete_one(call(step))
    assert "text: Field required" in gateway.requests[1].body["messages"][-1]["content"]


def test_after_two_vain_repairs_in_a_row_no_third_is_tried(gateway, step):
    model_server_features.forget()
    gateway.script(*[schema_violation()] * 5)
    for purpose in ("one", "two", "three"):
        with pytest.raises(ModelError) as raised:
            complete_one(call(step, purpose=purpose))
        assert raised.value.code is Trouble.INVALID_OUTPUT
    purposes = [row.purpose for row in list_logged_calls(step)]
    assert purposes == ["one", "one.repair", "two", "two.repair", "three"]
    model_server_features.forget()


def test_a_repair_that_helps_begins_the_count_again(gateway, step):
    model_server_features.forget()
    wrong = schema_violation()
    gateway.script(wrong, wrong, wrong, answer(BUILT), wrong, wrong, wrong, answer(BUILT))
    for purpose in ("one", "two", "three", "four"):
        if purpose in ("one", "three"):
            with pytest.raises(ModelError):
                complete_one(call(step, purpose=purpose))
        else:
            assert complete_one(call(step, purpose=purpose)).was_repaired
    model_server_features.forget()


def test_both_turns_are_paid_for(gateway, step):
    gateway.script(schema_violation(), answer(BUILT))
    done = complete_one(call(step))
    assert spent(step) == (done.usage.tokens_input, done.usage.tokens_output)
    assert [row.purpose for row in list_logged_calls(step)] == ["draft", "draft.repair"]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (invalid_json(), Trouble.INVALID_OUTPUT),
        (schema_violation(), Trouble.INVALID_OUTPUT),
        (half_answer(), Trouble.TRUNCATED),
        (empty_text(), Trouble.EMPTY),
    ],
)
def test_a_second_wrong_answer_fails_by_name(gateway, step, wrong, code):
    gateway.script(wrong, wrong)
    assert catch_failure(call(step)).code is code
    assert gateway.paid == 2


def test_a_call_that_is_not_wanted_any_more_is_not_sent(gateway, step):
    refused = catch_failure(call(step, is_wanted=lambda: False))
    assert (refused.code, refused.is_retryable, gateway.requests) == (Trouble.GIVEN_UP, False, [])
    assert complete_one(call(step, is_wanted=lambda: True)).parsed is not None


def test_a_local_server_gets_no_more_calls_at_once_than_it_says(gateway, step):
    gateway.props, gateway.latency_s = {"total_slots": 1}, 0.02
    done = complete_all(*(call(step, purpose=f"call {number}") for number in range(5)))
    assert not [failed for failed in done if isinstance(failed, ModelError)]
    assert gateway.most_in_flight == 1


def test_after_two_wrong_answers_a_new_execution_asks_anew(gateway, step):
    gateway.script(invalid_json(), invalid_json(), answer(BUILT))
    catch_failure(call(step))
    assert complete_one(call(step.again())).parsed == Finding(**BUILT)


@pytest.mark.parametrize(("no", "code"), [(refusal(), Trouble.REFUSED), (filter_content(), Trouble.REFUSED)])
def test_a_refusal_is_not_argued_with(gateway, step, no, code):
    gateway.script(no)
    assert catch_failure(call(step)).code is code
    assert len(gateway.requests) == 1


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (error(400), Trouble.BAD_REQUEST),
        (error(401), Trouble.ACCESS_DENIED),
        (error(404), Trouble.NOT_FOUND),
        (error(500), Trouble.UNAVAILABLE),
        (drop_connection(), Trouble.UNAVAILABLE),
        (cut_off(), Trouble.UNAVAILABLE),
        (not_json(), Trouble.NOT_FOUND),
        (very_long(), Trouble.TOO_LONG),
        (rate_limited("900"), Trouble.RATE_LIMIT),
    ],
)
def test_a_fault_of_the_server_fails_by_name_and_costs_nothing(gateway, step, fault, code):
    gateway.default = fault
    assert catch_failure(call(step)).code is code
    assert (spent(step), count_reservations(step)) == ((0, 0), 0)
    assert [(row.status, row.error_code) for row in list_logged_calls(step)] == [("failed", code.value)]


def test_after_a_fault_a_new_execution_asks_again(gateway, step):
    gateway.script(error(503), answer(BUILT))
    catch_failure(call(step))
    assert complete_one(call(step.again())).parsed == Finding(**BUILT)
    assert [row.n for row in list_logged_calls(step)] == [0, 1]


def test_a_short_pause_that_the_provider_asks_for_is_waited_out(gateway, step):
    gateway.script(rate_limited("0.01"), rate_limited("0.01"), answer(BUILT))
    assert complete_one(call(step)).parsed == Finding(**BUILT)
    assert [row.status for row in list_logged_calls(step)] == ["stored"]


def test_a_provider_that_never_stops_asking_for_pauses_puts_the_step_back(gateway, step):
    gateway.default = rate_limited("0.01")
    refused = catch_failure(call(step))
    assert (refused.code, refused.is_retryable, len(gateway.requests)) == (Trouble.RATE_LIMIT, True, 4)


# --- never paid twice ---


def test_the_next_execution_of_a_step_gets_the_stored_answer(gateway, step):
    first = complete_one(call(step))
    second = complete_one(call(step.again()))
    assert (second.parsed, second.usage, second.was_stored) == (first.parsed, first.usage, True)
    assert gateway.paid == 1
    assert spent(step) == (first.usage.tokens_input, first.usage.tokens_output)


def test_a_stored_answer_marks_its_row(gateway, step):
    complete_one(call(step))
    complete_one(call(step.again()))
    assert [row.cache_hit for row in list_logged_calls(step)] == [True]


def test_a_repaired_answer_is_not_paid_again_either(gateway, step):
    gateway.script(invalid_json(), answer(BUILT))
    complete_one(call(step))
    again = complete_one(call(step.again()))
    assert (again.parsed, again.was_stored, gateway.paid) == (Finding(**BUILT), True, 2)


def test_another_purpose_or_another_input_is_another_call(gateway, step):
    complete_all(call(step), call(step, purpose="turn.2"), call(step, "Other words were said here."))
    assert gateway.paid == 3


def test_another_step_does_not_get_the_answer(gateway, make_step):
    step = make_step()
    complete_all(call(step), call(make_step("1.synthesizing/other", step.run_id)))
    assert gateway.paid == 2


def test_of_many_who_ask_the_same_at_once_one_pays(gateway, step):
    gate = threading.Event()
    gateway.default = hold_answer(gate)

    async def ask():
        calls = asyncio.gather(*(complete(call(step)) for _ in range(20)))
        await asyncio.to_thread(gateway.wait_for_requests, 1)
        gate.set()
        return await calls

    done = asyncio.run(ask())
    assert gateway.paid == 1
    assert len({one.parsed.text for one in done}) == 1
    assert sum(not one.was_stored for one in done) == 1


def test_a_call_of_a_dead_execution_is_taken_over_and_counted_as_unknown(gateway, step):
    one = call(step)
    model_call_rows.claim(
        turn(one, one.purpose, one.prompt.messages, "test-model", ModelFacts()).asked
    )  # and died
    done = complete_one(call(step.again()))
    assert (done.was_stored, gateway.paid) == (False, 1)
    assert [row.status for row in list_logged_calls(step)] == ["unknown", "stored"]


def test_the_late_answer_of_a_superseded_execution_is_not_charged(gateway, step):
    gate = threading.Event()
    gateway.script(hold_answer(gate), answer(BUILT))

    async def both():
        old = asyncio.create_task(complete(call(step)))
        await asyncio.to_thread(gateway.wait_for_requests, 1)
        new = await complete(call(step.again()))
        gate.set()
        with pytest.raises(ModelError) as raised:
            await old
        return new, raised.value

    new, superseded = asyncio.run(both())
    assert superseded.code is Trouble.SUPERSEDED
    assert spent(step) == (new.usage.tokens_input, new.usage.tokens_output)
    assert count_reservations(step) == 0


def test_a_cancelled_call_frees_its_slot_and_its_reservation(gateway, step):
    gateway.script(hold_answer(threading.Event()))

    async def cancel_call():
        task = asyncio.create_task(complete(call(step)))
        await asyncio.to_thread(gateway.wait_for_requests, 1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await model_process().do(idle())

    asyncio.run(cancel_call())
    assert [row.status for row in list_logged_calls(step)] == ["unknown"]
    assert count_reservations(step) == 0


async def idle():
    """The process's loop has nothing left to do for us: what was cancelled has been cleaned up."""
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        if task.get_coro().__name__ == "_complete_by_either":
            await asyncio.wait([task])


def test_an_answer_whose_key_is_gone_is_asked_for_again(gateway, step):
    complete_one(call(step))
    with tenant_context(step.tenant_id):
        list_logged_calls(step)[0].__class__.objects.update(answer=b"damaged")
    assert not complete_one(call(step.again())).was_stored


# --- budget ---


def test_a_call_beyond_the_budget_is_not_made(gateway, step):
    with tenant_context(step.tenant_id):
        complete_one(call(step, purpose="first"))
        Budget.objects.filter(run_id=step.run_id, role="writer").update(limit_tokens_output=100)
    refused = catch_failure(call(step))
    assert (refused.code, refused.is_retryable) == (Trouble.BUDGET_TOKENS, False)
    assert gateway.paid == 1
    assert len(list_logged_calls(step)) == 1


def test_a_call_waits_where_calls_in_flight_may_still_leave_room(gateway, step):
    gate = threading.Event()
    gateway.script(hold_answer(gate))

    async def both():
        first = asyncio.create_task(complete(call(step, purpose="first")))
        await asyncio.to_thread(gateway.wait_for_requests, 1)
        await asyncio.to_thread(limit_output, step, 700)  # one call of 500 tokens, and what it really used
        second = asyncio.create_task(complete(call(step, purpose="second")))
        gate.set()
        return await asyncio.gather(first, second)

    assert [one.was_stored for one in asyncio.run(both())] == [False, False]
    assert count_reservations(step) == 0


def limit_output(step, tokens):
    with tenant_context(step.tenant_id):
        Budget.objects.filter(run_id=step.run_id, role="writer").update(limit_tokens_output=tokens)


@pytest.mark.parametrize(("purpose", "code"), [("same", Trouble.TIMEOUT), ("another", Trouble.BUDGET_TOKENS)])
def test_a_call_does_not_wait_for_others_for_ever(gateway, step, monkeypatch, purpose, code):
    monkeypatch.setattr(gateway_module, "MAX_TURN_S", -1)
    gate = threading.Event()
    gateway.script(hold_answer(gate))

    async def both():
        first = asyncio.create_task(complete(call(step, purpose="same")))
        await asyncio.to_thread(gateway.wait_for_requests, 1)
        await asyncio.to_thread(limit_output, step, 700)
        with pytest.raises(ModelError) as raised:
            await complete(call(step, purpose=purpose))
        gate.set()
        await first
        return raised.value

    assert asyncio.run(both()).code is code


def test_a_call_that_gets_no_slot_is_made_later(gateway, step, settings, monkeypatch):
    monkeypatch.setattr(gateway_module, "PATIENCE", Patience(queue_s=0.05, tries=1, pause_s=1))
    settings.PLUMBLINE_MODEL_CALLS_AT_ONCE = 1
    gate = threading.Event()
    gateway.script(hold_answer(gate))

    async def both():
        first = asyncio.create_task(complete(call(step, purpose="first")))
        await asyncio.to_thread(gateway.wait_for_requests, 1)
        with pytest.raises(ModelError) as raised:
            await complete(call(step, purpose="second"))
        gate.set()
        await first
        return raised.value

    late = asyncio.run(both())
    assert (late.code, late.retry_after_s, late.is_retryable) == (Trouble.BUSY, 5, True)
    assert [row.purpose for row in list_logged_calls(step)] == ["first"]
    assert count_reservations(step) == 0


def test_a_call_that_is_cancelled_while_it_waits_for_a_slot_leaves_nothing(gateway, step, settings):
    settings.PLUMBLINE_MODEL_CALLS_AT_ONCE = 1
    gate = threading.Event()
    gateway.script(hold_answer(gate))

    async def both():
        first = asyncio.create_task(complete(call(step, purpose="first")))
        await asyncio.to_thread(gateway.wait_for_requests, 1)
        second = asyncio.create_task(complete(call(step, purpose="second")))
        while len(await asyncio.to_thread(list_logged_calls, step)) < 2:  # it is claimed ahead of its slot
            await asyncio.sleep(0)
        second.cancel()
        await asyncio.wait([second])
        while len(await asyncio.to_thread(list_logged_calls, step)) > 1:  # withdrawn by the models' own loop
            await asyncio.sleep(0)
        gate.set()
        await first

    asyncio.run(both())
    assert [row.purpose for row in list_logged_calls(step)] == ["first"]
    assert count_reservations(step) == 0


def test_a_runs_own_slot_is_free_when_an_answer_is_there_and_not_yet_stored(gateway, step, monkeypatch):
    may_store, store = threading.Event(), model_call_rows.store_together
    monkeypatch.setattr(
        model_call_rows, "store_together", lambda endings: may_store.wait(40) and store(endings)
    )

    async def both():
        calls = [complete(call(step, purpose=name, turns=Turns(1))) for name in ("one", "two")]
        both = asyncio.gather(*calls)
        await asyncio.to_thread(gateway.wait_for_requests, 2)
        may_store.set()
        await both

    asyncio.run(both())
    assert gateway.most_in_flight == 1


def test_a_connection_to_the_database_that_broke_while_idle_is_opened_anew(gateway, step, monkeypatch):
    monkeypatch.setattr(thread_pool, "CHECKED_AFTER_S", 0)
    complete_one(call(step))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename = current_user"
        )
    assert complete_one(call(step, purpose="after")).parsed


def test_a_purpose_fits_its_column(step):
    with pytest.raises(ValueError, match="1 to 50 characters"):
        call(step, purpose="p" * 51)


def test_a_stored_answer_is_had_also_when_the_budget_is_spent(gateway, step):
    complete_one(call(step))
    with tenant_context(step.tenant_id):
        Budget.objects.filter(run_id=step.run_id, role="writer").update(limit_tokens_output=100)
    assert complete_one(call(step.again())).was_stored


def test_each_paid_call_has_its_own_usage_entry(gateway, step):
    complete_all(*(call(step, purpose=f"turn.{n}") for n in range(5)))
    with tenant_context(step.tenant_id):
        refs = set(UsageEntry.objects.filter(run_id=step.run_id).values_list("ref", flat=True))
    assert refs == {f"call:{row.pk}" for row in list_logged_calls(step)}


def test_a_generated_answer_is_the_same_for_the_same_prompt(gateway, step):
    gateway.default = generate_answer()
    first, second = complete_all(call(step), call(step, purpose="again"))
    assert first.parsed == second.parsed


def test_who_takes_spans_gets_one_of_each_call_in_the_trace_of_its_run(gateway, step, monkeypatch):
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    monkeypatch.setattr(tracing, "_provider", lambda _url: provider)
    gateway.script(error(503), answer(BUILT))
    catch_failure(call(step, purpose="first"))
    complete_one(call(step, purpose="second"))
    broken, done = kept.get_finished_spans()
    assert {broken.name, done.name} == {"model.call"}
    assert done.context.trace_id == step.run_id.int
    assert dict(done.attributes) == {
        "plumbline.run": str(step.run_id), "plumbline.step": step.key, "plumbline.role": "writer",
        "plumbline.model": "test-model",
    }  # fmt: skip
    assert (broken.status.is_ok, done.status.is_ok) == (False, True)
    assert "Remagen" not in broken.to_json() + done.to_json()
