"""A frozen text as paragraphs: nothing lost, every passage marked."""

from hypothesis import given
from hypothesis import strategies as st

from exports.document.document_marked_text import Mark, Piece
from research.web.report.frozen_text_view import (
    CitedPassages,
    CitedSpan,
    TextRegion,
    build_paragraph_groups,
    parts,
    place_of,
    stretches,
)
from research.web.templatetags.frozen_text_tags import frozen_groups

TEXT = "Title\n\nOne two three. Four five.\n\n3"
BLOCKS = [
    {"start": 0, "end": 5, "kind": "heading", "level": 1, "page": 1},
    {"start": 7, "end": 32, "kind": "paragraph", "level": None, "page": 1},
]

LAID = [
    {"start": 0, "end": 5, "kind": "heading", "level": 1, "page": None},
    {"start": 7, "end": 27, "kind": "paragraph", "level": None, "page": None},
]


def segments(passages, current=None):
    groups = build_paragraph_groups(TEXT, stretches(TEXT, BLOCKS), CitedPassages(passages, current))
    return [
        (p.text, p.is_marked, p.is_current)
        for group in groups
        for paragraph in group.paragraphs
        for p in paragraph.segments
    ]


def test_text_between_blocks_is_kept_as_outside():
    assert [s.kind for s in stretches(TEXT, BLOCKS)] == ["heading", "paragraph", "outside"]


def test_a_text_without_blocks_is_shown_whole():
    assert stretches(TEXT, []) == [TextRegion(0, len(TEXT), "outside")]


def test_overlapping_passages_are_marked_piece_by_piece():
    one, two = CitedSpan("a", 7, 14), CitedSpan("b", 11, 20)
    assert segments([one, two], two)[1:5] == [
        ("One ", True, False),
        ("two", True, True),
        (" three", True, True),
        (". Four five.", False, False),
    ]


def test_the_passage_asked_for_shows_what_it_shares_with_its_claim():
    current = CitedSpan("a", 7, 20)
    cited = CitedPassages(
        [current, CitedSpan("b", 22, 26)], current, [Mark(11, 14, "matched"), Mark(15, 30, "missing")]
    )
    groups = build_paragraph_groups(TEXT, stretches(TEXT, BLOCKS), cited)
    pieces = [segment.pieces for group in groups for row in group.paragraphs for segment in row.segments]
    assert pieces[1] == (Piece("One "), Piece("two", "matched"), Piece(" "), Piece("three", "missing"))
    assert not any(pieces[2:])


def test_a_passage_over_two_blocks_is_marked_in_both():
    assert [text for text, is_marked, _ in segments([CitedSpan("a", 2, 10)]) if is_marked] == ["tle", "One"]


def test_headings_step_down_one_level_at_a_time():
    found = [TextRegion(n, n + 1, "heading", level) for n, level in enumerate((3, 6, 1, 2))]
    groups = build_paragraph_groups("abcd", found, CitedPassages())
    assert [paragraph.level for paragraph in groups[0].paragraphs] == [2, 3, 2, 3]


def test_a_new_page_is_named_once():
    found = [TextRegion(n, n + 1, "paragraph", None, page) for n, page in enumerate((1, 1, 2, 2))]
    groups = build_paragraph_groups("abcd", found, CitedPassages())
    assert [paragraph.page for paragraph in groups[0].paragraphs] == [1, None, 2, None]


def test_long_texts_come_in_parts_and_a_passage_is_found_in_its_part():
    found = [TextRegion(n * 10, n * 10 + 10, "paragraph") for n in range(10)]
    cut = parts(found, length=30)
    assert [len(part) for part in cut] == [3, 3, 3, 1]
    assert place_of(CitedSpan("a", 45, 50), cut) == 1
    assert place_of(CitedSpan("a", 0, 5), cut) == 0


def test_an_empty_text_has_one_empty_part():
    assert parts([]) == [()]


@st.composite
def texts(draw):
    """A text, blocks in it that never overlap, and passages anywhere."""
    text = draw(st.text(alphabet="ab \n😀é", min_size=1, max_size=60))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    blocks = [
        {"start": start, "end": end, "kind": "paragraph", "level": None, "page": None}
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
        if start < end
    ]
    spans = draw(st.lists(st.tuples(st.integers(0, len(text)), st.integers(1, 20)), max_size=5))
    passages = [CitedSpan(str(n), s, min(s + length, len(text))) for n, (s, length) in enumerate(spans)]
    return text, blocks, [passage for passage in passages if passage.start < passage.end]


@given(texts())
def test_no_visible_character_is_lost_or_doubled(given_text):
    text, blocks, passages = given_text
    groups = build_paragraph_groups(text, stretches(text, blocks), CitedPassages(passages))
    shown = "".join(p.text for group in groups for paragraph in group.paragraphs for p in paragraph.segments)
    assert shown.split() == text.split() or "".join(shown.split()) == "".join(text.split())


@given(texts())
def test_what_is_marked_is_exactly_what_passages_cover(given_text):
    text, blocks, passages = given_text
    covered = {n for p in passages for n in range(p.start, p.end)}
    position = 0
    for stretch, paragraph in _by_stretch(text, blocks, passages):
        position = stretch.start
        for segment in paragraph.segments:
            inside = set(range(position, position + len(segment.text)))
            assert inside <= covered if segment.is_marked else not inside & covered
            position += len(segment.text)


def _by_stretch(text, blocks, passages):
    found = stretches(text, blocks)
    paragraphs = [
        paragraph
        for group in build_paragraph_groups(text, found, CitedPassages(passages))
        for paragraph in group.paragraphs
    ]
    return zip(found, paragraphs, strict=True)


def test_an_item_that_brings_its_bullet_along_needs_no_other():
    text = "• Oil fell.\n- Gas rose.\nWood stayed."
    blocks = [
        {"start": start, "end": end, "kind": "list", "level": 1, "page": 1}
        for start, end in ((0, 11), (12, 23), (24, 36))
    ]
    cited = CitedPassages((CitedSpan("oil", 2, 11),))
    (group,) = build_paragraph_groups(text, stretches(text, blocks), cited)
    assert [paragraph.has_own_mark for paragraph in group.paragraphs] == [True, True, False]


def test_words_of_a_saved_text_are_no_markup_and_passages_stand_out():
    cited = CitedSpan("passage-1", 7, 21)
    text = "A <b>\n\nOne two three. Four."
    groups = build_paragraph_groups(text, stretches(text, LAID), CitedPassages([cited], cited))
    drawn = frozen_groups(groups, is_pane=False)
    assert '<div role="heading" aria-level="2" class="heading level-2" dir="auto">' in drawn
    assert "A &lt;b&gt;</div>" in drawn
    assert '<mark id="passage-1" class="current">One two three.</mark> Four.</p>' in drawn


def test_in_the_pane_headings_are_a_level_deeper_and_look_the_same():
    drawn = frozen_groups(
        build_paragraph_groups(TEXT, stretches(TEXT, BLOCKS), CitedPassages()), is_pane=True
    )
    assert 'aria-level="3" class="heading level-2"' in drawn
