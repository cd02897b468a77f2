"""Answers of real servers, word for word, as behaviours of the fake one.

Recorded from llama.cpp's own server (llama-server of October 2026, `make model-server`) and from the code of
llama-cpp-python 0.3.36's server under FastAPI 0.165. Times and file names are left out.
"""

import json

from tests.fakes.openai_answers import Behaviour, Request, Wire, generate_answer, tool_calls

FORM_FAULT = (
    "1 validation error:\n  {'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should"
    " be 'text' or 'json_object'\", 'input': 'json_schema', 'ctx': {'expected': \"'text' or 'json_object'\"}}\n\n"
    '  File "llama_cpp/server/app.py", line 469, in create_chat_completion\n    POST /v1/chat/completions'
)
OLD_FORM_FAULT = (
    "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or"
    " 'json_object'\", 'input': 'json_schema', 'ctx': {'expected': \"'text' or 'json_object'\"}}]"
)


def _wire(status: int, value: object) -> Wire:
    return Wire(status, json.dumps(value).encode(), {"content-type": "application/json; charset=utf-8"})


def _always(status: int, value: object) -> Behaviour:
    return lambda _request: _wire(status, value)


# --- llama.cpp ---


def llama_cpp_answer(words: str, finish: str = "stop") -> Behaviour:
    """A completion with the fields that llama-server adds: a fingerprint, cached tokens, timings."""

    def behave(request: Request) -> Wire:
        return _wire(
            200,
            {
                "choices": [
                    {"finish_reason": finish, "index": 0, "message": {"role": "assistant", "content": words}}
                ],
                "created": 1795770797,
                "model": "SmolLM2-135M-Instruct",  # its own name, whichever was asked for
                "system_fingerprint": "b0-unknown",
                "object": "chat.completion",
                "usage": {
                    "completion_tokens": 35,
                    "prompt_tokens": 20,
                    "total_tokens": 55,
                    "prompt_tokens_details": {"cached_tokens": 19},
                },
                "id": "chatcmpl-QOsRJbjx9MTR3Fvi3IWDWOyQUNFniRe6",
                "timings": {"cache_n": 19, "prompt_n": 1, "prompt_ms": 45.099, "predicted_n": 35},
            },
        )

    return behave


def llama_cpp_overflow() -> Behaviour:
    """The code is a number, and the sizes stand beside the message."""
    message = "request (20418 tokens) exceeds the available context size (8192 tokens), try increasing it"
    error = {
        "code": 400,
        "message": message,
        "type": "exceed_context_size_error",
        "n_prompt_tokens": 20418,
        "n_ctx": 8192,
    }
    return _always(400, {"error": error})


def llama_cpp_refused_schema() -> Behaviour:
    """A schema that its grammar cannot express."""
    message = (
        "Unable to generate parser for this template. Automatic parser generation failed: JSON schema error at #:"
        " unrecognized type strnig"
    )

    def behave(request: Request) -> Wire:
        if (request.body.get("response_format") or {}).get("type") != "json_schema":
            return generate_answer()(request)
        return _wire(400, {"error": {"code": 400, "message": message, "type": "invalid_request_error"}})

    return behave


def llama_cpp_no_embeddings() -> Behaviour:
    message = "This server does not support embeddings. Start it with `--embeddings`"
    return _always(501, {"error": {"code": 501, "message": message, "type": "not_supported_error"}})


def llama_cpp_tools_and_schema(words: str, call: tuple[str, dict]) -> Behaviour:
    """The schema wins over the tools: with both in a request no tool is ever called."""

    def behave(request: Request) -> Wire:
        has_form = (request.body.get("response_format") or {}).get("type") in ("json_schema", "json_object")
        if request.body.get("tools") and not has_form:
            return tool_calls(call)(request)
        return llama_cpp_answer(words)(request)

    return behave


# --- llama-cpp-python ---


def llama_cpp_python(fault: str = FORM_FAULT, then: Behaviour | None = None) -> Behaviour:
    """It knows no JSON schema, and says so with a status of 500, as it does for every fault of a request."""

    def behave(request: Request) -> Wire:
        form = request.body.get("response_format")
        if form is not None and form.get("type") not in ("text", "json_object"):
            return _internal(fault)
        return (then or generate_answer())(request)

    return behave


def llama_cpp_python_overflow() -> Behaviour:
    message = (
        "This model's maximum context length is 8192 tokens. However, you requested 20918 tokens (20418 in the"
        " messages, 500 in the completion). Please reduce the length of the messages or completion."
    )
    error = {
        "message": message,
        "type": "invalid_request_error",
        "param": "messages",
        "code": "context_length_exceeded",
    }
    return _always(400, {"error": error})


def _internal(message: str) -> Wire:
    error = {"message": message, "type": "internal_server_error", "param": None, "code": None}
    return _wire(500, {"error": error})
