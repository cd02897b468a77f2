import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.anchoring import AnchorMatchType
from citations.verification import (
    CitedPassage,
    SimilarityFunction,
    Verdict,
    VerdictStatus,
    VerificationLevel,
    decide,
    verify,
    verify_each,
)

LENGTH = "Verifiers SHALL require memorized secrets to be at least 8 characters in length."


def check(claim: str, passage: str, **how: object) -> Verdict:
    return verify(claim, [CitedPassage(passage)], **how)


@pytest.mark.parametrize(
    "claim",
    [LENGTH, "memorized secrets to be at least 8 characters", LENGTH.lower(), LENGTH.replace(" ", "\n")],
)
def test_words_that_stand_in_the_source_are_verified(claim):
    assert check(claim, "Preface. " + LENGTH + " More.").status is VerdictStatus.VERIFIED


def test_a_verified_claim_says_where_it_stands():
    found = verify(LENGTH, [CitedPassage("Something else."), CitedPassage("Preface. " + LENGTH)])
    assert (found.passage, found.match_type) == (1, AnchorMatchType.EXACT)
    assert found.span is not None
    assert found.span.start == 9


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Passwords need at least 8 characters.", "Passwords must have a length of at least 8 characters."),
        ("The 2017 standard requires salts.", "In 2017 the standard made it so: it requires salts."),
        ("Six albums were released by the band.", "The band released 6 albums."),
        ("The council met in May 2017.", "The council met on 21 May 2017 in Bern."),
        ("75 % of users reuse passwords.", "Three quarters of users reuse passwords."),
        ("The key is 1 KiB long.", "The key is 1,024 bytes long."),
        ("Sales rose in Germany.", "Sales rose in Germany, whereas they fell in France."),
        ("Sales rose in Germany.", "However, sales rose in Germany during the last years."),
    ],
)
def test_the_same_in_other_words_is_accurate(claim, passage):
    assert check(claim, passage).status in (VerdictStatus.PARAPHRASED_ACCURATE, VerdictStatus.VERIFIED)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Passwords must have at least 12 characters.", "Passwords must have at least 8 characters."),
        ("At most 8 characters are required.", "At least 8 characters are required."),
        ("21 % of users reuse passwords.", "12 % of users reuse passwords."),
        ("The standard was published in June 2018.", "The standard was published in June 2017."),
        ("The standard was published in July 2017.", "The standard was published in June 2017."),
        ("Verifiers should require periodic changes.", "Verifiers should not require periodic changes."),
        ("Verifiers should not require periodic changes.", "Verifiers should require periodic changes."),
        ("Sales fell in the last quarter.", "Sales rose in the last quarter."),
        ("The book sold well in France.", "The book sold well in Germany."),
        ("SMS is allowed as a second factor.", "SMS is prohibited as a second factor."),
    ],
)
def test_an_incompatible_statement_about_the_same_thing_contradicts(claim, passage):
    found = check(claim, passage)
    assert found.status is VerdictStatus.CONTRADICTED
    assert found.support < 0.2


def test_a_conflict_is_named_in_words():
    found = check("21 % of users reuse passwords.", "12 % of users reuse passwords.")
    assert found.reasons == ("The source says “12 %”, the claim says “21 %”.",)


@pytest.mark.parametrize(
    ("claim", "passage", "reason"),
    [
        ("The drug helps patients.", "The drug may help patients.", "may be so"),
        ("Verifiers must check passwords.", "Verifiers should check passwords.", "must"),
        ("All users reuse passwords.", "Some users reuse passwords.", "fewer"),
        ("Argon2 is the best algorithm for passwords.", "Argon2 is an algorithm for passwords.", "best"),
        (
            "The method fails for passwords.",
            "Critics claim the method fails for passwords.",
            "position of others",
        ),
    ],
)
def test_a_claim_that_says_more_than_its_source_is_partial(claim, passage, reason):
    found = check(claim, passage)
    assert found.status is VerdictStatus.PARTIALLY_SUPPORTED
    assert any(reason in each for each in found.reasons)


