"""Validate incoming JSON-RPC messages.

The protocol's package takes a request with an invalid id for a notification, which gets no answer, and reports other
errors in its own parser's words.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue
from pydantic_core import from_json


@dataclass(frozen=True, slots=True)
class JsonRpcError:
    """An error with its JSON-RPC 2.0 code. Its `id` is null, because the request is unknown."""

    code: int
    words: str

    def answer(self) -> JsonValue:
        return {"jsonrpc": "2.0", "id": None, "error": {"code": self.code, "message": self.words}}


NO_JSON = JsonRpcError(-32700, "Parse error: this is no JSON.")
NO_OBJECT = JsonRpcError(-32600, "Invalid request: one JSON object is wanted; several are sent one by one.")
OTHER_VERSION = JsonRpcError(-32600, "Invalid request: “jsonrpc” must be “2.0”.")
NO_METHOD = JsonRpcError(-32600, "Invalid request: “method” must be a text.")
NO_PARAMS = JsonRpcError(-32600, "Invalid request: “params” must be an object.")
NO_ID = JsonRpcError(-32600, "Invalid request: “id” must be a text or a whole number.")


def fault_of(body: bytes) -> JsonRpcError | None:
    try:
        found = from_json(body)
    except ValueError:
        return NO_JSON
    return _fault_in(found) if isinstance(found, dict) else NO_OBJECT


def _fault_in(message: Mapping[str, JsonValue]) -> JsonRpcError | None:
    if message.get("jsonrpc") != "2.0":
        return OTHER_VERSION
    is_answer = "method" not in message and ("result" in message or "error" in message)
    if is_answer:
        return None
    if not isinstance(message.get("method"), str):
        return NO_METHOD
    if not isinstance(message.get("params", {}), dict):
        return NO_PARAMS
    named = message.get("id", 0)
    return None if isinstance(named, str) or type(named) is int else NO_ID
