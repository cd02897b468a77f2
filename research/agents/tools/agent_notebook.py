"""The run's workspace: the plan as a checklist, notes and findings, which agents append to and read.

It is a memory, never a source of claims: its entries are no evidence, and nothing is resolved against them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Max, QuerySet

from research.models import AgentRole, EntryKind, Run, WorkspaceEntry

MAX_ENTRIES = 500  # per run
MAX_TEXT = 2_000  # characters


class WorkspaceFull(Exception):
    """The run has its maximum number of entries."""


@dataclass(frozen=True, slots=True)
class NotebookAuthor:
    """The author of an entry. `key` is unique within the run, so that nothing is written twice."""

    run_id: UUID
    step_id: UUID | None
    role: AgentRole
    key: str


@dataclass(frozen=True, slots=True)
class Workspace:
    """The entries of a workspace, in the order in which they were written."""

    plan: tuple[WorkspaceEntry, ...]
    notes: tuple[WorkspaceEntry, ...]
    findings: tuple[WorkspaceEntry, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.plan or self.notes or self.findings)


def read_workspace(run_id: UUID) -> Workspace:
    """Return all entries. Needs the tenant set."""
    rows = list(WorkspaceEntry.objects.filter(run_id=run_id).order_by("position", "id"))
    return Workspace(*(tuple(row for row in rows if row.kind == kind) for kind in EntryKind))


def read_plan(run_id: UUID) -> list[WorkspaceEntry]:
    """Return only the plan's items. Needs the tenant set."""
    return list(plan_items(run_id))


def plan_items(run_id: UUID) -> QuerySet[WorkspaceEntry]:
    return WorkspaceEntry.objects.filter(run_id=run_id, kind=EntryKind.PLAN).order_by("position")


def append(
    author: NotebookAuthor, kind: EntryKind, texts: Sequence[str], sources: Sequence[UUID] = ()
) -> int:
    """Append entries and return the number of new ones. Raises WorkspaceFull. Needs the tenant set."""
    Run.objects.select_for_update(no_key=True).get(pk=author.run_id)  # serialised, as positions are counted
    rows = WorkspaceEntry.objects.filter(run_id=author.run_id)
    keys = [f"{author.key}.{number}" for number in range(len(texts))]
    known = set(rows.filter(key__in=keys).values_list("key", flat=True))
    new = [(key, text) for key, text in zip(keys, texts, strict=True) if key not in known]
    if rows.count() + len(new) > MAX_ENTRIES:
        raise WorkspaceFull
    last = rows.filter(kind=kind).aggregate(last=Max("position"))["last"] or 0
    WorkspaceEntry.objects.bulk_create(
        _entry(author, kind, key, text, last + number, sources)
        for number, (key, text) in enumerate(new, start=1)
    )
    return len(new)


def tick(run_id: UUID, *positions: int) -> bool:
    """Mark items of the plan as done; return True if any exists. Needs the tenant set."""
    items = WorkspaceEntry.objects.filter(run_id=run_id, kind=EntryKind.PLAN, position__in=positions)
    return bool(items.update(is_done=True))


def _entry(
    author: NotebookAuthor, kind: EntryKind, key: str, text: str, position: int, sources: Sequence[UUID]
) -> WorkspaceEntry:
    return WorkspaceEntry(
        run_id=author.run_id,
        step_id=author.step_id,
        key=key,
        kind=kind,
        position=position,
        role=author.role,
        text=text[:MAX_TEXT],
        sources=list(sources),
    )
