import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.verification import Overall, VerdictStatus, judge_report


def test_accuracy_counts_half_for_partial_claims():
    found = judge_report(
        [
            VerdictStatus.VERIFIED,
            VerdictStatus.PARAPHRASED_ACCURATE,
            VerdictStatus.PARTIALLY_SUPPORTED,
            VerdictStatus.UNSUPPORTED,
        ]
    )
    assert found.accuracy == pytest.approx(2.5 / 4)
    assert found.overall is Overall.NEEDS_REVISION


def test_what_could_not_be_checked_does_not_count():
    found = judge_report([VerdictStatus.VERIFIED, VerdictStatus.UNVERIFIABLE, VerdictStatus.UNVERIFIED])
    assert (found.accuracy, found.overall) == (1.0, Overall.PASSED)


def test_nothing_checked_is_no_pass():
    assert judge_report([VerdictStatus.UNVERIFIABLE]).accuracy is None
    assert judge_report([]).overall is Overall.FAILED


def test_mostly_unsupported_fails():
    assert judge_report([VerdictStatus.UNSUPPORTED] * 3 + [VerdictStatus.VERIFIED]).overall is Overall.FAILED


@pytest.mark.parametrize("flaw", [{"hallucinations": 1}, {}])
def test_a_hallucination_or_a_contradicted_claim_keeps_a_report_from_passing(flaw):
    statuses = [VerdictStatus.VERIFIED] * 30 + ([] if flaw else [VerdictStatus.CONTRADICTED])
    assert judge_report(statuses, **flaw).overall is Overall.NEEDS_REVISION


@given(st.lists(st.sampled_from(VerdictStatus), max_size=12), st.integers(0, 2))
def test_a_passed_report_is_accurate_and_clean(statuses, hallucinations):
    found = judge_report(statuses, hallucinations=hallucinations)
    if found.overall is Overall.PASSED:
        assert found.accuracy is not None
        assert found.accuracy >= 0.9
        assert not hallucinations
        assert VerdictStatus.CONTRADICTED not in statuses
