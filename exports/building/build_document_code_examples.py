"""Builds the code examples of a technical answer from its run."""

from collections.abc import Iterable
from uuid import UUID

from pydantic import BaseModel

from exports.document.document_plain_text import as_read
from exports.document.document_tree import ExampleEntry, SourceEntry
from research.models import Kind, Run


class _ExampleData(BaseModel):
    """The fields of a stored example that a document uses; its other fields are ignored."""

    source: UUID
    code: str
    language: str = ""
    description: str = ""
    check: str = "unchecked"


def examples_of(run: Run, sources: Iterable[SourceEntry]) -> tuple[ExampleEntry, ...]:
    """Return the examples, without those that the parser rejects; the page leaves these out too."""
    own = (run.result or {}).get("own") or {}
    if run.kind != Kind.TECHNICAL:
        return ()
    known = {source.id: source for source in sources}
    stored = [_ExampleData.model_validate(example) for example in own.get("examples", ())]
    return tuple(_entry(example, known[example.source]) for example in stored if example.source in known)


def _entry(example: _ExampleData, source: SourceEntry) -> ExampleEntry:
    introduced = as_read(example.description, (source.media_type,))
    return ExampleEntry(example.code, example.language, introduced, example.check, source)
