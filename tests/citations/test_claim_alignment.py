import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.entailment.claim_alignment import Alignment, PartKind, PartState, align
from citations.text.quote_span import Span

PASSAGE = (
    "The council met on 21 May 2017. Sales of the Argon2 book in Germany rose by 12 % to 4,500 copies. "
    "Critics were not amused."
)


def align_claim(claim: str, passage: str = PASSAGE) -> Alignment:
    found = align(claim, passage)
    assert found is not None
    return found


def states(found: Alignment, kind: PartKind) -> dict[str, PartState]:
    return {part.text: part.state for part in found.parts if part.kind is kind}


def test_every_part_of_a_true_claim_is_matched():
    found = align_claim("Sales of the Argon2 book rose by 12 % in Germany.")
    assert {part.state for part in found.parts} == {PartState.MATCHED}
    assert found.coverage == 1.0


def test_another_figure_of_the_same_thing_is_a_conflict():
    found = align_claim("Sales of the Argon2 book rose by 21 %.")
    (conflict,) = found.conflicts
    assert (conflict.kind, conflict.text, conflict.source) == (PartKind.QUANTITY, "21 %", "12 %")


def test_a_figure_of_another_thing_is_missing_only():
    found = align_claim("The Argon2 book in Germany has 300 pages.")
    assert states(found, PartKind.QUANTITY) == {"300": PartState.MISSING}


def test_another_date_is_a_conflict_and_a_part_of_it_a_match():
    assert states(align_claim("The council met on 22 May 2017."), PartKind.TIME) == {
        "22 May 2017": PartState.CONFLICTING
    }
    assert states(align_claim("The council met in May 2017."), PartKind.TIME) == {
        "May 2017": PartState.MATCHED
    }


def test_a_date_that_is_more_exact_than_the_source_is_missing():
    found = align_claim("The council met in May 2017.", "The council met in 2017.")
    assert states(found, PartKind.TIME) == {"May 2017": PartState.MISSING}


def test_another_end_of_a_range_is_a_mismatch():
    found = align_claim("Max Weber (1864–1917) wrote it.", "Max Weber (1864–1920) wrote it.")
    assert found.missing_facts or found.conflicts


def test_another_place_is_a_conflict_and_a_wider_one_a_match():
    assert states(align_claim("Sales of the book in France rose."), PartKind.NAME) == {
        "France": PartState.CONFLICTING
    }
    assert states(align_claim("Sales of the book in Europe rose."), PartKind.NAME) == {
        "Europe": PartState.MATCHED
    }


def test_a_name_may_stand_elsewhere_in_the_passage():
    found = align_claim(
        "Sales of Argon2 rose by 12 %.", "Argon2 is a book. It is long. Sales rose by 12 %. So it is."
    )
    assert states(found, PartKind.NAME) == {"Argon2": PartState.MATCHED}


@pytest.mark.parametrize(
    ("name", "passage"),
    [
        ("NSA", "the National Security Agency said it works"),
        ("National Security Agency", "the NSA said it works"),
    ],
)
def test_initials_stand_for_their_name(name, passage):
    found = align_claim(f"It works, as the {name} said.", passage)
    assert states(found, PartKind.NAME) == {name: PartState.MATCHED}


def test_the_opposite_word_is_a_conflict():
    found = align_claim("Sales of the Argon2 book fell by 12 %.")
    assert [part.source for part in found.conflicts] == ["rose"]


def test_a_lost_negation_is_a_conflict():
    assert [part.kind for part in align_claim("Critics were amused.").conflicts] == [PartKind.POLARITY]


def test_before_for_after_in_a_near_copy_is_a_conflict():
    sentence = "The family returns to Chicago after a long trip through the north of Africa."
    found = align_claim(sentence.replace("after", "before"), sentence)
    assert [part.text for part in found.conflicts] == ["before"]


def test_a_second_negation_in_a_near_copy_is_a_conflict():
    sentence = "The phrase is not used for cheese, though there are some cheeses with a green tint."
    assert align_claim(sentence.replace("there are some", "there are not some"), sentence).conflicts


def test_a_changed_part_number_is_a_missing_fact():
    found = align_claim(
        "It ends with the story of the stone, part 3.", "It ends with the story of the stone, part 2."
    )
    assert [part.text for part in found.missing_facts] == ["3"]


def test_whereas_and_however_refute_nothing():
    passage = "However, sales rose in Germany, whereas they were flat in France."
    assert align_claim("Sales rose in Germany.", passage).conflicts == ()


def test_two_sentences_can_carry_a_claim_together():
    found = align_claim("Sales of the Argon2 book rose after the council met.")
    assert found.window.cut(PASSAGE).count(".") == 2


def test_nothing_in_common_is_no_alignment():
    assert align("Bananas are yellow.", PASSAGE) is None


@given(st.text(max_size=120), st.text(max_size=200))
def test_any_texts_are_aligned_or_not(claim, passage):
    found = align(claim, passage)
    if found is not None:
        assert 0 <= found.coverage <= 1
        assert 0 <= found.window.start < found.window.end <= len(passage)
        assert all(
            part.span.cut(claim) == part.text for part in found.parts if part.kind is not PartKind.QUANTITY
        )


SENTENCES = st.sampled_from(
    [
        "Sales rose by 12 % in 2017.",
        "NIST requires 8 characters.",
        "It does not work in Germany.",
        "Salts are unique.",
    ]
)


@given(SENTENCES, st.lists(SENTENCES, max_size=3), st.lists(SENTENCES, max_size=3))
def test_a_sentence_of_the_passage_has_no_missing_fact(sentence, before, after):
    found = align_claim(sentence, " ".join([*before, sentence, *after]))
    assert found.missing_facts == ()
    assert found.coverage == 1.0


# --- which sentences a claim is laid against ---

FERRY = "The ferry crosses in March. "
TOLL = "Nobody counts the empty boats. "


def test_of_sentences_that_carry_as_much_the_first_is_taken():
    found = align_claim("The ferry crosses.", FERRY + TOLL + FERRY)
    assert found.window == Span(0, len(FERRY) - 1)


def test_a_claim_that_two_sentences_share_is_laid_against_both_and_what_is_between():
    passage = TOLL + "The tolls rose steeply. " + TOLL + "Ferry crossings dropped sharply. " + TOLL
    found = align_claim("Tolls rose steeply and ferry crossings dropped sharply.", passage)
    assert found.window.cut(passage) == passage[len(TOLL) : -len(TOLL) - 1]


def test_sentences_far_apart_carry_no_claim_together():
    passage = "The tolls rose steeply. " + 3 * TOLL + "Ferry crossings dropped very sharply. "
    found = align_claim("Tolls rose and ferry crossings dropped sharply.", passage)
    assert found.window.cut(passage) == "Ferry crossings dropped very sharply."


def test_a_sentence_that_adds_one_word_only_is_left_out_of_the_window():
    passage = "The tolls rose steeply. A ferry sank. "
    window = align_claim("Tolls rose steeply for the ferry.", passage).window
    assert window.cut(passage) == "The tolls rose steeply."


@pytest.mark.parametrize("passage", ["", " \n ", "of the and", "\x1c\x1d\u2028", "!?" * 50])
def test_a_passage_without_the_claims_words_is_aligned_with_nothing(passage):
    assert align("The tolls rose.", passage) is None
