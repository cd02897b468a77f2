"""Every provider's world, by its name."""

from tests.acquisition.apis import searxng
from tests.acquisition.apis.server import World

WORLDS: dict[str, World] = {one.WORLD.name: one.WORLD for one in (searxng,)}
