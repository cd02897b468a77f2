"""Writes a deck as one HTML file that works offline and is readable without scripts.

Scripts show one slide at a time (keys, overview, notes), and Chart.js replaces the SVG of charts. Equal decks, themes
and pictures give equal bytes.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import override

from slides.deck import DeckContent, Layout, Slide, SlideChart, SlideHalf, SlidePassage
from slides.drawing import svg_of
from slides.drawing.slide_chart_svg import format_quantity
from slides.fitting.measure_slide_text import lines
from slides.fitting.slide_emphasis import is_large
from slides.slide_forest_plot_data import intervals_of, kind_of
from slides.slide_layouts import SHAPES
from slides.speaker_notes import alt_of, notes_of, source_line
from slides.theming.deck_style_sheet import style_sheet
from slides.theming.deck_themes import Theme

Pictures = Mapping[str, bytes]
_BETWEEN_TAGS = re.compile(r">\s*\n\s*(?=<)")
_SIGNATURES = (
    (b"\x89PNG", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
)
_AIRY = 7  # maximum number of lines that leaves room for larger gaps
_ENDS_SCRIPT = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026"}


@dataclass(frozen=True, slots=True)
class SlideContext:
    """The template context of a slide, besides the slide itself."""

    shapes: tuple[int, ...]
    foot: str
    notes: tuple[str, ...]
    sides: tuple[tuple[str, SlideHalf], ...]
    picture: str  # a data URL of the picture; empty if there is none
    alt: str  # its text alternative
    logo: str
    drawing: SafeString
    caption: SlidePassage | None
    rows: tuple[tuple[str, tuple[str, ...]], ...]  # of the table behind a chart
    listed: tuple[
        tuple[SlidePassage, str], ...
    ]  # references of a slide of sources, each with its original's URL
    is_airy: bool  # whether there is room for larger gaps between its passages
    is_large: bool  # whether it has so few words that they are set larger


def write_html(deck: DeckContent, theme: Theme, pictures: Pictures) -> bytes:
    """Return UTF-8. `pictures` are keyed as in slides and theme; a missing one is replaced by its description."""
    with override(deck.language):
        shown = [_build_slide_context(deck, slide, theme, pictures) for slide in deck.slides]
        slides = list(zip(deck.slides, shown, strict=True))
        styles = style_sheet(theme, _letters(deck, shown), parts=("deck", "show"))
        charts = _charts(deck.slides)
        scripts = [*([_chart_js()] if charts and _chart_js() else []), _script("show")]
        page = render_to_string(
            "slides/deck.html",
            {
                "deck": deck,
                "slides": slides,
                "styles": _safe(styles),
                "charts": _safe(charts),
                "scripts": [_safe(script) for script in scripts],
                "policy": _policy(styles, scripts),
            },
        )
    return _normalize_whitespace(page).encode()


def slide_html(
    deck: DeckContent, slide: Slide, theme: Theme, pictures: Pictures, *, with_fonts: bool = True
) -> str:
    """Return one slide as a page that is as wide as its window, without scripts.

    Without embedded fonts, a preview is small and uses the fonts of the reader's machine.
    """
    with override(deck.language):
        shown = _build_slide_context(deck, slide, theme, pictures)
        styles = style_sheet(theme, _letters(deck, [shown]), with_fonts=with_fonts, parts=("deck", "alone"))
        context = {
            "deck": deck,
            "slide": slide,
            "shown": shown,
            "styles": _safe(styles),
            "policy": _policy(styles, ()),
        }
        return _normalize_whitespace(render_to_string("slides/one.html", context))


def _normalize_whitespace(page: str) -> str:
    return _BETWEEN_TAGS.sub(">\n", page.strip()) + "\n"


def _safe(text: str) -> SafeString:
    return mark_safe(text)  # noqa: S308 - our own files and colours, and JSON without angle brackets


def _build_slide_context(deck: DeckContent, slide: Slide, theme: Theme, pictures: Pictures) -> SlideContext:
    chart = slide.chart if slide.layout == Layout.CHART else None
    return SlideContext(
        shapes=tuple(range(1, len(SHAPES[slide.layout]) + 1)),
        foot=source_line(deck, slide),
        notes=notes_of(deck, slide),
        sides=tuple(zip(("left", "right"), slide.sides, strict=False)),
        picture=_address(pictures.get(slide.image.key)) if slide.image else "",
        alt=alt_of(slide.image) if slide.image else "",
        logo=_address(pictures.get(theme.logo)) if theme.logo else "",
        drawing=_safe(svg_of(chart) if chart else ""),
        caption=SlidePassage(slide.caption, sources=chart.sources) if chart else None,
        rows=_rows(chart) if chart else (),
        listed=tuple(_list_source_links(deck, slide)) if slide.is_sources else (),
        is_airy=lines(passage.text for passage in slide.passages) <= _AIRY,
        is_large=is_large(slide),
    )


def _rows(chart: SlideChart) -> tuple[tuple[str, tuple[str, ...]], ...]:
    def figures(place: int) -> tuple[str, ...]:
        values = [
            dataset.values[place] if place < len(dataset.values) else None for dataset in chart.datasets
        ]
        return tuple("–" if value is None else format_quantity(value, chart.unit) for value in values)

    return tuple((label, figures(place)) for place, label in enumerate(chart.labels))


def _list_source_links(deck: DeckContent, slide: Slide) -> Iterator[tuple[SlidePassage, str]]:
    addresses = {
        source.number: source.url for source in deck.sources if source.url.startswith(("https://", "http://"))
    }
    for passage in slide.passages:
        yield passage, addresses.get(passage.sources[0], "") if passage.sources else ""


def _address(picture: bytes | None) -> str:
    """Return the picture as a data URL; empty if the bytes are not a picture."""
    media_type = next((name for start, name in _SIGNATURES if picture and picture.startswith(start)), "")
    return f"data:{media_type};base64,{b64encode(picture).decode()}" if picture and media_type else ""


def _letters(deck: DeckContent, shown: Iterable[SlideContext]) -> str:
    """Return each letter on the slides once, so that the embedded fonts contain it."""
    drawn = (set(context.foot) | set(context.drawing) for context in shown)
    return "".join(sorted(deck.letters.union(*drawn)))


def _charts(slides: Sequence[Slide]) -> str:
    """Return the Chart.js configurations by element id, as JSON that cannot end a script; empty without charts."""
    found = {
        f"chart-{slide.number}": _config(slide.chart)
        for slide in slides
        if slide.layout == Layout.CHART and slide.chart and not intervals_of(slide.chart)
    }
    return json.dumps(found, ensure_ascii=False).translate(_ENDS_SCRIPT) if found else ""


def _config(chart: SlideChart) -> Mapping[str, object]:
    values = {value for dataset in chart.datasets for value in dataset.values if value is not None}
    return {
        "kind": kind_of(chart).value,
        "labels": chart.labels,
        "datasets": [{"label": dataset.label, "values": dataset.values} for dataset in chart.datasets],
        "said": {f"{value:.15g}": format_quantity(value, chart.unit) for value in sorted(values)},
    }


@cache
def _script(name: str) -> str:
    return (Path(settings.BASE_DIR) / "static" / "slides" / f"{name}.js").read_text(encoding="utf-8").strip()


@cache
def _chart_js() -> str:
    """Return the library; empty if its package is not installed, in which case charts remain SVG."""
    path = Path(settings.BASE_DIR) / "node_modules" / "chart.js" / "dist" / "chart.umd.min.js"
    return (
        path.read_text(encoding="utf-8").replace("//# sourceMappingURL", "// map").strip()
        if path.is_file()
        else ""
    )


def _policy(styles: str, scripts: Sequence[str]) -> str:
    """Return the content security policy: nothing is loaded; style sheet and scripts are allowed by their hashes."""
    known = " ".join(map(_hash, scripts)) or "'none'"
    return (
        f"default-src 'none'; style-src {_hash(styles)}; script-src {known}; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
