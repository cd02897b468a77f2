"""Requests with their identity and their highest possible cost."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from pydantic import BaseModel

from research.llm.budgets.budget_limits import OperationCost
from research.llm.call_store.model_call_secure_log import format_reply_text
from research.llm.call_types import Call, CallerIds, Message, Payer, Usage
from research.llm.model_prices import ModelFacts
from research.llm.provider.completion_replies import Reply, estimate_prompt_tokens, estimate_tokens
from research.llm.provider.openai_client import Request
from research.llm.provider.structured_output_schema import build_structured_output, tool_parameters
from research.models import AgentRole, Operation


@dataclass(frozen=True, slots=True)
class ModelCallRequest:
    """One request on behalf of a step, as the log and the budget see it.

    `text` is its whole content, in JSON.
    """

    step: CallerIds
    role: AgentRole
    operation: Operation
    purpose: str
    model: str
    text: str
    worst: OperationCost
    agent_id: str = ""
    prompt_version: str = ""
    server: str = ""  # host and port of the server
    schema_name: str = (
        ""  # of the requested answer; not part of `text`, whose hash identifies repeated requests
    )

    @property
    def request_hash(self) -> str:
        """Return the SHA-256 of the request, whatever the server then turned out to accept."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Turn:
    """One request of an exchange, as the server and as the log get it, with the facts about its model."""

    request: Request
    asked: ModelCallRequest
    facts: ModelFacts

    def usage(self, reply: Reply) -> Usage:
        """Return the usage that the reply reports; if it reports none, an estimate from the length."""
        told_in, told_out = reply.tokens_input, reply.tokens_output
        usage = Usage(
            estimate_prompt_tokens(self.request.messages) if told_in is None else told_in,
            estimate_tokens(format_reply_text(reply)) if told_out is None else told_out,
            is_estimated=told_in is None or told_out is None,
        )
        return replace(usage, cost_usd=self.facts.cost(usage))


def turn(
    call: Call[BaseModel],
    purpose: str,
    messages: tuple[Message, ...],
    model: str,
    facts: ModelFacts,
    server: str = "",
) -> Turn:
    request = Request(
        model, messages, build_structured_output(call.schema), call.tools, call.max_output_tokens
    )
    asked = ModelCallRequest(
        call.step,
        call.role,
        Operation.MODEL_CALL,
        purpose,
        model,
        _text(request),
        _worst(request, facts),
        call.agent_id,
        f"{call.prompt.name}.{call.prompt.version}",
        server=server,
        schema_name=request.output.name,
    )
    return Turn(request, asked, facts)


def embedding(payer: Payer, model: str, texts: Sequence[str], worst: Usage, server: str) -> ModelCallRequest:
    text = json.dumps({"model": model, "texts": texts}, ensure_ascii=False)
    amount = OperationCost(worst.tokens_input, 0, worst.cost_usd)
    return ModelCallRequest(
        payer.step, payer.role, Operation.EMBEDDING, "embedding", model, text, amount, server=server
    )


def picture(
    payer: Payer, model: str, words: str, purpose: str, worst: OperationCost, server: str
) -> ModelCallRequest:
    text = json.dumps({"model": model, "picture": words}, ensure_ascii=False)
    return ModelCallRequest(
        payer.step, payer.role, Operation.PICTURE, purpose, model, text, worst, server=server
    )


def _text(request: Request) -> str:
    facts = {
        "model": request.model,
        "messages": [asdict(message) for message in request.messages],
        "schema": request.output.schema,
        "tools": [[tool.name, tool.description, tool_parameters(tool.input)] for tool in request.tools],
        "max_output_tokens": request.max_output_tokens,
    }
    return json.dumps(facts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _worst(request: Request, facts: ModelFacts) -> OperationCost:
    tools = "".join(f"{tool.name}{tool.description}{tool_parameters(tool.input)}" for tool in request.tools)
    words = estimate_prompt_tokens(request.messages)
    tokens_input = words + estimate_tokens(f"{request.output.schema}{tools}")
    usage = Usage(tokens_input, request.max_output_tokens)
    return OperationCost(tokens_input, request.max_output_tokens, facts.cost(usage))
