"""The writers of decks, imported at first use: some load large libraries or are not installed."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from slides.deck import DeckContent, Slide
from slides.models import Mode
from slides.theming.deck_themes import Theme

Pictures = Mapping[str, bytes]  # by the keys of the deck's images
_NEEDED = {
    Mode.HTML: ("slides.deck_to_html",),
    Mode.PNG: ("slides.deck_to_html", "slides.imaging.slide_browser", "playwright"),
    Mode.PPTX: ("slides.pptx.write_pptx", "pptx"),
}


class ScreenshotRenderer(Protocol):
    """A browser that renders pages as pictures."""

    def pngs(self, documents: Iterable[str]) -> Iterator[bytes]: ...


def is_there(mode: Mode) -> bool:
    """Return True if this installation can write this mode."""
    return all(find_spec(name) for name in _NEEDED[mode])


def html_of(deck: DeckContent, theme: Theme, pictures: Pictures) -> bytes:
    from slides.deck_to_html import write_html

    return write_html(deck, theme, pictures)


def page_of(
    deck: DeckContent, slide: Slide, theme: Theme, pictures: Pictures, *, with_fonts: bool = True
) -> str:
    """Return one slide as a page that scales to its window's width and runs no script."""
    from slides.deck_to_html import slide_html

    return slide_html(deck, slide, theme, pictures, with_fonts=with_fonts)


def studio() -> AbstractContextManager[ScreenshotRenderer]:
    return cast(
        Callable[[], AbstractContextManager[ScreenshotRenderer]],
        import_module("slides.imaging.slide_browser").ScreenshotBrowser,
    )()
