"""Flags of a sentence: each with a case that raises it and cases that must not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.credibility.claim_red_flags import (
    Flag,
    RedFlag,
    find_unbalanced_shares,
    red_flags,
    truncate_text,
)

NASTY = st.text(max_size=200) | st.text("“”\"'’ 50%will the onlybest.\ud800\u200f٣", max_size=120)


def kinds(claim: str, *passages: str) -> list[Flag]:
    return [flag.kind for flag in red_flags(claim, passages)]


def test_a_figure_without_a_source_is_flagged():
    [flag] = red_flags("12 % of users reuse their password.", [])
    assert (flag.kind, flag.text) == (Flag.STATISTIC, "12 %")
    assert flag.suggested_fix


def test_a_figure_with_a_source_is_not():
    assert kinds("12 % of users reuse it.", "12 % of users reuse it.") == []


SAID = "We never store any password of yours here"


@pytest.mark.parametrize("passage", ["", f"The director wrote: “{SAID}.”", "Nothing of the kind."])
def test_a_quotation_that_names_nobody_is_flagged(passage):
    assert kinds(f"“{SAID}” is the motto.", *filter(None, [passage])) == [Flag.QUOTE]


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        (f"“{SAID}”, said the director.", ""),
        (f"According to the director, “{SAID}”.", ""),
        (f"“{SAID}” is the motto.", f"{SAID}, as everybody knows."),  # the cited source's own words
        ("The “Digital Identity Guidelines and Authentication Levels” apply.", ""),  # a title
        ('The "99 %" of one page and the words that follow are not "quoted" here.', "99 %"),
        ("The so-called “formal trust architecture model” applies.", ""),  # a term
    ],
)
def test_a_quotation_with_a_speaker_and_a_title_or_term_are_not(claim, passage):
    assert kinds(claim, *filter(None, [passage])) == []


@pytest.mark.parametrize(
    ("claim", "word"),
    [
        ("Argon2id is the best algorithm.", "best"),
        ("It is the only method that works.", "only"),
        ("Nordhaus is the largest town of the district.", "largest"),
        ("This is the most secure setting.", "most secure"),
        ("It was the country’s first station.", "first"),
    ],
)
def test_a_superlative_that_nothing_shows_is_flagged(claim, word):
    [flag] = red_flags(claim, [])
    assert (flag.kind, flag.text) == (Flag.SUPERLATIVE, word)
    assert kinds(claim, "A sentence about something else.") == [Flag.SUPERLATIVE]


def test_a_superlative_that_the_source_uses_is_not():
    assert kinds("Argon2id is the best algorithm.", "Of all we tried, Argon2id was the best.") == []
    assert kinds("Nordhaus is the largest town.", "The biggest town is Nordhaus.") == []


@pytest.mark.parametrize(
    "claim",
    [
        "At best it is a step.",
        "Best practices are listed below.",
        "Follow the rules only when asked.",
        "The first time a user signs in, a token is made.",
        "The rest of the forest is of interest.",
        "Most of the users agreed.",
    ],
)
def test_words_that_only_look_like_superlatives_are_not(claim):
    assert kinds(claim) == []


@pytest.mark.parametrize(
    ("claim", "passages"),
    [
        ("Passwords will disappear.", []),
        ("By 2035 the market will be twice as large.", ["By 2035 the market will be twice as large."]),
        ("Sales will double.", ["Analysts expect sales to double."]),
        ("The coast won’t be habitable in the future.", ["The coast won’t be habitable in the future."]),
    ],
)
def test_a_prediction_stated_as_a_fact_is_flagged(claim, passages):
    assert Flag.PREDICTION in kinds(claim, *passages)


@pytest.mark.parametrize(
    ("claim", "passages"),
    [
        ("The server will answer with 404.", ["The server will answer with 404."]),
        ("The agency expects that sales will double next year.", []),
        ("According to critics, sales will fall soon.", []),
        ("Sales will probably fall soon.", []),
        ("The will of the people counts.", ["The will of the people counts."]),
    ],
)
def test_behaviour_and_expectations_are_not(claim, passages):
    assert kinds(claim, *passages) == []


WHOLE = "Of users, 50 % chose A, 30 % chose B, and the remaining 30 % chose C."


def test_shares_of_one_whole_must_add_up():
    [flag] = find_unbalanced_shares([WHOLE])
    assert (flag.kind, "110 %" in flag.explanation) == (Flag.SHARES, True)
    assert find_unbalanced_shares([WHOLE.replace("30 % chose C", "20 % chose C")]) == ()


def test_shares_are_added_over_the_sentences_of_a_paragraph():
    parts = ["Solar gave 40 % of the power.", "Wind gave 30 %.", "The remaining 40 % came from gas."]
    assert [flag.kind for flag in find_unbalanced_shares(parts)] == [Flag.SHARES]
    assert find_unbalanced_shares([*parts[:2], "The remaining 30 % came from gas."]) == ()


def test_a_sentence_between_ends_the_whole():
    parts = ["Solar gave 40 % of the power.", "Wind gave 30 %.", "So it went.", "The remaining 40 % was gas."]
    assert find_unbalanced_shares(parts) == ()


@pytest.mark.parametrize(
    "text",
    [
        "It rose by 5 % in May, by 6 % in June and by 7 % in July.",
        "40 % like A and the rest does not.",
        "33 % took A, 33 % took B and the remaining 33 % took C.",  # rounded
    ],
)
def test_changes_pairs_and_rounding_are_no_fault(text):
    assert find_unbalanced_shares([text]) == ()


@pytest.mark.parametrize(
    ("claim", "passages", "expected"),
    [
        (
            "12 % of users and 40 banks reuse it.",
            [],
            [
                RedFlag(
                    Flag.STATISTIC,
                    "12 %",
                    "The figure “12 %” has no source.",
                    "Cite its source, or leave it out.",
                )
            ],
        ),
        ("He came third.", [], []),
        (
            "“We never store any password of yours here” is the motto.",
            [],
            [
                RedFlag(
                    Flag.QUOTE,
                    "We never store any password of yours here",
                    "“We never store any password of yours here” is quoted without naming the speaker.",
                    "Name who said it.",
                )
            ],
        ),
        (
            "“We never store any password of yours here” is the motto.",
            ["As was said: “We never store any password of yours here”."],
            [
                RedFlag(
                    Flag.QUOTE,
                    "We never store any password of yours here",
                    "“We never store any password of yours here” is quoted without naming the speaker.",
                    "Name who said it.",
                )
            ],
        ),
        ("“We Never Store Any password of yours” is it.", [], []),
        ("“We Never Store Any password” is it.", [], []),
        (
            "“We never store passwords anywhere” is it.",
            [],
            [
                RedFlag(
                    Flag.QUOTE,
                    "We never store passwords anywhere",
                    "“We never store passwords anywhere” is quoted without naming the speaker.",
                    "Name who said it.",
                )
            ],
        ),
        ("“We never-ever store passwords” is it.", [], []),
        (
            '"We never store any password of yours here" is it.',
            [],
            [
                RedFlag(
                    Flag.QUOTE,
                    "We never store any password of yours here",
                    "“We never store any password of yours here” is quoted without naming the speaker.",
                    "Name who said it.",
                )
            ],
        ),
        (
            "It is the best of the largest and the only one.",
            ["the biggest"],
            [
                RedFlag(
                    Flag.SUPERLATIVE,
                    "best",
                    "The source does not say “best”.",
                    "Cite the comparison, or say less.",
                ),
                RedFlag(
                    Flag.SUPERLATIVE,
                    "only",
                    "The source does not say “only”.",
                    "Cite the comparison, or say less.",
                ),
            ],
        ),
        (
            "It is the best of the largest.",
            [],
            [
                RedFlag(
                    Flag.SUPERLATIVE, "best", "Nothing shows “best”.", "Cite the comparison, or say less."
                ),
                RedFlag(
                    Flag.SUPERLATIVE,
                    "largest",
                    "Nothing shows “largest”.",
                    "Cite the comparison, or say less.",
                ),
            ],
        ),
        (
            "It is the leading one, and its first.",
            ["It is the best."],
            [
                RedFlag(
                    Flag.SUPERLATIVE,
                    "first",
                    "The source does not say “first”.",
                    "Cite the comparison, or say less.",
                )
            ],
        ),
        (
            "Sales will double by 2040, they think not.",
            [],
            [
                RedFlag(
                    Flag.STATISTIC,
                    "double",
                    "The figure “double” has no source.",
                    "Cite its source, or leave it out.",
                ),
                RedFlag(
                    Flag.PREDICTION,
                    "will double by 2040",
                    "A prediction is stated as a fact: “will double by 2040”.",
                    "Say who expects it, and on what grounds.",
                ),
            ],
        ),
        (
            "By 2035 the market will grow.",
            ["By 2035 the market will grow."],
            [
                RedFlag(
                    Flag.PREDICTION,
                    "will grow",
                    "A prediction is stated as a fact: “will grow”.",
                    "Say who expects it, and on what grounds.",
                )
            ],
        ),
        (
            "The market will grow.",
            ["Sales are expected to grow."],
            [
                RedFlag(
                    Flag.PREDICTION,
                    "will grow",
                    "A prediction is stated as a fact: “will grow”.",
                    "Say who expects it, and on what grounds.",
                )
            ],
        ),
        ("The market will grow.", ["Sales are expected to grow and will."], []),
        (
            "Prices are going to fall.",
            [],
            [
                RedFlag(
                    Flag.PREDICTION,
                    "are going to fall",
                    "A prediction is stated as a fact: “are going to fall”.",
                    "Say who expects it, and on what grounds.",
                )
            ],
        ),
        (
            "Shares: 50 % A, 30 % B, and the remaining 25 % C.",
            ["x 50 30 25 %"],
            [
                RedFlag(
                    Flag.SHARES,
                    "Shares: 50 % A, 30 % B, and the remaining 25 % C.",
                    "The shares add up to 105 %, not to 100 %: “Shares: 50 % A, 30 % B, and the remaining 25 % C.”",
                    "Check the figures against the source.",
                )
            ],
        ),
        ("Shares: 50 % A, 30 % B, and the remaining 22 % C.", ["x"], []),
        (
            "Shares: 50 % A, 30 % B, and the remaining 22.5 % C.",
            ["x"],
            [
                RedFlag(
                    Flag.SHARES,
                    "Shares: 50 % A, 30 % B, and the remaining 22.5 % C.",
                    "The shares add up to 102.5 %, not to 100 %: “Shares: 50 % A, 30 % B, and the remaining 22.5 % C.”",
                    "Check the figures against the source.",
                )
            ],
        ),
        (
            "Shares: 50 % A, 30 % B, and the remaining 17 % C.",
            ["x"],
            [
                RedFlag(
                    Flag.SHARES,
                    "Shares: 50 % A, 30 % B, and the remaining 17 % C.",
                    "The shares add up to 97 %, not to 100 %: “Shares: 50 % A, 30 % B, and the remaining 17 % C.”",
                    "Check the figures against the source.",
                )
            ],
        ),
        ("Shares: 50 % A, and the remaining 17 % C.", ["x"], []),
    ],
)
def test_a_flag_says_what_is_at_fault_why_and_what_to_do(claim, passages, expected):
    assert list(red_flags(claim, passages)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a" * 90, "a" * 90),
        ("a" * 91, "a" * 89 + "…"),
        ("a" * 80 + " " * 8 + "b" * 10, "a" * 80 + " " * 8 + "b…"),
        ("a" * 80 + " " * 10 + "b", "a" * 80 + "…"),
    ],
)
def test_a_long_sentence_is_repeated_by_its_beginning(text, expected):
    assert truncate_text(text) == expected


@given(NASTY, st.lists(NASTY, max_size=3))
def test_any_text_has_its_flags_and_always_the_same(claim, passages):
    found = red_flags(claim, passages)
    assert found == red_flags(claim, passages)
    assert all(flag.explanation and flag.suggested_fix for flag in found)


@given(NASTY, NASTY)
def test_a_source_that_says_the_same_leaves_no_statistic_and_no_superlative(claim, passage):
    found = kinds(claim, passage, claim)
    assert Flag.STATISTIC not in found
    assert Flag.SUPERLATIVE not in found


@given(st.lists(st.integers(1, 98), min_size=2, max_size=5))
def test_shares_are_flagged_just_when_they_miss_the_whole(shares):
    *some, last = shares
    text = ", ".join(f"{share} % took {index}" for index, share in enumerate(some))
    flags = find_unbalanced_shares([f"{text} and the remaining {last} % left."])
    assert bool(flags) == (len(shares) >= 3 and abs(sum(shares) - 100) > 2)
