"""The benchmark measures as many slides as were asked for, numbered as in a deck."""

import pytest

from research.management.commands.bench_slides import resize_decks, time_writing
from slides.theming.deck_themes import BUILT_IN
from tests.slides.generated import deck, make_deck_content


@pytest.mark.parametrize("count", [1, 7, 16, 40])
def test_decks_are_repeated_or_cut_to_the_size_wanted(count):
    made = resize_decks([deck("all_layouts"), make_deck_content(1, 8)], count)
    assert sum(len(one.slides) for one in made) == count
    assert all([slide.number for slide in one.slides] == list(range(1, len(one.slides) + 1)) for one in made)


def test_what_is_timed_tells_its_size():
    took = time_writing(lambda decks, _theme: 1_500_000 * len(decks), [deck("all_layouts")], BUILT_IN[0])
    assert str(took).endswith("1.5 MB")
    assert took.cpu_s >= 0
