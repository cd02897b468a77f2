"""Errors for a document that cannot be read, raised by its parser or by the sandbox that it is read in."""

from enum import StrEnum

MAX_BYTES = 50_000_000  # of one document


class ReadErrorCode(StrEnum):
    UNREADABLE = "unreadable"
    ENCRYPTED = "encrypted"
    EMPTY = "empty"
    TOO_LARGE = "too_large"
    TRUNCATED = "truncated"
    UNSUPPORTED = "unsupported"
    SCANNED = "scanned"
    TIMEOUT = "timeout"
    MEMORY = "memory"


class ReadError(Exception):
    """The document cannot be read; `message` is one sentence for the reader."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = ReadErrorCode(code)
        self.message = message
