"""Decks made by code, within the budgets of the layouts, and the same whenever they are made.

`deck(name)` makes one of `NAMES`; `make_deck_content(seed, count)` a deck of that many slides in all layouts.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from io import BytesIO
from random import Random

from PIL import Image, ImageDraw

from slides.deck import (
    ChartKind,
    Dataset,
    DeckClaim,
    DeckContent,
    DeckSource,
    Layout,
    Slide,
    SlideChart,
    SlideHalf,
    SlideImage,
    SlidePassage,
)

WORDS: Mapping[str, tuple[str, ...]] = {
    "en": tuple(
        "heat pumps held their output in January at nine of eleven sites while electricity demand rose by "
        "less than the models had assumed and backup heating was needed on three nights only which surprised "
        "most operators".split()
    ),
    "de": tuple(
        "Wärmepumpen hielten ihre Leistung im Januar an neun von elf Standorten während der Strombedarf "
        "weniger stieg als die Wirtschaftlichkeitsberechnungen der Energieversorgungsunternehmen angenommen "
        "hatten".split()
    ),
}
PICTURE = "picture"
CLAIMS, SOURCES = 24, 9


def pictures() -> dict[str, bytes]:
    """Return the images that all these decks name."""
    return {PICTURE: _draw_picture()}


@cache
def _draw_picture() -> bytes:
    image = Image.new("RGB", (640, 400), "#dfe7ee")
    drawing = ImageDraw.Draw(image)
    for place in range(8):
        drawing.rectangle(
            (40 + place * 70, 360 - place * 38, 90 + place * 70, 360), fill=(30, 90 + place * 15, 160)
        )
    written = BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


class Maker:
    """Draws slides that stay within the budgets."""

    def __init__(self, seed: int, language: str = "en") -> None:
        self.random = Random(seed)
        self.words = WORDS[language]
        self.language = language

    def text(self, least: int, most: int, longest: int = 0) -> str:
        """A sentence of that many words, at most so many characters."""
        count = self.random.randint(least, most)
        start = self.random.randrange(len(self.words))
        words = [self.words[(start + place) % len(self.words)] for place in range(count)]
        while longest and len(" ".join(words)) > longest and len(words) > 1:
            words.pop()
        return " ".join(words).capitalize()

    def passage(self, least: int, most: int) -> SlidePassage:
        claim = self.random.randint(1, CLAIMS)
        return SlidePassage(
            self.text(least, most), claim, tuple(number for number, _ in claims()[claim - 1].quotes)
        )

    def side(self, count: int, words: int) -> SlideHalf:
        return SlideHalf(self.text(1, 3, 28), tuple(self.passage(4, words) for _ in range(count)))

    def chart(self, kind: ChartKind | None = None) -> SlideChart:
        kind = kind or self.random.choice(list(ChartKind))
        is_round = kind in (ChartKind.PIE, ChartKind.DOUGHNUT)
        labels = tuple(str(2018 + place) for place in range(self.random.randint(2, 6)))
        least = 1 if is_round else -20
        datasets = tuple(
            Dataset(
                name,
                tuple(
                    None if self.random.random() < 0.1 else self.random.randint(least, 90) / 2 for _ in labels
                ),
                tuple(self.random.randint(1, CLAIMS) for _ in labels),
            )
            for name in ("Oil", "Gas", "Heat pumps")[: 1 if is_round else self.random.randint(1, 3)]
        )
        return SlideChart(kind, labels, datasets, "TWh", "How demand changed from year to year", (1, 2))

    def slide(self, number: int, layout: Layout) -> Slide:
        slide = Slide(number, self.text(4, 9, 60), layout, notes=self.text(5, 30))
        return replace(slide, **_PARTS[layout](self))


_PARTS: Mapping[Layout, Callable[[Maker], dict[str, object]]] = {
    Layout.TITLE: lambda make: {"subtitle": make.text(4, 12)},
    Layout.CONTENT: lambda make: {"passages": (make.passage(20, 30), make.passage(10, 30))},
    Layout.BULLETS: lambda make: {
        "passages": tuple(make.passage(5, 12) for _ in range(make.random.randint(2, 5)))
    },
    Layout.SPLIT: lambda make: {"sides": (make.side(2, 15), make.side(2, 15))},
    Layout.IMAGE: lambda make: {"image": SlideImage(PICTURE, make.text(3, 9)), "caption": make.text(3, 14)},
    Layout.CHART: lambda make: {"chart": make.chart(), "caption": make.text(3, 14)},
    Layout.QUOTE: lambda make: {"passages": (make.passage(20, 40),), "attribution": make.text(2, 6)},
    Layout.COMPARISON: lambda make: {"sides": (make.side(3, 10), make.side(2, 10))},
}


@cache
def claims() -> tuple[DeckClaim, ...]:
    make = Maker(1)
    return tuple(
        DeckClaim(
            number,
            make.text(8, 16) + ".",
            ("strong", "moderate", "limited")[number % 3],
            0.4 + (number % 6) / 10,
            tuple((1 + (number + place) % SOURCES, make.text(6, 20)) for place in range(1 + number % 2)),
            is_disputed=number % 7 == 0,
        )
        for number in range(1, CLAIMS + 1)
    )


@cache
def sources() -> tuple[DeckSource, ...]:
    return tuple(
        DeckSource(
            number,
            f"Author {number} ({2010 + number}). Field study {number}: heat pumps in the cold. Journal of Heating.",
            "" if number == SOURCES else f"https://example.org/study/{number}?a=1&b=2",
        )
        for number in range(1, SOURCES + 1)
    )


def make_deck_content(seed: int, count: int, language: str = "en") -> DeckContent:
    """A title, then the layouts in turn."""
    make = Maker(seed, language)
    layouts = list(Layout)
    made = tuple(make.slide(number, layouts[(number - 1) % len(layouts)]) for number in range(1, count + 1))
    return DeckContent(make.text(4, 9, 60), made, sources(), claims(), language)


def _sources() -> DeckContent:
    listed = tuple(SlidePassage(source.reference, sources=(source.number,)) for source in sources()[-4:])
    stated = Slide(1, "A claim", Layout.BULLETS, passages=(SlidePassage("It says so", 1, (2, SOURCES)),))
    last = Slide(2, "Sources", Layout.CONTENT, passages=listed, is_sources=True, part=(1, 2))
    return DeckContent("Sources at the end", (stated, last), sources(), claims())


def _make_text_deck(
    passages: tuple[str, ...], layout: Layout = Layout.BULLETS, language: str = "en"
) -> DeckContent:
    stated = tuple(SlidePassage(text, place + 1, (1,)) for place, text in enumerate(passages))
    return DeckContent(
        passages[0][:60],
        (Slide(1, passages[0][:60], layout, passages=stated),),
        sources(),
        claims(),
        language,
    )


def _of_charts() -> DeckContent:
    make = Maker(7)
    kinds = [
        Slide(place, f"A {kind} chart", Layout.CHART, chart=make.chart(kind))
        for place, kind in enumerate(ChartKind, 1)
    ]
    odd = (
        SlideChart(ChartKind.BAR, ("Below", "Missing", "Zero"), (Dataset("A", (-4.5, None, 0)),), "°C"),
        SlideChart(ChartKind.LINE, ("Only",), (Dataset("A", (None,)), Dataset("B", (2,)))),
        SlideChart(
            ChartKind.PIE, tuple(f"Part {one}" for one in range(9)), (Dataset("A", tuple(range(1, 10))),)
        ),
        SlideChart(ChartKind.BAR, ("=1+1", "<b>&\x00", "A" * 90), (Dataset('"quoted"', (1, 1e12, 1e-6)),)),
        SlideChart(ChartKind.BAR, (), ()),
    )
    odds = [
        Slide(place, "An odd chart", Layout.CHART, chart=chart)
        for place, chart in enumerate(odd, len(kinds) + 1)
    ]
    return DeckContent("Charts", (*kinds, *odds), sources(), claims())


def _hostile() -> DeckContent:
    text = 'Ends "]]>" & <script>alert(1)</script> ‮\x00\x0b\ufffe =HYPERLINK("x")\nnext line'
    bad = DeckSource(1, text, 'https://example.org/"onclick=x&<y>')
    shown = Slide(
        1, text, Layout.SPLIT, sides=(SlideHalf(text, (SlidePassage(text, 1, (1, 9)),)),), notes=text
    )
    pictured = Slide(2, "", Layout.IMAGE, image=SlideImage("lost", text), caption="")
    return DeckContent(
        text, (shown, pictured), (bad, sources()[-1]), (replace(claims()[0], text=text),), "xx"
    )


def _no_claims() -> DeckContent:
    return DeckContent(
        "Nothing", (Slide(1, "Nothing", Layout.CONTENT, passages=(SlidePassage("No source says."),)),)
    )


def _cjk() -> DeckContent:
    korean = "히트 펌프는 작동한다"
    return _make_text_deck(
        ("热泵在零下十五度时仍能保持其输出功率" * 2, "ヒートポンプは氷点下でも動作する", korean),
        language="zh",
    )


def _right_to_left() -> DeckContent:
    return _make_text_deck(("مضخات الحرارة تعمل تحت الصفر", "משאבות חום פועלות מתחת לאפס 15"), language="ar")


_MAKERS: Mapping[str, Callable[[], DeckContent]] = {
    "all_layouts": lambda: make_deck_content(3, 2 * len(Layout)),
    "german": lambda: make_deck_content(5, len(Layout), "de"),
    "one_slide": lambda: make_deck_content(1, 1),
    "no_claims": _no_claims,
    "long_words": lambda: _make_text_deck(
        ("Donaudampfschifffahrtsgesellschaftskapitän" * 3, "https://" + "a" * 120)
    ),
    "cjk": _cjk,
    "right_to_left": _right_to_left,
    "emoji": lambda: _make_text_deck(
        ("Warm 🔥 and cold 🧊 in a house 👩‍👩‍👧‍👦", "🇨🇭 ✓ → ½ ≥ 15 °C"), Layout.CONTENT
    ),
    "charts": _of_charts,
    "sources": _sources,
    "hostile": _hostile,
}
NAMES = tuple(_MAKERS)


@cache
def deck(name: str) -> DeckContent:
    """Raises KeyError for a name that is none of `NAMES`."""
    return _MAKERS[name]()
