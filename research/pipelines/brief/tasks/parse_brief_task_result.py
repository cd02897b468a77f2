"""Strict parsing of a submitted result, in the flat shape or in that of Parallel's current API.

All faults are reported at once, so that nobody has to send a file five times to learn of five faults.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _
from pydantic.alias_generators import to_camel

from research.db.sanitize import storable_text
from research.pipelines.brief.tasks.brief_task_result import (
    BriefErrorCode,
    BriefInputRefused,
    ReceivedExcerpt,
    TaskResult,
)

LARGEST = 1_000_000  # bytes
MAX_PIECES = 500
MAX_ANSWER, MAX_PIECE = 100_000, 20_000  # characters
DEEPEST = 60  # levels of nesting
WORDS_FOR_CONFIDENCE: Final[Mapping[str, float]] = {"high": 0.9, "medium": 0.6, "low": 0.2}
UNFINISHED = frozenset({"queued", "running", "action_required", "cancelling"})
ENDED_BADLY = frozenset({"failed", "cancelled"})


def read_bytes(data: bytes) -> Mapping[str, object]:
    """Parse the JSON object of a file. Raises BriefInputRefused."""
    if len(data) > LARGEST:
        message = _("The file has %(size)d KB; the limit is %(most)d KB.")
        sizes = {"size": len(data) // 1000, "most": LARGEST // 1000}
        raise BriefInputRefused(BriefErrorCode.TOO_LARGE, message % sizes)
    try:
        parsed = json.loads(data.decode("utf-8-sig"), parse_constant=lambda _name: None)
    except UnicodeDecodeError as error:
        raise BriefInputRefused(
            BriefErrorCode.NOT_JSON, _("The file is not JSON: it is not UTF-8 text.")
        ) from error
    except RecursionError as error:
        raise BriefInputRefused(BriefErrorCode.NOT_JSON, _("The file is nested too deeply.")) from error
    except json.JSONDecodeError as error:
        message = _("The file is not JSON, or was cut off: line %(line)d, column %(column)d.")
        place = {"line": error.lineno, "column": error.colno}
        raise BriefInputRefused(BriefErrorCode.NOT_JSON, message % place) from error
    except ValueError as error:
        raise BriefInputRefused(
            BriefErrorCode.NOT_JSON, _("The file contains a number that is too long.")
        ) from error
    if not isinstance(parsed, dict):
        raise BriefInputRefused(BriefErrorCode.NOT_A_RESULT, _("The file contains no JSON object."))
    return parsed


def read_result(given: Mapping[str, object]) -> TaskResult:
    """Read the result of a task.

    Raises BriefInputRefused for anything that is not a result, for a task that failed or is still running, and for one
    without an answer.
    """
    reader = _Reader()
    is_current = isinstance(given.get("run"), Mapping)
    run = reader.mapping(given, "run") if is_current else given
    _refuse_unfinished(reader, run)
    result = _current(reader, run, reader.mapping(given, "output")) if is_current else _flat(reader, given)
    if reader.faults:
        listed = " ".join(reader.faults)
        message = _("This is not the result of a Parallel task. %(faults)s") % {"faults": listed}
        raise BriefInputRefused(BriefErrorCode.NOT_A_RESULT, message)
    if not result.answer.strip():
        raise BriefInputRefused(BriefErrorCode.NO_ANSWER, _("The task has ended, but gives no answer."))
    return result


def _refuse_unfinished(reader: "_Reader", run: Mapping[str, object]) -> None:
    status = reader.text(run, "status", is_needed=True).lower()
    if status in UNFINISHED:
        message = _("The task is not finished yet: its status is “%(status)s”.")
        raise BriefInputRefused(BriefErrorCode.NOT_FINISHED, message % {"status": status})
    if status in ENDED_BADLY:
        message = _("The task itself ended as “%(status)s”: %(reason)s")
        reason = _reason(run.get("error")) or _("it gives no reason.")
        raise BriefInputRefused(BriefErrorCode.TASK_FAILED, message % {"status": status, "reason": reason})
    if status and status != "completed":
        reader.faults.append(_("“status” is unknown: %(status)s.") % {"status": status[:40]})


def _reason(error: object) -> str:
    if not isinstance(error, Mapping):
        return ""
    texts = [error.get("message"), error.get("detail"), error.get("details")]
    parts = [text.strip() for text in texts if isinstance(text, str) and text.strip()]
    return " ".join(part if part.endswith(".") else f"{part}." for part in dict.fromkeys(parts))[:500]


@dataclass(slots=True)
class _Reader:
    """Reads values from JSON, and collects a fault for each invalid one."""

    faults: list[str] = field(default_factory=list)

    def text(self, given: Mapping[str, object], name: str, *, is_needed: bool = False) -> str:
        value = _value(given, name)
        if value is None:
            if is_needed:
                self.faults.append(_("“%(name)s” is missing.") % {"name": name})
            return ""
        if not isinstance(value, str):
            self.wrong(name, _("text"), value)
            return ""
        return storable_text(value)

    def entries(self, given: Mapping[str, object], name: str) -> list[Mapping[str, object]]:
        value = _value(given, name)
        if value is None:
            return []
        if not isinstance(value, Sequence) or isinstance(value, str):
            self.wrong(name, _("a list"), value)
            return []
        if len(value) > MAX_PIECES:
            message = _("“%(name)s” has %(count)d entries; the limit is %(most)d.")
            self.faults.append(message % {"name": name, "count": len(value), "most": MAX_PIECES})
            return []
        entries = [entry for entry in value if isinstance(entry, Mapping)]
        if len(entries) < len(value):
            self.wrong(
                name, _("a list of objects"), next(entry for entry in value if not isinstance(entry, Mapping))
            )
        return entries

    def mapping(self, given: Mapping[str, object], name: str) -> Mapping[str, object]:
        value = given.get(name)
        if isinstance(value, Mapping):
            return value
        self.wrong(name, _("an object"), value)
        return {}

    def share(self, given: Mapping[str, object], name: str) -> float | None:
        """Return a number from 0 to 1, also for “high”, “medium” or “low”; None if the field is missing."""
        value = _value(given, name)
        if value is None:
            return None
        if isinstance(value, str) and value.lower() in WORDS_FOR_CONFIDENCE:
            return WORDS_FOR_CONFIDENCE[value.lower()]
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            self.wrong(name, _("a number from 0 to 1"), value)
            return None
        return float(value)

    def wrong(self, name: str, wanted: str, value: object) -> None:
        message = _("“%(name)s” must be %(wanted)s, not %(found)s.")
        self.faults.append(message % {"name": name, "wanted": wanted, "found": _kind(value)})


# Other names of a field, apart from its camelCase form.
_ALSO: Final[Mapping[str, str]] = {"relevance": "relevance_score"}


def _value(given: Mapping[str, object], name: str) -> object:
    """Return the value of a field under any of its names: in snake_case, in camelCase, or an alternative name."""
    names = (name, to_camel(name), *((also, to_camel(also)) if (also := _ALSO.get(name)) else ()))
    return next((given[spelling] for spelling in names if given.get(spelling) is not None), None)


def _kind(value: object) -> str:
    kinds: Sequence[tuple[type | tuple[type, ...], str]] = (
        (str, _("text")),
        (bool, _("true or false")),
        ((int, float), _("a number")),
        (list, _("a list")),
        (dict, _("an object")),
    )
    return next((words for kind, words in kinds if isinstance(value, kind)), _("nothing"))


def _flat(reader: _Reader, given: Mapping[str, object]) -> TaskResult:
    cited = reader.entries(given, "citations")
    pieces = [
        ReceivedExcerpt(
            url=reader.text(citation, "url", is_needed=True).strip(),
            text=reader.text(citation, "snippet")[:MAX_PIECE],
            title=reader.text(citation, "title"),
            relevance=reader.share(citation, "relevance"),
        )
        for citation in cited
    ]
    pieces += [
        ReceivedExcerpt(
            url=reader.text(entry, "source_url").strip(),
            text=reader.text(entry, "text")[:MAX_PIECE],
            context=reader.text(entry, "context"),
        )
        for entry in reader.entries(given, "excerpts")
    ]
    return TaskResult(
        run_id=reader.text(given, "run_id", is_needed=True),
        processor=reader.text(given, "processor"),
        answer=reader.text(given, "answer")[:MAX_ANSWER],
        reasoning=reader.text(given, "reasoning")[:MAX_ANSWER],
        confidence=reader.share(given, "confidence"),
        pieces=tuple(piece for piece in pieces if piece.url and piece.text.strip()),
        links={piece.url: piece.title for piece in pieces if piece.url},
    )


def _current(reader: _Reader, run: Mapping[str, object], output: Mapping[str, object]) -> TaskResult:
    """Read the current shape, in which `basis` has the reasoning, citations and confidence of each field."""
    basis = reader.entries(output, "basis")
    pieces = [piece for entry in basis for piece in _of_field(reader, entry)]
    shares = [reader.share(entry, "confidence") for entry in _whole_fields(basis)]
    confidences = [share for share in shares if share is not None]
    return TaskResult(
        run_id=reader.text(run, "run_id", is_needed=True),
        processor=reader.text(run, "processor"),
        answer=_content(reader, output)[:MAX_ANSWER],
        reasoning="\n".join(_reasons(reader, basis))[:MAX_ANSWER],
        confidence=round(sum(confidences) / len(confidences), 4) if confidences else None,
        pieces=tuple(excerpt for excerpt in pieces if excerpt.url and excerpt.text.strip()),
        links={excerpt.url: excerpt.title for excerpt in pieces if excerpt.url},
    )


def _whole_fields(basis: Sequence[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """Leave out entries for single elements of a list (“key.0”), which the entry of the whole field covers."""
    whole = [entry for entry in basis if "." not in str(entry.get("field", ""))]
    return whole or list(basis)


def _of_field(reader: _Reader, basis: Mapping[str, object]) -> Iterator[ReceivedExcerpt]:
    name = reader.text(basis, "field")
    for cited in reader.entries(basis, "citations"):
        url, title = reader.text(cited, "url", is_needed=True).strip(), reader.text(cited, "title")
        excerpts = cited.get("excerpts")
        if excerpts is not None and not isinstance(excerpts, list):
            reader.wrong("excerpts", _("a list"), excerpts)
        texts = (
            [excerpt for excerpt in excerpts if isinstance(excerpt, str)]
            if isinstance(excerpts, list)
            else []
        )
        for text in texts or [""]:
            yield ReceivedExcerpt(
                url, storable_text(text)[:MAX_PIECE], title, context="" if name == "output" else name
            )


def _reasons(reader: _Reader, basis: Sequence[Mapping[str, object]]) -> Iterator[str]:
    for entry in basis:
        name, reason = reader.text(entry, "field"), reader.text(entry, "reasoning").strip()
        if reason:
            yield reason if name == "output" else f"{name}: {reason}"


def _content(reader: _Reader, output: Mapping[str, object]) -> str:
    """Return text unchanged, and JSON as one sentence per value, so that each can be checked."""
    content = output.get("content")
    if isinstance(content, str):
        return storable_text(_describe_json_string(content) if output.get("type") == "json" else content)
    if isinstance(content, Mapping | list):
        return storable_text("\n".join(describe_json(content)))
    reader.wrong("content", _("text or an object"), content)
    return ""


def _describe_json_string(text: str) -> str:
    """Describe JSON that is given as a string, as in older documentation."""
    try:
        return "\n".join(describe_json(json.loads(text)))
    except (ValueError, RecursionError):
        return text


def describe_json(value: object, name: str = "", depth: int = 0) -> Iterator[str]:
    """Yield a sentence for each value of the JSON, with the names on the path to it.

    >>> list(describe_json({"minimum_length": [{"source": "NIST", "characters": 8}], "rotation_required": False}))
    ['NIST: minimum length 8 characters.', 'Rotation required: no.']
    """
    if depth > DEEPEST:
        return
    if isinstance(value, Mapping) and not _is_row(value):
        for key, item in value.items():
            yield from describe_json(item, f"{name} {key}".strip() if name else str(key), depth + 1)
    elif isinstance(value, list):
        for item in value:
            yield from describe_json(item, name, depth + 1)
    elif value is not None:
        label = name.replace("_", " ").strip()
        if isinstance(value, Mapping) and (subject := _subject(value)):
            rest = _row({key: item for key, item in value.items() if key not in _SUBJECTS})
            yield f"{subject}: {f'{label} {rest}'.strip()}." if rest or label else f"{subject}."
            return
        words = _row(value) if isinstance(value, Mapping) else _plain(value)
        yield f"{label[:1].upper()}{label[1:]}: {words}." if label else f"{words}."


_SUBJECTS = ("source", "name")


def _subject(row: Mapping[str, object]) -> str:
    """Return the subject of a row; empty if it has none or more than one."""
    named = [text for key in _SUBJECTS if isinstance(text := row.get(key), str) and text.strip()]
    return " ".join(named[0].split()) if len(named) == 1 else ""


def _is_row(value: Mapping[str, object]) -> bool:
    """Return True for an object with a source, or with a name and other values: its values form one statement."""
    return "source" in value or (len(value) > 1 and "name" in value)


def _row(value: Mapping[str, object]) -> str:
    plain = {key: item for key, item in value.items() if not isinstance(item, Mapping | list)}
    return ", ".join(
        _format_named_value(key.replace("_", " "), item) for key, item in plain.items() if item is not None
    )


def _format_named_value(name: str, value: object) -> str:
    """Put a figure before the thing that it counts, as in ordinary language."""
    is_figure = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{_plain(value)} {name}" if is_figure else f"{name} {_plain(value)}"


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(str(value).split())
