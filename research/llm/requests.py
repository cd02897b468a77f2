"""What identifies a request, and what it may cost at most."""

import hashlib
import json
from dataclasses import asdict, dataclass
from uuid import UUID

from pydantic import BaseModel

from research.governance.limits import Amount
from research.llm.calls import Call, Message, Usage
from research.llm.prices import ModelFacts
from research.llm.provider.client import Request
from research.llm.provider.replies import estimated_prompt_tokens, estimated_tokens
from research.llm.provider.schema import structured_output, tool_parameters


@dataclass(frozen=True, slots=True)
class Asked:
    """One request on behalf of a step, as the log and the budget know it. `text` is all of its words."""

    tenant_id: UUID
    run_id: UUID
    step_id: UUID
    step_key: str
    fence: int
    purpose: str
    role: str
    agent_id: str
    model: str
    prompt_version: str
    request: Request
    text: str
    worst: Amount

    @property
    def request_hash(self) -> str:
        """SHA-256 of what was asked; of what the server then turned out to accept it says nothing."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def asked(
    call: Call[BaseModel], purpose: str, messages: tuple[Message, ...], model: str, facts: ModelFacts
) -> Asked:
    output = structured_output(call.schema)
    request = Request(model, messages, output, call.tools, call.max_output_tokens)
    text = _text(request)
    step = call.step
    return Asked(
        step.tenant_id,
        step.run_id,
        step.step_id,
        step.key,
        step.fence,
        purpose,
        call.role.value,
        call.agent_id,
        model,
        f"{call.prompt.name}.{call.prompt.version}",
        request,
        text,
        _worst(request, facts),
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


def _worst(request: Request, facts: ModelFacts) -> Amount:
    tools = "".join(f"{tool.name}{tool.description}{tool_parameters(tool.input)}" for tool in request.tools)
    said = estimated_prompt_tokens(request.messages)
    tokens_input = said + estimated_tokens(f"{request.output.schema}{tools}")
    usage = Usage(tokens_input, request.max_output_tokens)
    return Amount(tokens_input, request.max_output_tokens, facts.cost(usage))
