"""The schemas of the graph for pages, the API, the MCP server and the command line."""

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel

from research.models import EntityKind


class EntitySummary(BaseModel):
    """An entity with the number of claims and runs that mention it. The counts of links are of pairs of claims."""

    key: str
    name: str
    kind: EntityKind
    claims: int
    runs: int
    agreements: int = 0
    contradictions: int = 0
    changes: int = 0


class EntityRelation(BaseModel):
    """Two entities mentioned by the same claims. `claims` counts these."""

    a: str
    b: str
    claims: int


class Account(BaseModel):
    """One run's claim with the first of its quotes."""

    claim: UUID
    run: UUID
    question: str
    number: int  # of the claim in its report
    completed_at: datetime | None
    text: str
    quote: str
    source: UUID
    source_title: str
    source_url: str
    published: str  # ISO 8601, as precise as known; "" if unknown


class Dispute(BaseModel):
    """A contradicting statement, and the words in which the two differ."""

    text: str
    number: int
    run: UUID
    mine: str
    theirs: str


class Statement(BaseModel):
    """A statement made by one or more runs. `sources` counts independent sources, each once across runs."""

    text: str
    runs: int
    sources: int
    accounts: list[Account]  # newest first
    disputes: list[Dispute]


class ChangePoint(BaseModel):
    """A value of a quantity at a time (ISO 8601, as precise as known)."""

    time: str
    value: str
    account: Account


class EntityKnowledge(BaseModel):
    """The findings of finished runs about an entity. `changes` are series of one quantity, each oldest first."""

    entity: EntitySummary
    statements: list[Statement]
    changes: list[list[ChangePoint]]
    related: list[EntitySummary]  # mentioned in the same claims; `claims` counts these
    is_complete: bool  # False: only the newest claims are included


class EntityList(BaseModel):
    """Entities, those in the most runs first; `relations` are between listed ones."""

    entities: list[EntitySummary]
    relations: list[EntityRelation]
    total: int
    runs: int  # in the graph
    claims: int
