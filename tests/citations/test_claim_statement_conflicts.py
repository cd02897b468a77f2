import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.contradiction.claim_statement_conflicts import (
    ConflictKind,
    SentenceConflict,
    difference,
    is_code,
)

SHARED = Path(__file__).parents[3] / "shared" / "data"


@pytest.mark.parametrize(
    ("a", "b", "cosine", "expected"),
    [
        (
            "Passwords must be at least 12 characters.",
            "Verifiers require memorized secrets to be at least 8 characters in length.",
            None,
            SentenceConflict(ConflictKind.NUMERIC, "at least 12", "at least 8"),
        ),
        (
            "Use PBKDF2 with a work factor of 310,000.",
            "Use PBKDF2 with a work factor of 600,000.",
            None,
            SentenceConflict(ConflictKind.NUMERIC, "310,000", "600,000"),
        ),
        (
            "The standard was published in June 2017.",
            "The standard was published in May 2016.",
            None,
            SentenceConflict(ConflictKind.TEMPORAL, "June 2017", "May 2016"),
        ),
        (
            "The unit cost of a cell fell from 104 euros in 2023 to 91 euros in 2024.",
            "The unit cost of a cell rose from 104 euros in 2023 to 112 euros in 2024, subsidies left out.",
            None,
            SentenceConflict(ConflictKind.NUMERIC, "91 euros", "112 euros"),
        ),
        (
            "The unit cost of a cell rose from 104 euros in 2023 to 112 euros in 2024.",
            "The unit cost of a cell was 74 euros in 2023.",
            None,
            SentenceConflict(ConflictKind.NUMERIC, "104 euros", "74 euros"),
        ),
        (
            "The second line opened on 14 September 2023.",
            "The second line opened on 3 November 2023, seven weeks later than planned.",
            None,
            SentenceConflict(ConflictKind.TEMPORAL, "14 September 2023", "3 November 2023"),
        ),
        (
            "The third line will open in 2027.",
            "The third line is to open in 2026.",
            None,
            SentenceConflict(ConflictKind.TEMPORAL, "2027", "2026"),
        ),
        (
            "Verifiers should require periodic changes.",
            "Verifiers should not require periodic changes.",
            None,
            SentenceConflict(ConflictKind.POLARITY, "(without)", "not"),
        ),
        (
            "Hashing can not be undone (it is possible to undo encryption).",
            "Hashing can be undone (it is possible to undo encryption).",
            None,
            SentenceConflict(ConflictKind.POLARITY, "not", "(without)"),
        ),
        (
            "Password reuse rose among young users.",
            "Password reuse fell among young users.",
            None,
            SentenceConflict(ConflictKind.POLARITY, "rose", "fell"),
        ),
        (
            "If you do not know the difference, choose Argon2i.",
            "If you do not know the difference, choose Argon2id.",
            None,
            SentenceConflict(ConflictKind.CATEGORICAL, "Argon2i", "Argon2id"),
        ),
        (
            "Teleworkers should change their passwords regularly, following the policy.",
            "Verifiers should not require secrets to be changed arbitrarily.",
            0.75,
            SentenceConflict(ConflictKind.POLARITY, "should", "should not"),
        ),
        (
            "Teleworkers should change their passwords regularly, following the policy.",
            "Verifiers should not require secrets to be changed arbitrarily.",
            0.6,
            SentenceConflict(ConflictKind.POLARITY, "should", "should not"),
        ),
        (
            "Users must change their passwords every year.",
            "Users should not change their passwords often.",
            None,
            SentenceConflict(ConflictKind.POLARITY, "must", "should not"),
        ),
        (
            "Users must never change old passwords.",
            "Users must change old passwords.",
            None,
            SentenceConflict(ConflictKind.POLARITY, "never", "(without)"),
        ),
        (
            "Staff ought to lock the doors at night.",
            "Staff should never lock the doors at night.",
            None,
            SentenceConflict(ConflictKind.POLARITY, "(without)", "never"),
        ),
        (
            "Staff may lock the doors at night.",
            "Staff should never lock the doors at night.",
            None,
            SentenceConflict(ConflictKind.POLARITY, "(without)", "never"),
        ),
        (
            "The mill ground more than 40 sacks of wheat.",
            "The mill ground 35 sacks of wheat.",
            None,
            SentenceConflict(ConflictKind.NUMERIC, "more than 40", "35"),
        ),
        (
            "The mill ground less than 40 sacks of wheat.",
            "The mill ground 45 sacks of wheat.",
            None,
            SentenceConflict(ConflictKind.NUMERIC, "less than 40", "45"),
        ),
        (
            "The mill formerly ground 40 sacks of wheat.",
            "The mill ground 45 sacks of wheat.",
            None,
            SentenceConflict(ConflictKind.NUMERIC, "40", "45"),
        ),
        (
            "The ship sailed from Lima to Oslo.",
            "The ship sailed from Lima to Quito.",
            None,
            SentenceConflict(ConflictKind.CATEGORICAL, "Oslo", "Quito"),
        ),
        (
            "The mill was built in 1802.",
            "The mill was built in 1805.",
            None,
            SentenceConflict(ConflictKind.TEMPORAL, "1802", "1805"),
        ),
        (
            "Verifiers must permit at least 64 characters.",
            "Verifiers must permit at least 8 characters.",
            None,
            SentenceConflict(ConflictKind.NUMERIC, "at least 64", "at least 8"),
        ),
        (
            "The museum in Oslo is open on Sundays.",
            "The museum in Oslo is not open on Sundays.",
            None,
            SentenceConflict(ConflictKind.POLARITY, "(without)", "not"),
        ),
        (
            "The key is open.",
            "The key is not open.",
            None,
            SentenceConflict(ConflictKind.POLARITY, "(without)", "not"),
        ),
        (
            "Norway and Sweden sold 40 ships of oak.",
            "Norway sold 55 ships of oak.",
            None,
            SentenceConflict(ConflictKind.NUMERIC, "40", "55"),
        ),
    ],
)
def test_what_cannot_both_hold_is_in_conflict_by_the_words_of_either_side(a, b, cosine, expected):
    assert difference(a, b, cosine) == expected
    assert difference(b, a, cosine) == SentenceConflict(expected.kind, expected.theirs, expected.mine)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (
            "The firm missed its target of 85 euros for the unit cost of a cell in 2024.",
            "The unit cost of a cell of the firm was 96 euros in 2024.",
        ),
        (
            "The unit cost of a cell fell from 104 euros in 2023 to 91 euros in 2024.",
            "The unit cost of a cell fell from 118 euros in 2022 to 104 euros in 2023.",
        ),
        (
            "The second line opened in 2023.",
            "The second line will open in 2026.",
        ),
        (
            "The unit cost of a cell fell by 31 % between 2021 and 2024.",
            "Material makes up 42 % of the unit cost of a cell.",
        ),
        ("In 2010 the firm had 100 employees.", "In 2020 the firm had 900 employees."),
        ("In Germany the firm has 100 shops.", "In France the firm has 900 shops."),
        ("The cost was $100 per user.", "The cost was €90 per user."),
        ("Only the first 72 bytes count.", "Only the first 100 characters count."),
        ("PBKDF2-SHA1 needs 1,300,000 iterations.", "PBKDF2-SHA512 needs 210,000 iterations."),
        ("Django 4.2 uses 600,000 iterations.", "Django 5.2 uses 1,000,000 iterations."),
        ("Verifiers shall require at least 8 characters.", "Verifiers should permit at least 64 characters."),
        ("Passwords shall have at least 12 characters.", "Passwords should have at least 16 characters."),
        ("Passwords must be at least 12 characters.", "Passwords of 12 characters or more are needed."),
        ("Over 500 users took part.", "612 users took part."),
        ("Salts are unique.", "Bananas are yellow."),
        ("It is not possible to undo a hash.", "It is impossible to undo a hash."),
        (
            "CREATE INDEX a ON b USING flat (c) WITH (lists = 100);",
            "CREATE INDEX a ON b USING flat (c) WITH (lists = 900);",
        ),
        ("Sites should not hide which hash they use.", "You do not need to hide which hash is used."),
        (
            "The smallest version of Perl that works rose from 5.6 to 5.8.",
            "The smallest version of Ruby that works rose from 2.1 to 3.0.",
        ),
        ("See Sec. 10.2 on how to reset a lost key.", "See Section 10.2 on how to reset a lost key."),
        (
            "A user who lost the key should be told how.",
            "A key should never be stored in the open by a user.",
        ),
        ("Sales rose in spring, whereas costs were flat.", "Sales rose in spring, however slowly."),
        ("In 2016 sales rose.", "In 2017 sales rose."),
        ("The mill in Oslo ground 40 sacks of wheat.", "The mill in Lima ground 55 sacks of wheat."),
        ("The mill ground 40 sacks of wheat.", "The mill ground 40 sacks of wheat and 55 of rye."),
        ("The long ship sailed out from Lima.", "The long ship sailed out from Quito."),
        ("The Section of the book on keys is in Sec.", "The Section of the book on keys is in Section."),
        (
            "The old library calls the module utils.Hash here.",
            "The old library calls the module utils.Salt here.",
        ),
        ("The mill burned in 1802.", "The mill burned in 1805."),
        ("The mill was built in 1802 and 1803.", "The mill was built in 1805."),
        ("Verifiers must permit at least 64 characters.", "Verifiers must require at least 8 characters."),
        ("The hall is lit by lamps at night.", "The hall is lit by torches at night."),
        ("The cost rose and wages fell in Oslo.", "The cost fell and wages rose in Oslo."),
        ("Salts.", "Salts not."),
        (
            "Users must not share the passwords that staff once gave out.",
            "Users shall give staff the passwords.",
        ),
        ("Django 4 needs keys of 12 bits.", "Rails 5 needs keys of 16 bits."),
        ("Norway and Sweden and Chile sold 40 ships of oak.", "Norway sold 55 ships of oak."),
        ("Alice chose the strong algorithm here.", "Bob chose the strong algorithm here."),
        (
            "There are three key parameters to set when constructing an IVF-PQ index:",
            "There are three key parameters to set when constructing an HNSW index:",
        ),
    ],
)
def test_another_statement_is_no_conflict(a, b):
    assert difference(a, b) is None
    assert difference(b, a) is None


