"""Work is given up in a fixed order when tokens run short."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.db.tenancy import tenant_context
from research.llm.budgets.budget_degradations import (
    MEASURES,
    DegradationCode,
    RunProgress,
    next_degradation,
    record_degradation,
    sections_kept,
)
from research.llm.budgets.budget_status import BudgetStatus, RemainingBudget
from research.models import AgentRole, Degradation, State

SCARCE = BudgetStatus(tokens=RemainingBudget(0.08))
NEARLY_NOTHING = BudgetStatus(tokens=RemainingBudget(0.04))
EARLY = RunProgress(
    State.COLLECTING, sources_found=21, target_sources=30, sources_unread=21, sections_total=5
)


def code_of(status, progress):
    found = next_degradation(status, progress)
    return found.code if found else None


def test_with_enough_left_nothing_is_given_up():
    assert code_of(BudgetStatus(tokens=RemainingBudget(0.10)), EARLY) is None


def test_measures_come_in_the_order_of_what_they_cost():
    impacts = [measure.impact for measure in MEASURES]
    assert impacts == sorted(impacts) == [0.15, 0.20, 0.25, 0.40]


def test_the_search_ends_first_when_seven_tenths_are_found():
    assert code_of(SCARCE, EARLY) is DegradationCode.STOP_COLLECTING


def test_with_too_few_sources_the_search_goes_on_and_reading_is_shallow():
    too_few = RunProgress(State.COLLECTING, sources_found=20, target_sources=30)
    assert code_of(SCARCE, too_few) is DegradationCode.SHALLOW_EXTRACTION


def test_while_reading_the_rest_is_read_less_deeply():
    assert code_of(SCARCE, RunProgress(State.READING, sources_unread=3)) is DegradationCode.SHALLOW_EXTRACTION


def test_with_everything_read_sections_are_dropped():
    assert code_of(SCARCE, RunProgress(State.READING, sections_total=5)) is DegradationCode.FEWER_SECTIONS


@pytest.mark.parametrize(
    ("written", "code"), [(3, DegradationCode.FEWER_SECTIONS), (4, DegradationCode.FEWER_SECTIONS), (5, None)]
)
def test_sections_are_dropped_only_while_some_are_unwritten(written, code):
    progress = RunProgress(State.SYNTHESIZING, sections_total=5, sections_written=written)
    assert code_of(SCARCE, progress) is code


def test_a_single_section_is_written():
    assert code_of(SCARCE, RunProgress(State.SYNTHESIZING, sections_total=1)) is None


@pytest.mark.parametrize(("share", "code"), [(0.05, None), (0.049, DegradationCode.NO_MODEL_VERIFICATION)])
def test_a_models_check_is_skipped_only_under_a_twentieth(share, code):
    assert code_of(BudgetStatus(tokens=RemainingBudget(share)), RunProgress(State.VERIFYING)) is code


def test_a_role_that_ran_out_is_spared_though_the_run_has_plenty():
    status = BudgetStatus(roles={AgentRole.WRITER: RemainingBudget(0.2, is_exceeded=True)})
    assert code_of(status, EARLY) is DegradationCode.FEWER_SECTIONS


def test_cost_alone_degrades_nothing():
    assert code_of(BudgetStatus(cost=RemainingBudget(0.01)), EARLY) is None


def test_a_run_that_is_over_gives_nothing_up():
    assert code_of(NEARLY_NOTHING, RunProgress(State.COMPLETED)) is None


progresses = st.builds(
    RunProgress,
    state=st.sampled_from(State),
    sources_found=st.integers(0, 60),
    target_sources=st.integers(0, 60),
    sources_unread=st.integers(0, 60),
    sections_total=st.integers(0, 12),
    sections_written=st.integers(0, 12),
)
lefts = st.builds(RemainingBudget, st.floats(0, 1), st.booleans())
statuses = st.builds(BudgetStatus, lefts, lefts, st.dictionaries(st.sampled_from(AgentRole), lefts))


@given(status=statuses, progress=progresses)
def test_each_measure_is_taken_once_and_never_before_a_lesser_one_that_would_help(status, progress):
    taken = []
    while (measure := next_degradation(status, progress)) is not None:
        taken.append(measure)
        codes = progress.applied | {measure.code}
        progress = RunProgress(
            progress.state, progress.sources_found, progress.target_sources, progress.sources_unread,
            progress.sections_total, progress.sections_written, codes,
        )  # fmt: skip
    assert [measure.impact for measure in taken] == sorted({measure.impact for measure in taken})


@given(total=st.integers(0, 100))
def test_six_tenths_of_the_sections_are_kept(total):
    assert 0.6 * total <= sections_kept(total) < 0.6 * total + 1


def test_what_was_given_up_is_kept_and_shown_once(run):
    with tenant_context(run.tenant_id):
        assert record_degradation(run.pk, MEASURES[1])
        assert not record_degradation(run.pk, MEASURES[1])
        assert record_degradation(run.pk, MEASURES[3])
        run.refresh_from_db()
        assert [entry["code"] for entry in run.degradations] == [
            "shallow_extraction",
            "no_model_verification",
        ]
        assert run.degradations[0]["reason"].startswith("Few tokens were left")
        assert Degradation.objects.filter(run=run).count() == run.snapshot_version == 2
