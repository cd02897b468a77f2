"""Decks as hypothesis draws them: any layout, any text, far over budget and far below."""

from hypothesis import strategies as st

from slides.deck import ChartKind, Dataset, DeckContent, Layout, Slide, SlideChart, SlideHalf, SlidePassage

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=24)
COMMON = st.sampled_from(
    ["heat", "pumps", "42", "percent", "cold.", "sites,", "Wärmepumpen", "熱泵在零下仍能工作", "W" * 90]
)


def texts(most: int) -> st.SearchStrategy[str]:
    return st.lists(st.one_of(COMMON, COMMON, WORDS), max_size=most).map(" ".join)


PASSAGES = st.builds(
    SlidePassage,
    text=st.one_of(texts(8), texts(30), texts(90)),
    claim=st.none() | st.integers(1, 40),
    sources=st.lists(st.integers(1, 30), max_size=3).map(tuple),
)
LISTS = st.lists(PASSAGES, max_size=7).map(tuple)
SIDES = st.lists(st.builds(SlideHalf, heading=texts(7), passages=LISTS), max_size=3).map(tuple)


@st.composite
def charts(draw: st.DrawFn) -> SlideChart:
    labels = tuple(draw(st.lists(texts(3), max_size=30)))
    value = st.none() | st.integers(-9, 99).map(float)
    datasets = [
        Dataset(f"S{index}", tuple(draw(value) for _ in labels), tuple(range(len(labels))))
        for index in range(draw(st.integers(0, 7)))
    ]
    return SlideChart(draw(st.sampled_from(ChartKind)), labels, tuple(datasets))


SLIDES = st.builds(
    Slide,
    number=st.just(1),
    title=texts(16),
    layout=st.sampled_from(Layout),
    subtitle=texts(16),
    passages=LISTS,
    sides=SIDES,
    attribution=texts(16),
    caption=texts(16),
    chart=st.none() | charts(),
    notes=texts(5),
    is_sources=st.booleans(),
)
DECKS = st.builds(DeckContent, title=texts(12), slides=st.lists(SLIDES, max_size=5).map(tuple))