@pytest.mark.parametrize(
    "passage",
    [
        "If MFA is not enabled passwords shorter than 15 characters are considered to be weak.",
        "Passwords shorter than 15 characters are considered to be weak unless MFA is enabled.",
    ],
)
def test_a_condition_of_the_source_qualifies_even_its_own_words(passage):
    found = check("Passwords shorter than 15 characters are considered to be weak", passage)
    assert found.status is VerdictStatus.PARTIALLY_SUPPORTED
    assert "MFA" in found.reasons[0]


def test_a_position_of_others_quoted_by_the_source_is_not_its_own():
    found = check(
        "passwords should expire monthly", "Some vendors argue that passwords should expire monthly."
    )
    assert found.status is VerdictStatus.PARTIALLY_SUPPORTED


def test_words_that_the_source_denies_contradict():
    found = check("passwords must expire monthly", "It is not true that passwords must expire monthly.")
    assert found.status is VerdictStatus.CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The band released six albums.", "The band played six concerts in Rome."),
        ("Bananas are yellow.", "Passwords must have at least 8 characters."),
        ("Revenue in 2019 was $5 million.", "The firm was founded by two sisters."),
    ],
)
def test_what_no_passage_carries_is_unsupported(claim, passage):
    assert check(claim, passage).status in (VerdictStatus.UNSUPPORTED, VerdictStatus.PARTIALLY_SUPPORTED)


def test_a_figure_that_the_source_does_not_give_is_missing():
    found = check("Sales of the new model rose by 12 %.", "Sales of the new model rose.")
    assert found.status is VerdictStatus.PARTIALLY_SUPPORTED
    assert found.reasons == ("“12 %” is not in the source.",)


def test_another_unit_is_another_statement():
    found = check("Only the first 72 bytes count.", "Only the first 72 characters count.")
    assert found.status is not VerdictStatus.VERIFIED
    assert found.status is not VerdictStatus.PARAPHRASED_ACCURATE


@pytest.mark.parametrize("claim", ["Is it so?", "Yes, of course.", "", "\x00"])
def test_what_states_nothing_is_unverifiable(claim):
    assert check(claim, LENGTH).status is VerdictStatus.UNVERIFIABLE


def test_a_source_behind_a_paywall_is_unverifiable():
    assert verify(LENGTH, [CitedPassage("", is_readable=False)]).status is VerdictStatus.UNVERIFIABLE


def test_a_readable_passage_goes_before_an_unreadable_one():
    assert (
        verify(LENGTH, [CitedPassage("", is_readable=False), CitedPassage(LENGTH)]).status
        is VerdictStatus.VERIFIED
    )


def test_no_passage_supports_nothing():
    assert verify(LENGTH, []).status is VerdictStatus.UNSUPPORTED


def test_support_in_one_passage_outweighs_silence_in_another():
    found = verify(
        "Salts are unique.",
        [CitedPassage("Bananas are yellow."), CitedPassage("The salts are unique and long.")],
    )
    assert (found.status, found.passage) == (VerdictStatus.VERIFIED, 1)


def test_a_contradiction_outweighs_a_passage_that_is_only_near():
    claim = "Passwords must have at least 12 characters."
    found = verify(
        claim,
        [
            CitedPassage("Passwords must have characters."),
            CitedPassage("Passwords must have at least 8 characters."),
        ],
    )
    assert found.status is VerdictStatus.CONTRADICTED


def alike(cosine: float) -> SimilarityFunction:
    return lambda claim, passage: cosine


def test_likeness_raises_the_support_of_a_paraphrase():
    claim, passage = (
        "Firms keep user credentials in hashed form.",
        "Companies keep credentials stored hashed.",
    )
    near, far = (check(claim, passage, similarity=alike(each)) for each in (0.9, 0.1))
    assert near.support > far.support


