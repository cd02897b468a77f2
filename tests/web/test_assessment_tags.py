"""The parts of a source's scores, in the reader's language."""

import lxml.html
from django.utils import translation

from exports.document.document_tree import AssessmentEntry, ScorePartEntry
from research.web.templatetags.assessment_tags import why

FOUND = AssessmentEntry(
    day="2026-11-25",
    reason="a <b>journal</b>",
    quality=0.8,
    authority=0.75,
    credibility=7,
    quality_parts=(ScorePartEntry("authority", 0.75, 0.4), ScorePartEntry("recency", None, 0.2)),
    authority_parts=(
        ScorePartEntry("tier", 0.2, 1.0),
        ScorePartEntry("author", 0.0, 1.0),
        ScorePartEntry("recency", -0.05, 1.0),
    ),
    credibility_parts=(ScorePartEntry("author", 2.0, 1.0), ScorePartEntry("date", 1.5, 1.0)),
)


def lines(found: AssessmentEntry) -> list[str]:
    drawn = lxml.html.fromstring(why(found))
    return [" ".join(one.text_content().split()) for one in drawn.iter("dt", "dd")]


def test_each_part_is_told_with_its_weight_and_what_is_not_known_counts_nothing():
    told = lines(FOUND)
    assert "75% × 40%" in told
    assert "unknown, not counted" in told


def test_authority_is_told_as_the_sum_that_it_is():
    (sum_,) = [line for line in lines(FOUND) if line.startswith("0.50")]
    assert "+0.20" in sum_
    assert "-0.05" in sum_
    assert sum_.count("0.") == 3  # what adds nothing is not told


def test_words_of_a_source_are_no_markup():
    assert "a &lt;b&gt;journal&lt;/b&gt;" in why(FOUND)


def test_whoever_was_not_checked_has_no_credibility():
    unchecked = AssessmentEntry(
        **{name: getattr(FOUND, name) for name in FOUND.__slots__} | {"credibility_parts": ()}
    )
    assert any(line.startswith("Credibility 7/10") for line in lines(FOUND))
    assert not any(line.startswith("Credibility") for line in lines(unchecked))


def test_german_readers_get_german_figures_and_words():
    with translation.override("de"):
        told = lines(FOUND)
    assert "75 % × 40 %" in [one.replace("\xa0", " ") for one in told]
    assert any(one.startswith("0,50") for one in told)
    assert "Judged" not in told
