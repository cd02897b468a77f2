"""Every provider's world, by its name."""

from tests.acquisition.apis import (
    arxiv,
    crossref,
    github,
    openalex,
    searxng,
    semantic_scholar,
    stackexchange,
)
from tests.acquisition.apis.server import World

_MODULES = (searxng, arxiv, openalex, crossref, semantic_scholar, github, stackexchange)
WORLDS: dict[str, World] = {
    one.name: one for one in (*(module.WORLD for module in _MODULES), github.CODE_WORLD)
}