def test_likeness_never_outweighs_a_figure():
    found = check("21 % of users reuse passwords.", "12 % of users reuse passwords.", similarity=alike(1.0))
    assert found.status is VerdictStatus.CONTRADICTED


def test_likeness_does_not_stand_in_for_what_is_missing():
    claim, passage = "The council rejected the plan of the mayor.", "The council met in spring for lunch."
    assert check(claim, passage, similarity=alike(0.99)).status is VerdictStatus.UNSUPPORTED


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Ada Holm is an American painter.", "Ada Holm is a Canadian painter of still lifes."),
        ("Northwind is a film by Ada Holm.", "Northwind is an album by Ada Holm."),
        ("She works for the Zurich Opera House.", "She declined to work for the Zurich Opera House."),
    ],
)
def test_another_category_or_a_refusal_contradicts(claim, passage):
    assert check(claim, passage).status is VerdictStatus.CONTRADICTED


def test_a_denied_category_is_carried_by_another():
    found = check("Ada Holm is not an American painter.", "Ada Holm is a Canadian painter.")
    assert found.status is VerdictStatus.PARAPHRASED_ACCURATE


def test_a_passage_may_go_on_about_its_subject_by_pronoun():
    found = check("Ada Holm plays the violin.", "She plays the violin and the harp.")
    assert found.status is VerdictStatus.PARAPHRASED_ACCURATE


def test_another_name_in_a_near_copy_is_named():
    claim = "The prize of the year went to Ada Holm for her violin concerto."
    found = check(claim, claim.replace("Ada Holm", "Bo Lind"))
    assert found.status is VerdictStatus.CONTRADICTED
    assert found.reasons == ("The source says “Bo Lind”, the claim says “Ada Holm”.",)


TABLE = """Table: Lakes
name | area (km2) | depth (m)
Arl | 120 | 80
Bex | 300 | 45
Cham | 210 | 130
"""


@pytest.mark.parametrize(
    ("claim", "status"),
    [
        ("Lake Bex has an area of 300 km2.", VerdictStatus.PARAPHRASED_ACCURATE),
        ("Cham has the highest depth of the lakes.", VerdictStatus.PARAPHRASED_ACCURATE),
        ("Lake Bex has an area of 210 km2.", VerdictStatus.CONTRADICTED),
        ("Arl has the highest depth of the lakes.", VerdictStatus.CONTRADICTED),
    ],
)
def test_a_table_is_read_as_a_table(claim, status):
    assert check(claim, TABLE).status is status


def test_prose_beside_a_table_still_counts():
    found = check("The lakes freeze in winter.", TABLE + "\nAll the lakes freeze in winter, said the guide.")
    assert found.status in (VerdictStatus.VERIFIED, VerdictStatus.PARAPHRASED_ACCURATE)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\x00\x07",
        "\ud800 \udfff",
        "\u202e12 % of \u05d0\u05d1\u05d2",
        "a" * 200_000,
        "1 " * 20_000,
        "%|" * 5_000,
    ],
)
def test_no_text_breaks_the_rules(text):
    assert check("12 % of all users reuse passwords.", text).status is not VerdictStatus.VERIFIED
    assert check(text, "12 % of all users reuse passwords.").status is not VerdictStatus.VERIFIED


def test_contradictory_figures_in_one_sentence_get_an_answer():
    passage = "The survey put the share of users at 12 % on one page and at 21 % on another."
    assert (
        check("The survey put the share of users at 12 %.", passage).status is not VerdictStatus.CONTRADICTED
    )


def test_likeness_is_asked_of_claim_and_passage():
    seen: list[tuple[str, str]] = []
    check(
        "Firms hash secrets.", "Companies hash them.", similarity=lambda *pair: len(seen.append(pair) or seen)
    )
    assert seen == [("Firms hash secrets.", "Companies hash them.")]


