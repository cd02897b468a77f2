"""The findings of the workspace's finished runs, by entity."""

from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import BaseModel, Field

from research.integrations.api.api_auth import NEEDS
from research.integrations.api.api_problems import Problem
from research.library.knowledge.knowledge_folded_names import MAX_NAME
from research.library.knowledge.knowledge_graph_shape import EntityKnowledge, EntityList
from research.library.knowledge.read_knowledge_graph import list_entities, read_entity
from research.models import Scope

router = Router(tags=["knowledge"], by_alias=True)
READ = NEEDS[Scope.READ]
MAX_LISTED = 100


class EntitiesWanted(BaseModel):
    """The filter of the list: entities whose name contains the words, or all."""

    query: str = Field("", max_length=MAX_NAME)
    limit: int = Field(50, ge=1, le=MAX_LISTED)
    offset: int = Field(0, ge=0, le=1_000_000)


@router.get(
    "/knowledge/entities", response=EntityList, auth=READ, summary="List the entities that runs mention"
)
def list_known_entities(request: HttpRequest, wanted: Annotated[EntitiesWanted, Query()]) -> EntityList:
    """List entities, those in the most runs first, with the pairs of them that share claims."""
    return list_entities(wanted.query, limit=wanted.limit, offset=wanted.offset)


@router.get(
    "/knowledge/entity", response=EntityKnowledge, auth=READ, summary="Read what is known about an entity"
)
def read_known_entity(
    request: HttpRequest, key: Annotated[str, Query(max_length=MAX_NAME)]
) -> EntityKnowledge:
    """Return what runs say about an entity, from which sources, where they disagree and how it changed.

    `key` is that of `/knowledge/entities`.
    """
    known = read_entity(key)
    if known is None:
        raise Problem("not_found")
    return known
