"""Text without its marks keeps the place of each of its characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.entailment.verbatim_claims import find_verbatim
from citations.text.quote_span import Span
from citations.text.strip_quote_markup import strip_marks


@given(st.text(alphabet="ab1 .,*_`[]()<>:\\~24é\n", max_size=80))
def test_strip_marks_maps_each_character_to_itself(text: str) -> None:
    unmarked = strip_marks(text)
    assert len(unmarked.text) == len(unmarked.offsets)
    assert [text[place] for place in unmarked.offsets] == list(unmarked.text)
    assert list(unmarked.offsets) == sorted(set(unmarked.offsets))


def test_find_verbatim_reads_over_the_number_of_a_note() -> None:
    passage = "It cannot be used without such a drive.24 If no disk can be made, write the password down."
    claim = "It cannot be used without such a drive. If no disk can be made, write the password down."
    found = find_verbatim(claim, passage)
    assert found is not None
    assert found.anchor.span == Span(0, len(passage) - 1)


def test_find_verbatim_reads_over_emphasis_and_links() -> None:
    passage = "- _Rationale:_ NIST and [OMB](https://omb.example) say that **frequent** changes are bad."
    assert find_verbatim("Rationale: NIST and OMB say that frequent changes are bad.", passage)


def test_strip_marks_keeps_figures_and_identifiers() -> None:
    kept = "It grew by 3.24 to 1,024 at 2**16 in snake_case_name (see [Smith 2020]); ratio:5 of rows[3]."
    assert strip_marks(kept).text == kept


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The key has a length of 216 bits in all.", "The key has a length of 2**16 bits in all."),
        ("Retry the call rows[5] before it is given up.", "Retry the call rows[3] before it is given up."),
        (
            "The ratio of salt to water is ratio:6 by weight.",
            "The ratio of salt to water is ratio:5 by weight.",
        ),
        ("Such a drive holds data.25 Do not use it.", "Such a drive holds data.24 Do not use it."),
    ],
)
def test_find_verbatim_takes_no_figure_for_a_mark(claim: str, passage: str) -> None:
    assert find_verbatim(claim, passage) is None
