"""What a server turned out not to accept, remembered for each base URL and model as long as the process lives."""

from dataclasses import dataclass, replace
from enum import IntEnum


class Form(IntEnum):
    """How an answer of a schema is asked for; each server takes a form up to its own."""

    WORDS = 0  # the prompt alone says it
    JSON_MODE = 1
    JSON_SCHEMA = 2


@dataclass(frozen=True, slots=True)
class Features:
    """`limit_name` is the parameter that bounds the output: OpenAI's new one, or the one that all others know."""

    form: Form = Form.JSON_SCHEMA
    temperature: bool = True
    limit_name: str = "max_tokens"


NEW_LIMIT, OLD_LIMIT = "max_completion_tokens", "max_tokens"
HOSTS_WITH_NEW_LIMIT = ("api.openai.com", ".openai.azure.com")
CONTEXT_MARKS = ("context_length", "context length", "context window", "context size", "maximum context")
FORM_MARKS = ("response_format", "json_schema", "json_object", "structured output", "guided", "grammar")

_learned: dict[tuple[str, str], Features] = {}


def remembered(base_url: str, model: str) -> Features | None:
    return _learned.get((base_url, model))


def remember(base_url: str, model: str, features: Features) -> None:
    _learned[base_url, model] = features


def forget() -> None:
    """As after a restart."""
    _learned.clear()


def initial(host: str) -> Features:
    """What to try first on a server that nothing is known of."""
    is_new = any(host == known or host.endswith(known) for known in HOSTS_WITH_NEW_LIMIT)
    return Features(limit_name=NEW_LIMIT if is_new else OLD_LIMIT)


def lesser(features: Features, complaint: str) -> Features | None:
    """What to try after a 400 with this text; None: the request itself is at fault."""
    said = complaint.lower()
    if any(mark in said for mark in CONTEXT_MARKS):
        return None
    if features.temperature and "temperature" in said:
        return replace(features, temperature=False)
    if features.limit_name == OLD_LIMIT and NEW_LIMIT in said:
        return replace(features, limit_name=NEW_LIMIT)
    if features.limit_name == NEW_LIMIT and (NEW_LIMIT in said or OLD_LIMIT in said):
        return replace(features, limit_name=OLD_LIMIT)
    if features.form > Form.WORDS and any(mark in said for mark in FORM_MARKS):
        return replace(features, form=Form(features.form - 1))
    return None
