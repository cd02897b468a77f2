import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.language.normalizing import Span
from citations.supporting.alignment import Alignment, PartKind, State, align

PASSAGE = (
    "The council met on 21 May 2017. Sales of the Argon2 book in Germany rose by 12 % to 4,500 copies. "
    "Critics were not amused."
)


def aligned(claim: str, passage: str = PASSAGE) -> Alignment:
    found = align(claim, passage)
    assert found is not None
    return found


def states(found: Alignment, kind: PartKind) -> dict[str, State]:
    return {part.text: part.state for part in found.parts if part.kind is kind}


def test_every_part_of_a_true_claim_is_matched():
    found = aligned("Sales of the Argon2 book rose by 12 % in Germany.")
    assert {part.state for part in found.parts} == {State.MATCHED}
    assert found.coverage == 1.0


def test_another_figure_of_the_same_thing_is_a_conflict():
    found = aligned("Sales of the Argon2 book rose by 21 %.")
    (conflict,) = found.conflicts
    assert (conflict.kind, conflict.text, conflict.source) == (PartKind.QUANTITY, "21 %", "12 %")


def test_a_figure_of_another_thing_is_missing_only():
    found = aligned("The Argon2 book in Germany has 300 pages.")
    assert states(found, PartKind.QUANTITY) == {"300": State.MISSING}


def test_another_date_is_a_conflict_and_a_part_of_it_a_match():
    assert states(aligned("The council met on 22 May 2017."), PartKind.TIME) == {
        "22 May 2017": State.CONFLICTING
    }
    assert states(aligned("The council met in May 2017."), PartKind.TIME) == {"May 2017": State.MATCHED}


def test_a_date_that_is_more_exact_than_the_source_is_missing():
    found = aligned("The council met in May 2017.", "The council met in 2017.")
    assert states(found, PartKind.TIME) == {"May 2017": State.MISSING}


def test_another_end_of_a_range_is_a_mismatch():
    found = aligned("Max Weber (1864–1917) wrote it.", "Max Weber (1864–1920) wrote it.")
    assert found.missing_facts or found.conflicts


def test_another_place_is_a_conflict_and_a_wider_one_a_match():
    assert states(aligned("Sales of the book in France rose."), PartKind.NAME) == {
        "France": State.CONFLICTING
    }
    assert states(aligned("Sales of the book in Europe rose."), PartKind.NAME) == {"Europe": State.MATCHED}


def test_a_name_may_stand_elsewhere_in_the_passage():
    found = aligned(
        "Sales of Argon2 rose by 12 %.", "Argon2 is a book. It is long. Sales rose by 12 %. So it is."
    )
    assert states(found, PartKind.NAME) == {"Argon2": State.MATCHED}


@pytest.mark.parametrize(
    ("name", "passage"),
    [
        ("NSA", "the National Security Agency said it works"),
        ("National Security Agency", "the NSA said it works"),
    ],
)
def test_initials_stand_for_their_name(name, passage):
    found = aligned(f"It works, as the {name} said.", passage)
    assert states(found, PartKind.NAME) == {name: State.MATCHED}


def test_the_opposite_word_is_a_conflict():
    found = aligned("Sales of the Argon2 book fell by 12 %.")
    assert [part.source for part in found.conflicts] == ["rose"]


def test_a_lost_negation_is_a_conflict():
    assert [part.kind for part in aligned("Critics were amused.").conflicts] == [PartKind.POLARITY]


def test_before_for_after_in_a_near_copy_is_a_conflict():
    sentence = "The family returns to Chicago after a long trip through the north of Africa."
    found = aligned(sentence.replace("after", "before"), sentence)
    assert [part.text for part in found.conflicts] == ["before"]


def test_a_second_negation_in_a_near_copy_is_a_conflict():
    sentence = "The phrase is not used for cheese, though there are some cheeses with a green tint."
    assert aligned(sentence.replace("there are some", "there are not some"), sentence).conflicts


