"""The bench of grounding, small: that it runs and measures what it says. No time is asserted."""

import random
from io import StringIO

from django.core.management import call_command

from citations.anchoring import AnchorMatchType, anchor
from research.evaluation.evaluation_grounding_speed import (
    claims_with_passages,
    sentence,
    text,
    time_anchoring,
)


def test_the_same_text_is_made_every_time():
    assert text(random.Random(5), 2_000) == text(random.Random(5), 2_000)


def test_passages_have_the_length_that_is_reported():
    lengths = [len(passage) for _, passage in claims_with_passages(30)]
    assert min(lengths) >= 1_000
    assert max(lengths) < 1_200


def test_every_third_claim_stands_in_its_passage():
    pairs = list(claims_with_passages(30))
    assert all(anchor(claim.rstrip("."), passage) is not None for claim, passage in pairs[::3])
    assert not any(claim in passage for claim, passage in pairs[2::3])


def test_a_sentence_has_a_figure_and_a_year():
    assert sum(map(str.isdigit, sentence(random.Random(1)))) >= 5


def test_each_kind_of_quote_is_measured_as_what_it_is():
    names = [time.quote for time in time_anchoring(20_000)]
    assert names == ["exact", *(kind.value for kind in AnchorMatchType if kind != "exact"), "absent"]


def test_the_command_prints_its_figures():
    out = StringIO()
    call_command(
        "bench_grounding", "--verifications", "6", "--claims", "40", "--characters", "20000", stdout=out
    )
    lines = out.getvalue().splitlines()
    assert lines[0].startswith("verification: ")
    assert lines[1].startswith("grouping: 40 claims in ")
    assert len(lines) == 8
