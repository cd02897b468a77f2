"""What the workspace's finished runs have found, by the things that they speak of."""

from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import BaseModel, Field

from research.integrations.api.auth import NEEDS
from research.integrations.api.problems import Problem
from research.knowledge.folded_names import LONGEST_NAME
from research.knowledge.graph_shape import EntityKnowledge, EntityList
from research.knowledge.read_graph import list_entities, read_entity
from research.models import Scope

router = Router(tags=["knowledge"], by_alias=True)
READ = NEEDS[Scope.READ]
MOST_LISTED = 100


class EntitiesWanted(BaseModel):
    """Which entities: those whose name has the words, or all."""

    query: str = Field("", max_length=LONGEST_NAME)
    limit: int = Field(50, ge=1, le=MOST_LISTED)
    offset: int = Field(0, ge=0, le=1_000_000)


@router.get("/knowledge/entities", response=EntityList, auth=READ, summary="List what runs speak of")
def list_known_entities(request: HttpRequest, wanted: Annotated[EntitiesWanted, Query()]) -> EntityList:
    """Those of most runs first, with which of them stand together in claims."""
    return list_entities(wanted.query, limit=wanted.limit, offset=wanted.offset)


@router.get("/knowledge/entity", response=EntityKnowledge, auth=READ, summary="Read what is known of a thing")
def read_known_entity(
    request: HttpRequest, key: Annotated[str, Query(max_length=LONGEST_NAME)]
) -> EntityKnowledge:
    """Return what runs say of it, from which sources, where they disagree and how it changed.

    `key` is that of `/knowledge/entities`.
    """
    known = read_entity(key)
    if known is None:
        raise Problem("not_found")
    return known
