"""Every provider's world, by its name."""

from tests.search.apis import (
    arxiv,
    brave,
    crossref,
    ddgs,
    github,
    hackernews,
    openalex,
    reddit,
    searxng,
    semantic_scholar,
    stackexchange,
    wikipedia,
)
from tests.search.apis.server import World

_WEB = (searxng, brave, ddgs, wikipedia, hackernews, reddit)
_MODULES = (*_WEB, arxiv, openalex, crossref, semantic_scholar, github, stackexchange)
WORLDS: dict[str, World] = {
    one.name: one for one in (*(module.WORLD for module in _MODULES), github.CODE_WORLD)
}
