"""Ask a model on behalf of a step of a report.

A temporary failure is left to the lifecycle, which retries the step. A permanent one becomes a `FallbackReason`: rules
do the role's work instead, its step says so, and its result is trusted less.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Generic

from django.conf import settings

from research.agents.agent_prompt_data_blocks import fence_for
from research.agents.agent_prompt_files import render
from research.engine.pipeline_registry import JsonObject, StepWork
from research.engine.pipeline_registry import StepUsage as StepUsage
from research.engine.states.step_failures import failure_of
from research.llm.call_types import Answer, Call, Output, Usage
from research.llm.gateway import complete
from research.llm.model_errors import ModelError, Trouble
from research.models import AgentRole
from research.runtime.time_left import seconds_left_for_retries

NO_OBJECT = "The model's answer does not fit the request."


@dataclass(frozen=True, slots=True)
class FallbackReason:
    """The reason why rules did a role's work: the failure's code, and a message for the reader."""

    code: str
    message: str

    def to_json(self) -> JsonObject:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ModelQuestion(Generic[Output]):
    """A question to a model: a prompt file with its values, and the schema of the answer."""

    role: AgentRole
    prompt: str
    values: Mapping[str, object]
    schema: type[Output]
    max_output_tokens: int
    purpose: str = "draft"
    is_wanted: Callable[[], bool] | None = None  # asked when the call's turn has come


@dataclass(frozen=True, slots=True)
class ModelResult(Generic[Output]):
    """A model's answer, or the reason why there is none."""

    answer: Output | None
    usage: StepUsage = StepUsage()
    fallback: FallbackReason | None = None

    @property
    def note(self) -> JsonObject:
        """The entry for the step's output; empty if a model answered."""
        return {} if self.fallback is None else {"fallback": self.fallback.to_json()}


async def ask(work: StepWork, question: ModelQuestion[Answer]) -> ModelResult[Answer]:
    """Ask the model and return its answer.

    Raises ModelError for a failure that a retry may fix, and for one that ends the run.
    """
    prompt = render(question.prompt, question.values, fence_for(work, question.purpose)).prompt
    call = Call(
        work, question.role, prompt, question.schema, question.purpose, question.max_output_tokens,
        is_wanted=question.is_wanted,
    )  # fmt: skip
    return await request_answer(call, work.attempt)


async def request_answer(call: Call[Answer], attempt: int) -> ModelResult[Answer]:
    """Request the answer to a call.

    Raises ModelError for a failure that a retry may fix, and for one that ends the run.
    """
    try:
        completion = await complete(call, is_tried_again=partial(is_worth_another_try, attempt=attempt))
        if completion.parsed is None:
            raise ModelError(Trouble.INVALID_OUTPUT, NO_OBJECT)
    except ModelError as error:
        if is_worth_another_try(error, attempt):
            raise
        return ModelResult(None, fallback=FallbackReason(error.code.value, error.message))
    return ModelResult(completion.parsed, step_usage(completion.usage))


def is_worth_another_try(error: ModelError, attempt: int) -> bool:
    """Return True if the error may pass, or if it ends the run: then no fallback may take the answer's place."""
    failure = failure_of(error)
    if (
        error.code is Trouble.TIMEOUT
        and seconds_left_for_retries() < settings.PLUMBLINE_MODEL_TIMEOUT_SECONDS
    ):
        return False  # it would have less time than was not enough
    return failure.is_fatal or (failure.retryable and attempt <= failure.definition.retries)


def step_usage(usage: Usage) -> StepUsage:
    return StepUsage(usage.tokens_input, usage.tokens_output, usage.cost_usd)
