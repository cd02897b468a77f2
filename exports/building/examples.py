"""The code examples of a technical answer, as its run keeps them."""

from collections.abc import Iterable
from uuid import UUID

from pydantic import BaseModel

from exports.document.plain import as_read
from exports.document.tree import ExampleEntry, SourceEntry
from research.models import Kind, Run


class _ExampleData(BaseModel):
    """The fields of a stored example that a document uses; others that the run stores are ignored."""

    source: UUID
    code: str
    language: str = ""
    description: str = ""
    check: str = "unchecked"


def examples_of(run: Run, sources: Iterable[SourceEntry]) -> tuple[ExampleEntry, ...]:
    """Without those that their parser refuses, as on the page."""
    own = (run.result or {}).get("own") or {}
    if run.kind != Kind.TECHNICAL:
        return ()
    known = {source.id: source for source in sources}
    stored = [_ExampleData.model_validate(one) for one in own.get("examples", ())]
    return tuple(_entry(one, known[one.source]) for one in stored if one.source in known)


def _entry(one: _ExampleData, source: SourceEntry) -> ExampleEntry:
    introduced = as_read(one.description, (source.media_type,))
    return ExampleEntry(one.code, one.language, introduced, one.check, source)
