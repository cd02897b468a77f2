import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.comparing.conflicts import ConflictKind, difference, is_code

SHARED = Path(__file__).parents[3] / "shared" / "data"


def kind(a: str, b: str, cosine: float | None = None) -> ConflictKind | None:
    found = difference(a, b, cosine)
    return None if found is None else found.kind


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (
            "Passwords must be at least 12 characters.",
            "Verifiers require memorized secrets to be at least 8 characters in length.",
            ConflictKind.NUMERIC,
        ),
        (
            "Use PBKDF2 with a work factor of 310,000.",
            "Use PBKDF2 with a work factor of 600,000.",
            ConflictKind.NUMERIC,
        ),
        (
            "The standard was published in June 2017.",
            "The standard was published in May 2016.",
            ConflictKind.TEMPORAL,
        ),
        (
            "Verifiers should require periodic changes.",
            "Verifiers should not require periodic changes.",
            ConflictKind.POLARITY,
        ),
        (
            "If the rule applies, use 310,000 rounds or more with a key of 256 bits.",
            "If the rule applies, use 600,000 rounds or more with a key of 256 bits.",
            ConflictKind.NUMERIC,
        ),
        (
            "Hashing can not be undone (it is possible to undo encryption).",
            "Hashing can be undone (it is possible to undo encryption).",
            ConflictKind.POLARITY,
        ),
        (
            "Password reuse rose among young users.",
            "Password reuse fell among young users.",
            ConflictKind.POLARITY,
        ),
        (
            "If you do not know the difference, choose Argon2i.",
            "If you do not know the difference, choose Argon2id.",
            ConflictKind.CATEGORICAL,
        ),
    ],
)
def test_what_cannot_both_hold_is_in_conflict(a, b, expected):
    assert kind(a, b) is expected
    assert kind(b, a) is expected


@pytest.mark.parametrize(
    ("a", "b"),
    [
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
        ("Alice chose the strong algorithm here.", "Bob chose the strong algorithm here."),
    ],
)
def test_another_statement_is_no_conflict(a, b):
    assert difference(a, b) is None
    assert difference(b, a) is None


def test_likeness_by_embedding_makes_up_for_other_words():
    a = "Teleworkers should change their passwords regularly, following the policy."
    b = "Verifiers should not require secrets to be changed arbitrarily."
    assert kind(a, b) is None
    assert kind(a, b, 0.75) is ConflictKind.POLARITY


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
        ("", False),
    ],
)
def test_code_is_told_from_sentences(text, expected):
    assert is_code(text) is expected
