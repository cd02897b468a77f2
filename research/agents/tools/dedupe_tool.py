"""dedupe: group the run's sources that have similar text, and mark copies as duplicates.

A cited source is never marked.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from uuid import UUID

from pydantic import Field

from citations.models import Citation
from research.agents.tools.evidence.tool_source_handles import resolve_sources, source_handle
from research.agents.tools.tool_interface import Tool, ToolInput, ToolOutput, Use
from research.db.tenancy import in_tenant
from research.library.duplicate_library_documents import similarities
from research.models import Source, SourceStatus


class Keep(StrEnum):
    FIRST = "first"  # the one that was found first
    BEST = "best"  # of the best tier, then the longest
    MERGE = "merge"  # the best, completed with the others' metadata


class DedupeInput(ToolInput):
    """Find sources that say the same."""

    sources: list[str] = Field(min_length=1, max_length=500, description="Ids of sources (src-…).")
    threshold: float = Field(
        0.85, ge=0.5, le=1.0, description="Similarity of texts from which on they are one."
    )
    keep: Keep = Keep.BEST


class DuplicateGroup(ToolOutput):
    kept: str
    others: list[str]
    similarity: float = Field(description="The least between two that were joined.")


class DedupeOutput(ToolOutput):
    holds_source_text = False

    groups: list[DuplicateGroup]
    unique: list[str]
    removed: list[str]


@dataclass(frozen=True, slots=True)
class SourceCluster:
    """Sources joined by similarity, directly or through others."""

    members: tuple[Source, ...]
    similarity: float


async def dedupe(given: DedupeInput, use: Use) -> DedupeOutput:
    return await in_tenant(use.step.tenant_id, partial(_dedupe, given, use.step.run_id))


def _dedupe(given: DedupeInput, run_id: UUID) -> DedupeOutput:
    sources = resolve_sources(run_id, given.sources)
    groups = group_duplicates(sources, given.threshold)
    cited = set(Citation.objects.filter(source__in=sources).values_list("source_id", flat=True))
    shown, removed = [], []
    for group in groups:
        kept = _select_kept_source(group.members, given.keep)
        others = [member for member in group.members if member.pk != kept.pk]
        shown.append(
            DuplicateGroup(
                kept=source_handle(kept.pk),
                others=[source_handle(other.pk) for other in others],
                similarity=round(group.similarity, 3),
            )
        )
        removed += _set_aside(kept, [other for other in others if other.pk not in cited], given.keep)
    gone = {duplicate.pk for duplicate in removed}
    return DedupeOutput(
        groups=shown,
        unique=[source_handle(source.pk) for source in sources if source.pk not in gone],
        removed=[source_handle(duplicate.pk) for duplicate in removed],
    )


def group_duplicates(sources: Sequence[Source], threshold: float) -> list[SourceCluster]:
    """Return groups of at least two, ordered by their first member; sources without text belong to none."""
    readable = [source for source in sources if source.content is not None and source.content.minhash]
    hashes = [bytes(source.content.minhash) for source in readable if source.content]
    group, least = list(range(len(readable))), [1.0] * len(readable)
    for index, minhash in enumerate(hashes):
        for other, alike in enumerate(similarities(minhash, hashes[:index])):
            if alike >= threshold:
                old, new = sorted((group[index], group[other]))
                least[old] = min(least[old], least[new], float(alike))
                if old != new:
                    group = [old if each == new else each for each in group]
    members = {name: [s for s, own in zip(readable, group, strict=True) if own == name] for name in group}
    return [SourceCluster(tuple(found), least[name]) for name, found in members.items() if len(found) > 1]


def _select_kept_source(members: Sequence[Source], keep: Keep) -> Source:
    if keep is Keep.FIRST:
        return min(members, key=lambda source: (source.created_at, source.pk))
    return min(members, key=lambda source: (source.tier, -source.word_count, source.created_at, source.pk))


def _set_aside(kept: Source, others: Iterable[Source], keep: Keep) -> list[Source]:
    copies = list(others)
    Source.objects.filter(pk__in=[copy.pk for copy in copies]).update(
        status=SourceStatus.DUPLICATE, duplicate_of=kept
    )
    if keep is Keep.MERGE:
        _complete(kept, copies)
    return copies


MERGED = ("title", "author", "publisher", "published_date", "modified_date", "url", "domain", "language")


def _complete(kept: Source, copies: Sequence[Source]) -> None:
    """Fill in the empty fields of the kept source from its copies."""
    for name in MERGED:
        if not getattr(kept, name):
            setattr(kept, name, next((getattr(copy, name) for copy in copies if getattr(copy, name)), ""))
    kept.save(update_fields=[*MERGED, "updated_at"])


def dedupe_tool() -> Tool[DedupeInput, DedupeOutput]:
    return Tool(
        "dedupe", "Find sources of this run that say the same, and set copies aside.", DedupeInput, dedupe
    )
