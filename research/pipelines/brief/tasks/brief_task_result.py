"""The result of a finished task in one form, whatever format it was given in. Pure values."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class BriefErrorCode(StrEnum):
    """The reason why no brief can be made from an input."""

    NOT_JSON = "BRIEF_NOT_JSON"
    NOT_A_RESULT = "BRIEF_NOT_A_RESULT"
    TOO_LARGE = "BRIEF_TOO_LARGE"
    NOT_FINISHED = "BRIEF_NOT_FINISHED"
    TASK_FAILED = "BRIEF_TASK_FAILED"
    NO_ANSWER = "BRIEF_NO_ANSWER"


class BriefInputRefused(ValueError):
    """Raised for invalid input. str() explains the fault to the user; `code` identifies it for programs."""

    def __init__(self, code: BriefErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class ReceivedExcerpt:
    """A citation or an excerpt as received: words attributed to a page."""

    url: str
    text: str
    title: str = ""
    relevance: float | None = None  # 0–1, as given by the task; None if not given
    context: str = ""  # location on the page


@dataclass(frozen=True, slots=True)
class TaskResult:
    """The result of a task. `answer` and `reasoning` are verbatim; `confidence` is None if unknown, which is not 0."""

    run_id: str
    processor: str
    answer: str
    reasoning: str
    confidence: float | None
    pieces: tuple[ReceivedExcerpt, ...]
    links: Mapping[str, str]  # titles by cited address, with or without excerpts