def test_likeness_by_embedding_makes_up_for_other_words_from_six_tenths_on():
    a = "Teleworkers should change their passwords regularly, following the policy."
    b = "Verifiers should not require secrets to be changed arbitrarily."
    assert difference(a, b) is None
    assert difference(a, b, 0.59) is None
    assert difference(a, b, 0.6) == SentenceConflict(ConflictKind.POLARITY, "should", "should not")


def test_both_sides_are_named():
    found = difference("Passwords need at least 12 characters.", "Passwords need at least 8 characters.")
    assert found is not None
    assert found.text == "“at least 12” against “at least 8”"


def gold(library: str) -> dict:
    path = SHARED / library / "gold.json"
    if not path.exists():
        pytest.skip(f"{path.name} of {library} is not here")
    return json.loads(path.read_text())


def conflicts_within(sides: list[dict]) -> int:
    return sum(difference(a["sentence"], b["sentence"]) is not None for a, b in combinations(sides, 2))


@pytest.mark.parametrize(
    ("library", "topic"), [("library-passwords", "D2"), ("library-passwords", "D7"), ("library-sample", "D1")]
)
def test_known_disagreements_of_real_documents_are_seen(library, topic):
    (entry,) = (each for each in gold(library)["disagreements"] if each["id"] == topic)
    assert conflicts_within(entry["sides"]) > 0


def test_sides_of_different_disagreements_are_not_in_conflict():
    topics = gold("library-passwords")["disagreements"]
    firsts = [topic["sides"][0] for topic in topics]
    assert conflicts_within(firsts) == 0


@given(st.text(max_size=80))
def test_a_text_is_never_in_conflict_with_itself(text):
    assert difference(text, text) is None


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_texts_are_compared(a, b):
    assert (difference(a, b) is None) == (difference(b, a) is None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rounds_of_hashing = 29000", True),
        ("def rehash(key, *, rounds=12): return key", True),
        ("The key has at least 256 bits (32 bytes).", False),
        ("a = b", False),
        ("f(x) and g(y)", True),
        ("#" + "a" * 77 + "#", True),
        ("#" + "a" * 78 + "#", False),
        ("", False),
    ],
)
def test_code_is_told_from_sentences(text, expected):
    assert is_code(text) is expected
