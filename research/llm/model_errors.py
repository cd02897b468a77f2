"""Named errors of model calls."""

from enum import StrEnum

from research.llm.budgets.budget_refusals import BudgetExceeded

MAX_RETRY_AFTER_S = 3600.0


class Trouble(StrEnum):
    """Codes of failed model calls; research.engine.states.step_failures defines how often each is retried."""

    RATE_LIMIT = "LLM_RATE_LIMIT"
    BUSY = "LLM_BUSY"  # the server's slots are taken by other calls, and nothing was sent; or its model is loading
    TOO_SLOW = "LLM_TOO_SLOW"  # no answer in time from a server that is slow by its measured speed
    GIVEN_UP = "LLM_GIVEN_UP"  # the run's earlier answers of this kind were useless: nothing was sent
    QUOTA = "LLM_QUOTA_EXCEEDED"  # the account behind the key is empty: waiting does not help
    TIMEOUT = "LLM_TIMEOUT"
    UNAVAILABLE = "LLM_UNAVAILABLE"  # connection refused or broken, 5xx, an answer that is not the API's
    INVALID_OUTPUT = "LLM_INVALID_OUTPUT"  # no JSON, or not valid for the schema, even after the repair turn
    TRUNCATED = "LLM_TRUNCATED"  # incomplete: the output limit was reached
    TOO_LONG = "LLM_OUTPUT_TOO_LONG"  # more bytes than we read
    EMPTY = "LLM_EMPTY_ANSWER"
    ONLY_THOUGHT = "LLM_ONLY_THOUGHT"  # thoughts used up the output, or came without an answer
    REFUSED = "LLM_REFUSED"  # by the model, or by the provider's content filter
    CONTEXT_TOO_LONG = "LLM_CONTEXT_TOO_LONG"
    BAD_REQUEST = "LLM_BAD_REQUEST"
    ACCESS_DENIED = "LLM_ACCESS_DENIED"  # 401, 403
    NOT_FOUND = "LLM_NOT_FOUND"  # no such model, or a wrong base URL
    NOT_CONFIGURED = "LLM_NOT_CONFIGURED"
    WRONG_REGION = "LLM_WRONG_REGION"  # the workspace's data must stay in a region where the server is not
    BUDGET_TOKENS = "BUDGET_EXCEEDED_TOKENS"
    BUDGET_HARD = "BUDGET_EXCEEDED_HARD"
    SUPERSEDED = "LLM_CALL_SUPERSEDED"  # another execution of the step has taken the call over


RETRYABLE = frozenset(
    {
        Trouble.RATE_LIMIT,
        Trouble.BUSY,
        Trouble.TIMEOUT,
        Trouble.UNAVAILABLE,
        Trouble.TOO_LONG,
        Trouble.SUPERSEDED,
    }
)


class ModelError(Exception):
    """An expected failure of a model call. `message` is shown to the reader.

    The message consists of our own words, a status and the server's error identifiers, never of the request
    or the answer. Raise it `from None`, since the client library's exceptions quote the server's body.
    """

    def __init__(self, code: Trouble, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retry_after_s = retry_after_s

    @property
    def is_retryable(self) -> bool:
        """Return True if the same call may succeed later."""
        return self.code in RETRYABLE

    def __reduce__(self) -> tuple[type["ModelError"], tuple[Trouble, str]]:
        return (ModelError, (self.code, self.message))


def over_budget(refused: BudgetExceeded) -> ModelError:
    """Return the error of a call that the budget refused."""
    return ModelError(Trouble.BUDGET_HARD if refused.is_hard else Trouble.BUDGET_TOKENS, str(refused))
