"""Results of a model server's test, as codes; `research.ops.health_model_check_text` renders them in the reader's
language.

They are apart from the test itself (`research.llm.model_check`) so that the web process loads its HTTP
clients only when somebody runs a test.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import JsonValue

WHOLE_LIMIT_S = 240.0  # of a test


class Probe(StrEnum):
    """The capabilities to test, in this order."""

    SERVER = "server"
    MODELS = "models"
    CHAT = "chat"
    JSON = "json"
    TOOLS = "tools"
    EMBEDDINGS = "embeddings"
    IMAGES = "images"
    SPEED = "speed"
    CONTEXT = "context"


class ProbeVerdict(StrEnum):
    WORKS = "works"
    MISSING = "missing"  # a run can do without it
    FAILED = "failed"  # this model can't write anything


class Reason(StrEnum):
    """The reason why a probe failed, if the server or the connection gives one that people can act on."""

    UNREACHABLE = "unreachable"
    REFUSED_ADDRESS = "refused_address"  # by the connection guard
    NO_HOST = "no_host"
    TLS = "tls"
    TIMEOUT = "timeout"
    WEB_PAGE = "web_page"  # HTML instead of JSON
    NOT_AN_API = "not_an_api"
    KEY = "key"
    NO_KEY = "no_key"  # the same, and none was entered
    NO_MODEL = "no_model"
    PATH = "path"  # 404: the address leads to nothing
    QUOTA = "quota"
    BUSY = "busy"
    SERVER_ERROR = "server_error"
    NOT_OFFERED = "not_offered"  # the server has no such function
    USELESS = "useless"  # it answered, but not as requested
    SLOW = "slow"
    SMALL = "small"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """The outcome of a probe. `values` are numbers and names for its message."""

    probe: Probe
    verdict: ProbeVerdict
    reason: Reason | None = None
    values: Mapping[str, JsonValue] = field(default_factory=dict)

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "probe": self.probe.value,
            "verdict": self.verdict.value,
            "reason": self.reason.value if self.reason else "",
            "values": dict(self.values),
        }


def read_finding(stored: JsonValue) -> ProbeResult | None:
    """Read a stored result; None if another release stored it in another form."""
    if not isinstance(stored, dict):
        return None
    try:
        reason, values = str(stored.get("reason", "")), stored.get("values")
        return ProbeResult(
            Probe(str(stored.get("probe"))),
            ProbeVerdict(str(stored.get("verdict"))),
            Reason(reason) if reason else None,
            values if isinstance(values, dict) else {},
        )
    except ValueError:
        return None


def findings_in(stored: Sequence[JsonValue]) -> list[ProbeResult]:
    return [finding for finding in map(read_finding, stored) if finding is not None]


def can_write(findings: Sequence[ProbeResult]) -> bool:
    """Return True if the model can write reports: it chats and returns the requested JSON."""
    works = {finding.probe for finding in findings if finding.verdict is ProbeVerdict.WORKS}
    return {Probe.CHAT, Probe.JSON} <= works


def tokens_a_second(findings: Sequence[ProbeResult]) -> float | None:
    return _figure_in(findings, Probe.SPEED, "tokens_a_second")


def calls_at_once_in(findings: Sequence[ProbeResult]) -> int | None:
    """Return how many calls the server answers concurrently, if it reports that."""
    slots = _figure_in(findings, Probe.CONTEXT, "at_once")
    return int(slots) if slots else None


def context_length_in(findings: Sequence[ProbeResult]) -> int | None:
    tokens = _figure_in(findings, Probe.CONTEXT, "tokens")
    return None if tokens is None else int(tokens)


def _figure_in(findings: Sequence[ProbeResult], probe: Probe, name: str) -> float | None:
    values = (finding.values.get(name) for finding in findings if finding.probe is probe)
    return next((float(value) for value in values if isinstance(value, int | float)), None)


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model that a server lists. `context` is its length in tokens, if the list has it."""

    id: str
    context: int | None = None


class NotListed(Exception):
    """The server lists no models; `reason` says why."""

    def __init__(self, reason: Reason, values: Mapping[str, JsonValue] | None = None) -> None:
        super().__init__(reason.value)
        self.reason = reason
        self.values = dict(values or {})
