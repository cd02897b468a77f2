"""A finished task's result as briefs see it, whichever way it came. Pure values."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class BriefErrorCode(StrEnum):
    """The reason why an input cannot be made into a brief."""

    NOT_JSON = "BRIEF_NOT_JSON"
    NOT_A_RESULT = "BRIEF_NOT_A_RESULT"
    TOO_LARGE = "BRIEF_TOO_LARGE"
    NOT_FINISHED = "BRIEF_NOT_FINISHED"
    TASK_FAILED = "BRIEF_TASK_FAILED"
    NO_ANSWER = "BRIEF_NO_ANSWER"


class BriefInputRefused(ValueError):
    """str() says what is wrong in words for who handed it in; `code` names it for programs."""

    def __init__(self, code: BriefErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class ReceivedExcerpt:
    """A citation or an excerpt as it came: words that a page is said to hold."""

    url: str
    text: str
    title: str = ""
    relevance: float | None = None  # 0–1, as the task gave it; None: it gave none
    context: str = ""  # where on the page


@dataclass(frozen=True, slots=True)
class TaskResult:
    """`answer` and `reasoning` word for word; `confidence` None: not known, which is not 0."""

    run_id: str
    processor: str
    answer: str
    reasoning: str
    confidence: float | None
    pieces: tuple[ReceivedExcerpt, ...]
    links: Mapping[str, str]  # cited addresses, with or without words → title
