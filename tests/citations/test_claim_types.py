import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.entailment.claim_types import ClaimType, VerificationLevel, classify, is_checkable, is_checked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 % of users reuse their password.", ClaimType.STATISTIC),
        ("Passwords must have at least 8 characters.", ClaimType.STATISTIC),
        ("The director said: “we never store your password”.", ClaimType.QUOTE),
        ("The standard was published in June 2017.", ClaimType.DATE),
        ("Bcrypt was designed by Niels Provos.", ClaimType.NAME),
        ("Argon2id resists side channels.", ClaimType.FACT),
        ("The third revision replaced it.", ClaimType.FACT),
        ("I think that passwords are dead.", ClaimType.OPINION),
        ("Passwords will disappear.", ClaimType.PREDICTION),
        ("Sales are expected to reach $5 million.", ClaimType.PREDICTION),
        ("Verifiers SHOULD NOT impose composition rules.", ClaimType.FACT),
    ],
)
def test_claims_are_told_apart(text, expected):
    assert classify(text) is expected


@pytest.mark.parametrize("text", ["Is it so?", "Yes, indeed.", "", "...", "Password"])
def test_what_states_nothing_is_not_checkable(text):
    assert not is_checkable(text)


@pytest.mark.parametrize(("length", "checkable"), [(5_000, True), (5_001, False)])
def test_what_is_too_long_to_be_one_statement_is_not_checkable(length, checkable):
    assert is_checkable("Salts are unique ".ljust(length, ".")) is checkable


def test_a_question_is_none_whatever_stands_around_it():
    assert not is_checkable("Salts are unique? \n")
    assert is_checkable("Are salts unique? They are.")


def test_a_statement_is_checkable():
    assert is_checkable("Salts are unique.")


@pytest.mark.parametrize(
    ("level", "checked"),
    [
        (VerificationLevel.BASIC, {"statistic", "name", "fact"}),
        (VerificationLevel.STANDARD, {"statistic", "name", "fact", "quote", "date"}),
    ],
)
def test_a_level_says_what_is_checked(level, checked):
    assert {each.value for each in ClaimType if is_checked(each, level)} == checked


def test_the_strict_level_checks_everything():
    assert all(is_checked(each, VerificationLevel.STRICT) for each in ClaimType)


@given(st.text(max_size=150))
def test_any_text_has_a_type(text):
    assert isinstance(classify(text), ClaimType)
