"""The schemas of the graph for pages, the API, the MCP server and the command line."""

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel

from research.models import EntityKind


class EntitySummary(BaseModel):
    """An entity with the number of claims and runs that name it. The counts of links are of pairs of claims."""

    key: str
    name: str
    kind: EntityKind
    claims: int
    runs: int
    agreements: int = 0
    contradictions: int = 0
    changes: int = 0


class EntityRelation(BaseModel):
    """Two entities that share claims. `claims` counts them."""

    a: str
    b: str
    claims: int


class Account(BaseModel):
    """One run's claim, with the first of the quotes that it stands on."""

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
    published: str  # ISO 8601, as precise as known; "" for unknown


class Dispute(BaseModel):
    """Another statement that cannot hold together with this one, and the words in which they differ."""

    text: str
    number: int
    run: UUID
    mine: str
    theirs: str


class Statement(BaseModel):
    """A statement that one or several runs make. `sources` counts independent sources, each once across runs."""

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
    related: list[
        EntitySummary
    ]  # entities that stand together with it in claims; `claims` counts these claims
    is_complete: bool  # False: only the newest claims are here


class EntityList(BaseModel):
    """Entities with most runs first; `relations` are between those that are listed."""

    entities: list[EntitySummary]
    relations: list[EntityRelation]
    total: int
    runs: int  # in the graph
    claims: int
