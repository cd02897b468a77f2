"""Writes a deck as PPTX: editable, with native objects, on its own template. Other modules decide the positions."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from io import BytesIO

from pptx.presentation import Presentation

from slides.deck import DeckContent
from slides.pptx.fill_pptx_placeholders import Filling
from slides.pptx.pack_pptx import repack_archive
from slides.pptx.pptx_template import template
from slides.pptx.pptx_text import language_tag, one_line
from slides.theming.deck_themes import Theme

Progress = Callable[[float], None]
_UNDATED = datetime(2000, 1, 1, tzinfo=UTC)  # used without a date: the same deck has the same properties


def write_pptx(
    deck: DeckContent,
    theme: Theme,
    pictures: Mapping[str, bytes],
    tell: Progress = lambda _share: None,
    made_at: datetime | None = None,
) -> bytes:
    """Write the deck.

    `pictures` are keyed by the keys of the deck's images; a missing one is replaced by its description. `tell` is
    called with the share that is done, 0–1.
    """
    made = template(theme, pictures.get(theme.logo))
    _describe(made, deck, made_at or _UNDATED)
    layouts = {layout.name.lower(): layout for layout in made.slide_layouts}
    slides = [made.slides.add_slide(layouts[slide.layout.value]) for slide in deck.slides]
    listing = {
        source: at
        for slide, at in zip(deck.slides, slides, strict=True)
        if slide.is_sources
        for passage in slide.passages
        for source in passage.sources
    }
    for done, (slide, at) in enumerate(zip(deck.slides, slides, strict=True), 1):
        Filling(at, theme, deck, slide, pictures, listing).fill()
        tell(done / len(slides))
    written = BytesIO()
    made.save(written)
    return repack_archive(written.getvalue())


def _describe(made: Presentation, deck: DeckContent, made_at: datetime) -> None:
    properties = made.core_properties
    properties.title = one_line(deck.title)[:255]
    properties.language = language_tag(deck.language)
    properties.identifier = deck.report_url[:255]
    properties.author = properties.last_modified_by = "Plumbline"
    properties.created = properties.modified = made_at.astimezone(UTC).replace(tzinfo=None)
    properties.revision = 1
