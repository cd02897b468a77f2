"""The knowledge page: the entities of the workspace's finished runs, and what the runs say about one of them."""

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from research.library.knowledge.knowledge_folded_names import MAX_NAME
from research.library.knowledge.knowledge_graph_shape import EntityList, EntityRelation, EntitySummary
from research.library.knowledge.read_knowledge_graph import list_entities, read_entity
from research.web.knowledge.knowledge_graph_view import draw_circle, draw_star
from research.web.site.page_request_numbers import whole
from research.web.site.view_access import members_only

PAGE_SIZE = 40
MAX_PAGES = 1_000
MAX_RELATIONS = 60


@members_only
@require_safe
def knowledge(request: HttpRequest) -> HttpResponse:
    """List the entities, or those whose names contain the words of `q`; or show the one whose key is `entity`."""
    if key := request.GET.get("entity"):
        return _entity(request, key)
    query = request.GET.get("q", "")[:MAX_NAME].replace("\0", "")
    number = min(max(whole(request.GET.get("page", ""), 1), 1), MAX_PAGES)
    entities = list_entities(query, limit=PAGE_SIZE, offset=(number - 1) * PAGE_SIZE)
    shown = {
        "query": query,
        "found": entities,
        "relations": _by_name(entities),
        "page": _page(entities.entities, entities.total, number),
        "picture": draw_circle(entities.entities, entities.relations),
    }
    return render(request, "research/knowledge/knowledge.html", shown)


def _entity(request: HttpRequest, key: str) -> HttpResponse:
    known = read_entity(key) if len(key) <= MAX_NAME and "\0" not in key else None
    if known is None:
        raise Http404
    shown = {"known": known, "picture": draw_star(known.entity, known.related)}
    return render(request, "research/knowledge/entity.html", shown)


def _by_name(found: EntityList) -> list[EntityRelation]:
    names = {entity.key: entity.name for entity in found.entities}
    return [
        relation.model_copy(update={"a": names[relation.a], "b": names[relation.b]})
        for relation in found.relations[:MAX_RELATIONS]
    ]


def _page(rows: list[EntitySummary], total: int, number: int) -> Page[EntitySummary]:
    return Page(rows, number, Paginator(range(max(total, 1)), PAGE_SIZE))  # type: ignore[arg-type]  # only counts