def test_an_opinion_is_checked_at_the_strict_level_only():
    claim = "I think that salts are unique."
    assert check(claim, "Salts are unique.").status is VerdictStatus.UNVERIFIED
    assert (
        check(claim, "Salts are unique.", level=VerificationLevel.STRICT).status
        is not VerdictStatus.UNVERIFIED
    )


def test_the_strict_level_says_when_one_source_stands_alone():
    alone = verify(
        "Salts are unique.", [CitedPassage("The salts are unique.", "a")], level=VerificationLevel.STRICT
    )
    assert "Only one source says so." in alone.reasons


def test_the_strict_level_tells_of_a_passage_that_disagrees():
    passages = [CitedPassage("The salts are unique.", "a"), CitedPassage("The salts are not unique.", "b")]
    found = verify("The salts are unique.", passages, level=VerificationLevel.STRICT)
    assert "Another passage says otherwise." in found.reasons


def test_each_passage_is_judged_by_what_it_says_itself():
    passages = [CitedPassage("The salts are unique.", "a"), CitedPassage("Bananas are yellow.", "b")]
    each = verify_each("Salts are unique.", passages, level=VerificationLevel.STRICT)
    assert [(one.status, one.passage) for one in each] == [
        (VerdictStatus.VERIFIED, 0),
        (VerdictStatus.UNSUPPORTED, 1),
    ]
    assert "Only one source says so." not in each[0].reasons
    assert "Only one source says so." in decide(each, passages, VerificationLevel.STRICT).reasons


def test_a_passage_that_cannot_be_read_says_so_beside_one_that_can():
    each = verify_each(LENGTH, [CitedPassage("", is_readable=False), CitedPassage(LENGTH)])
    assert [one.status for one in each] == [VerdictStatus.UNVERIFIABLE, VerdictStatus.VERIFIED]


NOTHING = Verdict(VerdictStatus.UNVERIFIABLE, ("The sentence states nothing that could be checked.",))
UNREADABLE = Verdict(
    VerdictStatus.UNVERIFIABLE, ("The source cannot be read: unreachable or behind a paywall.",)
)


def test_what_states_nothing_says_so_of_each_passage():
    assert verify_each("Is it so?", [CitedPassage(LENGTH)] * 2) == (NOTHING, NOTHING)
    assert verify("Is it so?", []) == Verdict(
        VerdictStatus.UNSUPPORTED, ("There is no passage to check against.",)
    )


@pytest.mark.parametrize(
    ("claim", "level"), [("I think that salts are unique.", "standard"), ("It was sold in 2017.", "basic")]
)
def test_a_kind_that_is_not_checked_at_the_level_says_so(claim, level):
    found = verify_each(claim, [CitedPassage("Salts are sold.")], level=VerificationLevel(level))
    reason = f"Claims of this kind are not checked at level {level}."
    assert found == (Verdict(VerdictStatus.UNVERIFIED, (reason,)),)


def test_an_opinion_that_is_the_sources_own_words_is_checked_where_it_can_be_read():
    claim = "I think that salts are unique."
    assert check(claim, f"He wrote. {claim}").status is VerdictStatus.VERIFIED
    closed = CitedPassage(f"He wrote. {claim}", is_readable=False)
    assert verify(claim, [closed]).status is VerdictStatus.UNVERIFIED


def test_an_unreadable_source_says_so():
    assert verify_each(LENGTH, [CitedPassage(LENGTH, is_readable=False)]) == (UNREADABLE,)


