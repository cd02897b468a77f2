"""Kinds of study, groups and names that a question asks for, each told where no source has it."""

from datetime import date

import pytest

from citations.credibility.credibility_evidence_gaps import Coverage, gaps
from citations.dates.find_dates import parse_iso

TOLD = [
    ("Is there a randomised trial?", "We ran an RCT.", "a randomized trial"),
    ("Is there a systematic review?", "A metaanalysis.", "a meta-analysis or systematic review"),
    ("Is there a cohort?", "A longitudinal view.", "a cohort or longitudinal study"),
    ("Is there a case-control study?", "A case control design.", "a case-control study"),
    ("Are there polls?", "A survey.", "a survey"),
    ("Are there field studies?", "A field test.", "a field trial"),
    ("Was it shown in vitro?", "The lab said so.", "a laboratory test"),
    ("Are there benchmarks?", "The benchmarking went on.", "a benchmark"),
]


@pytest.mark.parametrize(("question", "text", "name"), TOLD)
def test_a_kind_of_study_is_known_by_its_names(question, text, name):
    [told] = gaps(question, ["An essay."])
    assert told.text == f"The question asks for {name}; no source mentions one."
    assert gaps(question, ["An essay.", text]) == ()


@pytest.mark.parametrize("word", ["patient", "therapies", "drugs", "efficacy", "disease", "vaccine"])
def test_a_medical_question_is_known_by_its_words(word):
    assert [each.code for each in gaps(f"What of the {word}?", [])] == ["G003", "G004"]
    assert [each.code for each in gaps(f"What of the {word}?", ["With placebo."])] == ["G004"]
    assert [each.code for each in gaps(f"What of the {word}?", ["Systematic reviews."])] == ["G003"]


def test_groups_and_names_are_told_once_each_in_order():
    question = "Do women, children and women of Zermatt use Argon2id in 2019, as Argon2id does?"
    assert [(each.code, each.text) for each in gaps(question, ["It is used."])] == [
        ("G005", "No source speaks of children, whom the question names."),
        ("G005", "No source speaks of women, whom the question names."),
        ("G006", "No source mentions “Zermatt”, which the question names."),
        ("G006", "No source mentions “Argon2id”, which the question names."),
        ("G006", "No source is of the time that the question names, “2019”."),
    ]
    assert gaps(question, ["Women and children", "in Zermatt use Argon2id in 2019."]) == ()


def test_a_name_that_a_source_mentions_outside_its_quotes_is_no_gap():
    assert (
        gaps("Does Zermatt use it?", ["It is used."], whole_texts=["https://a.example Zermatt uses it."])
        == ()
    )


def test_nouns_of_a_german_question_are_no_names():
    assert gaps("Welche Bilder passen zu einer Werbung?", ["Ruhige Farben."], language="de") == ()


def test_an_english_question_with_a_word_of_german_names_what_it_names():
    (found,) = gaps("What was decided in Zermatt?", ["It was decided."])
    assert found.text == "No source mentions “Zermatt”, which the question names."


@pytest.mark.parametrize(
    ("question", "published", "is_missing"),
    [
        (
            "What should one use in 2026?",
            "2019",
            False,
        ),  # this year, and what is to come: the newest there is
        ("What will one use in 2031?", "2019", False),
        ("What does the guide (2017) say?", "2017-06", False),
        ("What does the guide (2017) say?", "2019", True),
        ("What has changed since 2022?", "2024-03", False),
        ("What has changed since 2022?", "2020", True),
        ("What changed between 2018 and 2022?", "2020", False),
        ("What changed between 2018 and 2022?", "2023", True),
        ("What was said before 2010?", "2006", False),
        ("What was said before 2010?", "2016", True),
    ],
)
def test_a_time_of_the_question_is_met_by_a_source_of_that_time(question, published, is_missing):
    dates = [date_ for date_ in [parse_iso(published)] if date_ is not None]
    told = gaps(question, ["It is so."], published=dates, today=date(2026, 7, 1))
    assert [(each.code, each.severity) for each in told] == ([("G006", "medium")] if is_missing else [])


@pytest.mark.parametrize(
    ("claims", "sources", "codes"),
    [(0, 0, ["G001"]), (0, 5, ["G001"]), (1, 0, ["G002"]), (1, 1, ["G002"]), (1, 2, [])],
)
def test_a_subtopic_needs_a_claim_and_two_sources(claims, sources, codes):
    assert [each.code for each in gaps("Why?", [], [Coverage("use", claims, sources)])] == codes
