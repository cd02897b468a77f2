"""Personal data is found by form and check digit, and taken out."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.llm.call_store.model_call_personal_data import (
    SEED,
    PersonalDataKind,
    _windows,
    iban,
    kinds_of,
    luhn,
    personal_data,
    redact_personal_data,
)
from tests.llm.personal_data_cases import FOUND, NOTHING


def is_found(case):
    """A finding of the kind that covers the datum but for its edges."""
    start = case.text.index(case.datum)
    end = start + len(case.datum)
    return any(
        one.kind is case.kind and one.start <= start + 4 and one.end >= end - 1 and one.start < end
        for one in personal_data(case.text)
    )


def test_the_set_has_two_hundred_data_of_all_kinds():
    assert len(FOUND) == 200
    assert {case.kind for case in FOUND} == set(PersonalDataKind)


def test_recall_is_at_least_ninety_five_percent():
    missed = [case for case in FOUND if not is_found(case)]
    assert len(missed) <= 0.05 * len(FOUND), missed


@pytest.mark.parametrize("kind", PersonalDataKind)
def test_no_kind_is_missed_more_often_than_one_time_in_ten(kind):
    of_kind = [case for case in FOUND if case.kind is kind]
    missed = [case for case in of_kind if not is_found(case)]
    assert len(missed) <= 0.1 * len(of_kind), missed


@pytest.mark.parametrize("text", ["CH93 0076 2011", f"CH93 {'0' * 40}"])
def test_a_number_of_another_length_is_no_iban(text):
    assert not iban(text)


def test_text_without_personal_data_is_mostly_left_alone():
    wrong = Counter({text: len(personal_data(text)) for text in NOTHING if personal_data(text)})
    assert len(wrong) <= 0.05 * len(NOTHING), wrong


def test_redaction_takes_the_datum_out_and_says_its_kind():
    text = "Write to ada@example.com or pay to CH93 0076 2011 6238 5295 7."
    assert redact_personal_data(text) == "Write to [email] or pay to [iban]."


def test_what_was_found_in_all_cases_is_gone_after_redaction():
    caught = [case for case in FOUND if is_found(case)]
    assert [case for case in caught if case.datum in redact_personal_data(case.text)] == []


def test_kinds_are_named_once_and_sorted():
    assert kinds_of("b@example.com, a@example.com, 192.0.2.1") == ["email", "ip_address"]


@pytest.mark.parametrize("number", ["4111111111111112", "0000000000000000", "123", "4" * 25])
def test_numbers_that_fail_the_luhn_check_are_no_cards(number):
    assert not luhn(number)


@given(st.integers(0, 10**15 - 1))
def test_every_wrong_check_digit_is_noticed(payload):
    passing = [digit for digit in range(10) if luhn(f"4{payload:015d}"[:15] + str(digit))]
    assert len(passing) == 1


def test_an_iban_with_two_digits_changed_over_is_none():
    assert iban("CH9300762011623852957")
    assert not iban("CH9300762011623852975")


@given(st.text(max_size=400))
def test_findings_never_overlap_and_lie_in_the_text(text):
    spans = [(one.start, one.end) for one in personal_data(text)]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(first[1] <= second[0] for first, second in zip(spans, spans[1:], strict=False))


@given(st.text(alphabet="0123456789 .:()/+-\tABFabf٣é’", max_size=60))
def test_the_quick_search_looks_wherever_figures_may_stand(text):
    seen = list(_windows(text))
    for match in SEED.finditer(text):
        assert any(begin <= match.start() and match.end() <= end for begin, end in seen)