@pytest.mark.parametrize(
    ("sources", "texts", "notes"),
    [
        (("a", "b"), (LENGTH, LENGTH), ()),
        (("a", "a"), (LENGTH, LENGTH), ("Only one source says so.",)),
        (("a", "b"), (LENGTH, "Bananas are yellow."), ("Only one source says so.",)),
        (
            ("a", "b"),
            (LENGTH, LENGTH.replace("8", "9")),
            ("Only one source says so.", "Another passage says otherwise."),
        ),
        (("a", "b"), ("Bananas are yellow.", "So are lemons, mostly."), ()),
    ],
)
def test_the_strict_level_adds_what_the_other_passages_say(sources, texts, notes):
    passages = [CitedPassage(text, source) for text, source in zip(texts, sources, strict=True)]
    strict, standard = (
        verify(LENGTH, passages, level=each)
        for each in (VerificationLevel.STRICT, VerificationLevel.STANDARD)
    )
    assert strict.reasons == (*standard.reasons, *notes)


TEXTS = st.text(max_size=160)


@given(TEXTS, st.lists(TEXTS, max_size=3), st.sampled_from(VerificationLevel))
def test_any_input_gets_a_verdict(claim, passages, level):
    found = verify(claim, [CitedPassage(text) for text in passages], level=level)
    assert 0 <= found.support <= 1
    assert found.reasons


@given(TEXTS, TEXTS)
def test_the_same_question_has_the_same_verdict(claim, passage):
    assert check(claim, passage) == check(claim, passage)


VOCABULARY = ["alpha", "beta", "gamma", "delta", "omega", "passwords", "salts", "keys"]
WORDS = st.lists(st.sampled_from(VOCABULARY), min_size=5, max_size=8, unique=True)


@given(WORDS, WORDS, WORDS)
def test_a_quote_is_verified_wherever_it_stands(before, quote, after):
    claim = " ".join(quote)
    passage = " ".join(before) + ". " + claim + ". " + " ".join(after) + "."
    assert check(claim, passage).status is VerdictStatus.VERIFIED


@given(st.integers(2, 900), st.integers(2, 900))
def test_another_count_is_never_supported(mine, theirs):
    found = check(f"The firm has {mine} employees in Bern.", f"The firm has {theirs} employees in Bern.")
    supported = found.status in (VerdictStatus.VERIFIED, VerdictStatus.PARAPHRASED_ACCURATE)
    assert supported == (mine == theirs)


def test_words_far_apart_in_a_long_text_say_nothing_together():
    claim = "The harbour bridge of Holm carries two tramway lines."
    scattered = ". ".join(f"The {word} was {'grey ' * 400}" for word in claim.rstrip(".").split())
    assert check(claim, scattered).status is VerdictStatus.UNSUPPORTED


def test_a_verdict_in_a_long_text_points_to_its_place():
    claim, said = "The Holm bridge carries two tram lines.", "Two tram lines cross the Holm bridge."
    passage = "Much else is grey. " * 400 + said + " Much else is green." * 400
    found = check(claim, passage)
    assert found.span is not None
    assert said in found.span.cut(passage)
    assert all(part.source == part.source_span.cut(passage) for part in found.parts if part.source_span)


def test_a_text_too_long_to_be_one_statement_is_not_judged():
    assert check("1 2 3 " * 2_000, "1 2 3").status is VerdictStatus.UNVERIFIABLE


@pytest.mark.parametrize(
    ("claim", "passage", "status"),
    [
        ("12 of 28 samples failed.", "12/28 samples failed.", VerdictStatus.PARAPHRASED_ACCURATE),
        ("12 of 28 samples failed.", "12/38 samples failed.", VerdictStatus.CONTRADICTED),
        ("Twelve of the 28 mice died.", "12 out of 28 mice died.", VerdictStatus.PARAPHRASED_ACCURATE),
        ("6 of 14 samples failed.", "12/28 samples failed.", VerdictStatus.CONTRADICTED),
        ("It works from −20 to +45 °C.", "It works at −20 … 45 °C.", VerdictStatus.PARAPHRASED_ACCURATE),
    ],
)
def test_some_of_all_and_ranges_are_compared_in_any_writing(claim, passage, status):
    assert check(claim, passage).status is status
