"""The sources of two runs, and the changes between them. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from research.models import Source, SourceStatus

READ = frozenset({SourceStatus.EXTRACTED, SourceStatus.PROCESSED})


@dataclass(frozen=True, slots=True)
class SourceRef:
    """A source of one of the runs. `key` is the same in both runs."""

    id: UUID
    key: str
    title: str
    url: str
    text_hash: str  # of the text as it was read; empty if it was not read
    status: str
    problem: str = ""  # the reason why it could not be read

    @property
    def was_read(self) -> bool:
        return self.status in READ


def reference(source: Source) -> SourceRef:
    return SourceRef(
        source.pk,
        source.canonical_url,
        source.title or source.canonical_url,
        source.url,
        source.content.sha256 if source.content else "",
        source.status,
        source.error_message,
    )


@dataclass(frozen=True, slots=True)
class SourceChanges:
    """Sources that only the new run read, that only the old run read, and whose text has changed.

    `gone` pairs each source with the new run's source of the same key, None if there is none. `changed` are the new
    run's.
    """

    new: tuple[SourceRef, ...] = ()
    gone: tuple[tuple[SourceRef, SourceRef | None], ...] = ()
    changed: tuple[SourceRef, ...] = ()

    @property
    def are_any(self) -> bool:
        return bool(self.new or self.gone or self.changed)


def source_changes(old: Sequence[SourceRef], new: Sequence[SourceRef]) -> SourceChanges:
    before, after = by_key(old), by_key(new)
    was_read = {key for key, source in before.items() if source.was_read}
    is_read = {key for key, source in after.items() if source.was_read}
    return SourceChanges(
        new=tuple(ref for ref in new if ref.key in is_read - was_read),
        gone=tuple((ref, after.get(ref.key)) for ref in old if ref.key in was_read - is_read),
        changed=tuple(
            ref for ref in new if ref.key in is_read & was_read and ref.text_hash != before[ref.key].text_hash
        ),
    )


def by_key(some: Sequence[SourceRef]) -> Mapping[str, SourceRef]:
    return {ref.key: ref for ref in some}