def test_a_changed_part_number_is_a_missing_fact():
    found = aligned(
        "It ends with the story of the stone, part 3.", "It ends with the story of the stone, part 2."
    )
    assert [part.text for part in found.missing_facts] == ["3"]


def test_whereas_and_however_refute_nothing():
    passage = "However, sales rose in Germany, whereas they were flat in France."
    assert aligned("Sales rose in Germany.", passage).conflicts == ()


def test_two_sentences_can_carry_a_claim_together():
    found = aligned("Sales of the Argon2 book rose after the council met.")
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
    found = aligned(sentence, " ".join([*before, sentence, *after]))
    assert found.missing_facts == ()
    assert found.coverage == 1.0


@pytest.mark.parametrize(
    ("claim", "passage", "parts", "nearest", "coverage"),
    [
        (
            "Sales of the Argon2 book rose by 21 % in France in June 2017.",
            PASSAGE,
            [
                (PartKind.QUANTITY, State.CONFLICTING, "21 %", "12 %", 76),
                (PartKind.TIME, State.CONFLICTING, "June 2017", "21 May 2017", 19),
                (PartKind.NAME, State.MATCHED, "Argon2", "Argon2", 45),
                (PartKind.NAME, State.CONFLICTING, "France", "Germany", None),
                (PartKind.WORD, State.MATCHED, "Sales", "Sales", 32),
                (PartKind.WORD, State.MATCHED, "book", "book", 52),
                (PartKind.WORD, State.MATCHED, "rose", "rose", 68),
            ],
            "Sales of the Argon2 book in Germany rose by 12 % to 4,500 copies.",
            1.0,
        ),
        (
            "Sales of the Argon2 book in Europe fell to 4500 copies.",
            PASSAGE,
            [
                (PartKind.QUANTITY, State.MATCHED, "4500", "4,500", 84),
                (PartKind.NAME, State.MATCHED, "Argon2", "Argon2", 45),
                (PartKind.NAME, State.MATCHED, "Europe", "Germany", None),
                (PartKind.WORD, State.MATCHED, "Sales", "Sales", 32),
                (PartKind.WORD, State.MATCHED, "book", "book", 52),
                (PartKind.WORD, State.CONFLICTING, "fell", "rose", 68),
                (PartKind.WORD, State.MATCHED, "copies", "copies", 90),
            ],
            "Sales of the Argon2 book in Germany rose by 12 % to 4,500 copies.",
            1.0,
        ),
        (
            "Critics were amused by 300 copies.",
            PASSAGE,
            [
                (PartKind.QUANTITY, State.MISSING, "300", "", None),
                (PartKind.WORD, State.MATCHED, "Critics", "Critics", 98),
                (PartKind.WORD, State.MATCHED, "amused", "amused", 115),
                (PartKind.WORD, State.MATCHED, "copies", "copies", 90),
                (PartKind.POLARITY, State.CONFLICTING, "amused", "Critics were not amused.", 98),
            ],
            "Critics were not amused.",
            1.0,
        ),
        (
            "The council did not meet on 22 May 2017.",
            PASSAGE,
            [
                (PartKind.TIME, State.MATCHED, "22 May 2017", "21 May 2017", 19),
                (PartKind.WORD, State.MATCHED, "council", "council", 4),
                (PartKind.WORD, State.MATCHED, "meet", "met", 12),
            ],
            "The council met on 21 May 2017.",
            1.0,
        ),
        (
            "The National Security Agency said it works.",
            "Staff of the NSA said that it works.",
            [
                (PartKind.NAME, State.MATCHED, "National Security Agency", "NSA", 13),
                (PartKind.WORD, State.MATCHED, "said", "said", 17),
                (PartKind.WORD, State.MATCHED, "works", "works", 30),
            ],
            "Staff of the NSA said that it works.",
            1.0,
        ),
        (
            "The NSA said it works.",
            "Staff of the National Security Agency said that it works.",
            [
                (PartKind.NAME, State.MATCHED, "NSA", "National Security Agency", 13),
                (PartKind.WORD, State.MATCHED, "said", "said", 38),
                (PartKind.WORD, State.MATCHED, "works", "works", 51),
            ],
            "Staff of the National Security Agency said that it works.",
            1.0,
        ),
        (
            "Ada Holm is an American painter.",
            "Ada Holm is a Canadian painter of still lifes.",
            [
                (PartKind.NAME, State.MATCHED, "Ada Holm", "Ada Holm", 0),
                (PartKind.NAME, State.CONFLICTING, "American", "Canadian", 14),
                (PartKind.WORD, State.MATCHED, "painter", "painter", 23),
            ],
            "Ada Holm is a Canadian painter of still lifes.",
            1.0,
        ),
        (
            "Ada Holm is not an American painter.",
            "Ada Holm is a Canadian painter of still lifes.",
            [
                (PartKind.NAME, State.MATCHED, "Ada Holm", "Ada Holm", 0),
                (PartKind.NAME, State.MATCHED, "American", "Canadian", 14),
                (PartKind.WORD, State.MATCHED, "painter", "painter", 23),
            ],
            "Ada Holm is a Canadian painter of still lifes.",
            1.0,
        ),
        (
            "Ada Holm is not an American painter.",
            "Ada Holm is not a Canadian painter.",
            [
                (PartKind.NAME, State.MATCHED, "Ada Holm", "Ada Holm", 0),
                (PartKind.NAME, State.CONFLICTING, "American", "Canadian", 18),
                (PartKind.WORD, State.MATCHED, "painter", "painter", 27),
            ],
            "Ada Holm is not a Canadian painter.",
            1.0,
        ),
        (
            "Northwind is a film by Ada Holm.",
            "Ada Holm is proud. Northwind is an album by Ada Holm.",
            [
                (PartKind.NAME, State.MATCHED, "Ada Holm", "Ada Holm", 44),
                (PartKind.WORD, State.MATCHED, "Northwind", "Northwind", 19),
                (PartKind.WORD, State.CONFLICTING, "film", "album", 35),
            ],
            "Northwind is an album by Ada Holm.",
            1.0,
        ),
        (
            "The prize of the year went to Ada Holm for her violin concerto.",
            "Applause. The prize of the year went to Bo Lind for her violin concerto.",
            [
                (PartKind.NAME, State.CONFLICTING, "Ada Holm", "Bo Lind", 40),
                (PartKind.WORD, State.MATCHED, "prize", "prize", 14),
                (PartKind.WORD, State.MATCHED, "year", "year", 27),
                (PartKind.WORD, State.MATCHED, "went", "went", 32),
                (PartKind.WORD, State.MATCHED, "violin", "violin", 56),
                (PartKind.WORD, State.MATCHED, "concerto", "concerto", 63),
            ],
            "The prize of the year went to Bo Lind for her violin concerto.",
            1.0,
        ),
        (
            "The prize of the year went to Quito for her violin concerto.",
            "The prize of the year went to merit for her violin concerto.",
            [
                (PartKind.NAME, State.CONFLICTING, "Quito", "merit", 30),
                (PartKind.WORD, State.MATCHED, "prize", "prize", 4),
                (PartKind.WORD, State.MATCHED, "year", "year", 17),
                (PartKind.WORD, State.MATCHED, "went", "went", 22),
                (PartKind.WORD, State.MATCHED, "violin", "violin", 44),
                (PartKind.WORD, State.MATCHED, "concerto", "concerto", 51),
            ],
            "The prize of the year went to merit for her violin concerto.",
            1.0,
        ),
        (
            "It ends with part 3 of 16 and 3,000 stones.",
            "It ends with part three of the 16 stones.",
            [
                (PartKind.QUANTITY, State.MATCHED, "16", "16", 31),
                (PartKind.QUANTITY, State.CONFLICTING, "3,000", "16", 31),
                (PartKind.WORD, State.MATCHED, "ends", "ends", 3),
                (PartKind.WORD, State.MATCHED, "part", "part", 13),
                (PartKind.WORD, State.MATCHED, "stones", "stones", 34),
            ],
            "It ends with part three of the 16 stones.",
            1.0,
        ),
        (
            "It ends with the story of the stone, part 3 and 3.",
            "It ends with the story of the stone, part 3.",
            [
                (PartKind.QUANTITY, State.MISSING, "3", "", None),
                (PartKind.WORD, State.MATCHED, "ends", "ends", 3),
                (PartKind.WORD, State.MATCHED, "story", "story", 17),
                (PartKind.WORD, State.MATCHED, "stone", "stone", 30),
                (PartKind.WORD, State.MATCHED, "part", "part", 37),
            ],
            "It ends with the story of the stone, part 3.",
            1.0,
        ),
        (
            "The well-known mill burned.",
            "The mill that is known so well burned.",
            [
                (PartKind.WORD, State.MATCHED, "well-known", "well-known", None),
                (PartKind.WORD, State.MATCHED, "mill", "mill", 4),
                (PartKind.WORD, State.MATCHED, "burned", "burned", 31),
            ],
            "The mill that is known so well burned.",
            1.0,
        ),
        (
            "The well-worn mill burned.",
            "The mill that is known so well burned.",
            [
                (PartKind.WORD, State.MISSING, "well-worn", "", None),
                (PartKind.WORD, State.MATCHED, "mill", "mill", 4),
                (PartKind.WORD, State.MATCHED, "burned", "burned", 31),
            ],
            "The mill that is known so well burned.",
            0.6667,
        ),
        (
            "The family returns to Chicago before a long trip through Africa.",
            "The family returns to Chicago after a long trip through Africa.",
            [
                (PartKind.NAME, State.MATCHED, "Chicago", "Chicago", 22),
                (PartKind.NAME, State.MATCHED, "Africa", "Africa", 56),
                (PartKind.WORD, State.MATCHED, "family", "family", 4),
                (PartKind.WORD, State.MATCHED, "returns", "returns", 11),
                (PartKind.WORD, State.MATCHED, "long", "long", 38),
                (PartKind.WORD, State.MATCHED, "trip", "trip", 43),
                (PartKind.POLARITY, State.CONFLICTING, "before", "after", 30),
            ],
            "The family returns to Chicago after a long trip through Africa.",
            1.0,
        ),
        (
            "The phrase is not used for cheese, though there are not some with a tint.",
            "The phrase is not used for cheese, though there are some with a tint.",
            [
                (PartKind.WORD, State.MATCHED, "phrase", "phrase", 4),
                (PartKind.WORD, State.MATCHED, "used", "used", 18),
                (PartKind.WORD, State.MATCHED, "cheese", "cheese", 27),
                (PartKind.WORD, State.MATCHED, "tint", "tint", 64),
                (
                    PartKind.POLARITY,
                    State.CONFLICTING,
                    "tint",
                    "The phrase is not used for cheese, though there are some with a tint.",
                    0,
                ),
            ],
            "The phrase is not used for cheese, though there are some with a tint.",
            1.0,
        ),
        (
            "She works for the Zurich Opera House.",
            "She declined to work for the Zurich Opera House.",
            [
                (PartKind.NAME, State.MATCHED, "Zurich Opera House", "Zurich Opera House", 29),
                (PartKind.WORD, State.MATCHED, "works", "work", 16),
                (
                    PartKind.POLARITY,
                    State.CONFLICTING,
                    "works",
                    "She declined to work for the Zurich Opera House.",
                    0,
                ),
            ],
            "She declined to work for the Zurich Opera House.",
            1.0,
        ),
        (
            "Swift 3 has closures.",
            "Swift 4 has closures.",
            [
                (PartKind.QUANTITY, State.CONFLICTING, "3", "4", 6),
                (PartKind.WORD, State.MATCHED, "Swift", "Swift", 0),
                (PartKind.WORD, State.MATCHED, "closures", "closures", 12),
            ],
            "Swift 4 has closures.",
            1.0,
        ),
        (
            "Mr. Holm of Oslo sold boats.",
            "Boats were sold. The man from Oslo in Norway named Holm had been rich.",
            [
                (PartKind.NAME, State.MATCHED, "Holm of Oslo", "Oslo … Holm", None),
                (PartKind.WORD, State.MISSING, "Mr", "", None),
                (PartKind.WORD, State.MATCHED, "sold", "sold", 11),
                (PartKind.WORD, State.MATCHED, "boats", "Boats", 0),
            ],
            "Boats were sold.",
            0.8,
        ),
        (
            "The firm sold boats in Norway.",
            "The firm sold boats in Oslo.",
            [
                (PartKind.NAME, State.MATCHED, "Norway", "Oslo", None),
                (PartKind.WORD, State.MATCHED, "firm", "firm", 4),
                (PartKind.WORD, State.MATCHED, "sold", "sold", 9),
                (PartKind.WORD, State.MATCHED, "boats", "boats", 14),
            ],
            "The firm sold boats in Oslo.",
            1.0,
        ),
        (
            "The firm sold boats in Oslo.",
            "The firm sold boats in Norway.",
            [
                (PartKind.NAME, State.CONFLICTING, "Oslo", "Norway", 23),
                (PartKind.WORD, State.MATCHED, "firm", "firm", 4),
                (PartKind.WORD, State.MATCHED, "sold", "sold", 9),
                (PartKind.WORD, State.MATCHED, "boats", "boats", 14),
            ],
            "The firm sold boats in Norway.",
            1.0,
        ),
        (
            "The firm sold boats in Oslo.",
            "The firm sold boats in Norway and in Chile.",
            [
                (PartKind.NAME, State.MISSING, "Oslo", "", None),
                (PartKind.WORD, State.MATCHED, "firm", "firm", 4),
                (PartKind.WORD, State.MATCHED, "sold", "sold", 9),
                (PartKind.WORD, State.MATCHED, "boats", "boats", 14),
            ],
            "The firm sold boats in Norway and in Chile.",
            0.6,
        ),
        (
            "The firm sold boats in Chile.",
            "The firm sold boats in Norway and in Oslo.",
            [
                (PartKind.NAME, State.CONFLICTING, "Chile", "Norway", None),
                (PartKind.WORD, State.MATCHED, "firm", "firm", 4),
                (PartKind.WORD, State.MATCHED, "sold", "sold", 9),
                (PartKind.WORD, State.MATCHED, "boats", "boats", 14),
            ],
            "The firm sold boats in Norway and in Oslo.",
            1.0,
        ),
        (
            "Sales rose.",
            "Sales fell and costs dropped.",
            [
                (PartKind.WORD, State.MATCHED, "Sales", "Sales", 0),
                (PartKind.WORD, State.CONFLICTING, "rose", "fell", 6),
            ],
            "Sales fell and costs dropped.",
            1.0,
        ),
        (
            "Sales rose and fell.",
            "Sales fell and fell.",
            [
                (PartKind.WORD, State.MATCHED, "Sales", "Sales", 0),
                (PartKind.WORD, State.MISSING, "rose", "", None),
                (PartKind.WORD, State.MATCHED, "fell", "fell", 6),
                (PartKind.POLARITY, State.CONFLICTING, "rose", "fell", 6),
            ],
            "Sales fell and fell.",
            0.6667,
        ),
        (
            "The firm opened in March 1987.",
            "The firm opened in 1987.",
            [
                (PartKind.TIME, State.MISSING, "March 1987", "", None),
                (PartKind.WORD, State.MATCHED, "firm", "firm", 4),
                (PartKind.WORD, State.MATCHED, "opened", "opened", 9),
            ],
            "The firm opened in 1987.",
            1.0,
        ),
        (
            "The firm opened between 1987 and 1990.",
            "The firm opened in 1988.",
            [
                (PartKind.TIME, State.MISSING, "between 1987 and 1990", "", None),
                (PartKind.WORD, State.MATCHED, "firm", "firm", 4),
                (PartKind.WORD, State.MATCHED, "opened", "opened", 9),
            ],
            "The firm opened in 1988.",
            1.0,
        ),
        (
            "The key is 1 KiB long.",
            "The key is 1,024 bytes long.",
            [
                (PartKind.QUANTITY, State.MATCHED, "1 KiB", "1,024 bytes", 11),
                (PartKind.WORD, State.MATCHED, "key", "key", 4),
                (PartKind.WORD, State.MATCHED, "long", "long", 23),
            ],
            "The key is 1,024 bytes long.",
            1.0,
        ),
        (
            "The park is to the north of a red barn.",
            "The park is to the south of a red barn.",
            [
                (PartKind.WORD, State.MATCHED, "park", "park", 4),
                (PartKind.WORD, State.CONFLICTING, "north", "south", 19),
                (PartKind.WORD, State.MATCHED, "red", "red", 30),
                (PartKind.WORD, State.MATCHED, "barn", "barn", 34),
            ],
            "The park is to the south of a red barn.",
            1.0,
        ),
        (
            "The king sold the red barn.",
            "The barn was red. A queen sold it to him.",
            [
                (PartKind.WORD, State.MISSING, "king", "", None),
                (PartKind.WORD, State.MATCHED, "sold", "sold", 26),
                (PartKind.WORD, State.MATCHED, "red", "red", 13),
                (PartKind.WORD, State.MATCHED, "barn", "barn", 4),
            ],
            "The barn was red.",
            0.75,
        ),
        (
            "My brother is a singer.",
            "A sister of his is a singer.",
            [
                (PartKind.WORD, State.CONFLICTING, "brother", "sister", 2),
                (PartKind.WORD, State.MATCHED, "singer", "singer", 21),
            ],
            "A sister of his is a singer.",
            1.0,
        ),
    ],
)
def test_each_part_of_a_claim_is_laid_against_what_the_passage_has_for_it(
    claim, passage, parts, nearest, coverage
):
    found = aligned(claim, passage)
    assert [
        (part.kind, part.state, part.text, part.source, part.source_span and part.source_span.start)
        for part in found.parts
    ] == parts
    assert all(part.span.cut(claim) == part.text for part in found.parts)
    assert all(part.source_span.cut(passage) == part.source for part in found.parts if part.source_span)
    assert found.nearest.cut(passage) == nearest
    assert found.coverage == pytest.approx(coverage, abs=1e-4)


