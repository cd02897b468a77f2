"""Rows of the log of model calls, as they are after a call: with their words where the workspace keeps them."""

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from pydantic import BaseModel

from research.db.tenancy import tenant_context
from research.llm.call_store import model_call_secure_log
from research.llm.call_store.model_call_secure_log import build_logged_words
from research.llm.call_types import Call, Message, Prompt, Speaker, ToolCall, ToolSchema
from research.llm.model_prices import ModelFacts
from research.llm.model_requests import turn
from research.llm.provider.completion_replies import Reply
from research.models import AgentRole, ModelCall, ModelCallStatus, Operation, Run, Tenant
from research.models.base_models import new_id
from tests.people import Person

HOSTILE = "<script>alert('prompt')</script>"
QUESTION = f"Which bridge? Ask ada@example.com. {HOSTILE}"
ANSWER = "Remagen <b>was</b> finished in 1918."


class BridgeAnswer(BaseModel):
    """The form that is asked for."""

    text: str


class BridgeQuery(BaseModel):
    query: str


@dataclass(frozen=True)
class _Step:
    tenant_id: UUID
    run_id: UUID
    step_id: UUID | None = None
    key: str = "1.synthesizing/write"
    fence: int = 1


def keep(person: Person, level: str) -> None:
    """Set what the workspace keeps of words."""
    with tenant_context(person.tenant.pk):
        Tenant.objects.filter(pk=person.tenant.pk).update(kept_bodies=level)
    model_call_secure_log.forget()


def answer(text: str = ANSWER, *calls: ToolCall, refusal: str = "") -> Reply:
    return Reply(text, calls, "tool_calls" if calls else "stop", refusal)


def log_call(
    person: Person,
    run: Run,
    reply: Reply | None = None,
    *messages: Message,
    purpose: str = "draft",
    key: str = "1.synthesizing/write",
    **columns: object,
) -> ModelCall:
    """The row of a call that ended."""
    step = _Step(person.tenant.pk, run.pk, key=key)
    prompt = Prompt("writer/section", "v1", messages or (Message(Speaker.USER, QUESTION),))
    tools = (ToolSchema("search_web", "Searches the web.", BridgeQuery),)
    wanted = Call(step, AgentRole.WRITER, prompt, BridgeAnswer, "draft", 4_000, tools)
    asked = turn(wanted, purpose, prompt.messages, "test-model", ModelFacts()).asked
    call_id = new_id()
    with tenant_context(person.tenant.pk):
        words = build_logged_words(call_id, person.tenant.pk, asked, reply)
        facts = {
            "role": asked.role,
            "operation": Operation.MODEL_CALL,
            "model": asked.model,
            "prompt_version": asked.prompt_version,
            "request_hash": asked.request_hash,
            "status": ModelCallStatus.STORED if reply else ModelCallStatus.FAILED,
            "tokens_input": 1_200,
            "tokens_output": 340,
            "cost_usd": Decimal("0.0125"),
            "duration_ms": 2_300,
            "request_body": words.request_body,
            "response_body": words.response_body,
            "pii_types": words.pii_types,
        }
        return ModelCall.objects.create(
            pk=call_id, run=run, step_key=key, purpose=purpose, **{**facts, **columns}
        )
