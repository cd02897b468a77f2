"""A state of a page: how it comes about, and what is done there before it is looked at."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from playwright.sync_api import Page

from tests.people import Person

Make = Callable[[Person], str]
Act = Callable[[Page], None]


@dataclass(frozen=True)
class Scene:
    """`make` brings the state about for somebody who has nothing yet, and says where it shows."""

    name: str
    make: Make
    act: Act | None = None
    is_staff: bool = False
    is_signed_in: bool = True
    given: Mapping[str, object] = field(default_factory=dict)  # settings


class Room:
    """The scenes of one part of the site, in the order in which they are written down."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.scenes: list[Scene] = []

    def scene(
        self, act: Act | None = None, *, staff: bool = False, signed_in: bool = True, **given: object
    ) -> Callable[[Make], Make]:
        """Named as its function; `given` are settings that hold meanwhile."""

        def keep(make: Make) -> Make:
            name = f"{self.name}-{make.__name__.replace('_', '-')}"
            self.scenes.append(Scene(name, make, act, staff, signed_in, given))
            return make

        return keep