# --- which sentences a claim is laid against ---

FERRY = "The ferry crosses in March. "
TOLL = "Nobody counts the empty boats. "


def test_of_sentences_that_carry_as_much_the_first_is_taken():
    found = aligned("The ferry crosses.", FERRY + TOLL + FERRY)
    assert found.window == Span(0, len(FERRY) - 1)


def test_a_claim_that_two_sentences_share_is_laid_against_both_and_what_is_between():
    passage = TOLL + "The tolls rose steeply. " + TOLL + "Ferry crossings dropped sharply. " + TOLL
    found = aligned("Tolls rose steeply and ferry crossings dropped sharply.", passage)
    assert found.window.cut(passage) == passage[len(TOLL) : -len(TOLL) - 1]


def test_sentences_far_apart_carry_no_claim_together():
    passage = "The tolls rose steeply. " + 3 * TOLL + "Ferry crossings dropped very sharply. "
    found = aligned("Tolls rose and ferry crossings dropped sharply.", passage)
    assert found.window.cut(passage) == "Ferry crossings dropped very sharply."


def test_a_sentence_that_adds_one_word_only_is_left_out_of_the_window():
    passage = "The tolls rose steeply. A ferry sank. "
    window = aligned("Tolls rose steeply for the ferry.", passage).window
    assert window.cut(passage) == "The tolls rose steeply."


@pytest.mark.parametrize("passage", ["", " \n ", "of the and", "\x1c\x1d\u2028", "!?" * 50])
def test_a_passage_without_the_claims_words_is_aligned_with_nothing(passage):
    assert align("The tolls rose.", passage) is None
