"""An owner changes an existing table: release a pilot, try rows again, add rows and columns."""

from datetime import timedelta

import pytest
from django.utils import timezone

from citations.models import Citation, Claim, Section
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.llm.budgets.credits import balance
from research.models import AccountName, CreditEntry, CreditKind, Escalation, Run, State, Step
from research.pipelines.table import table_changes
from research.pipelines.table.items.table_row_lanes import draft_rows
from research.pipelines.table.table_changes import TableRefused
from research.pipelines.table.table_columns import TableField
from tests.tables.rows import AREA, begin, break_row, fill_table, now, statuses, values

SEVEN = ("Arden", "Brightsea", "Calder", "Dale", "Elm", "Fen", "Gorse")
CURRENCY = TableField(name="currency")


@pytest.mark.parametrize(("rows", "minutes", "whole"), [(20, 30, 60), (300, 133, 163)])
def test_a_long_table_has_time_for_its_rows(account, library, rows, minutes, whole) -> None:
    run = begin(account, library, *(f"Land {number}" for number in range(rows)), concurrency=5)
    start = timezone.now()
    with tenant_context(account.tenant_id):
        times = {"state_deadline": start + timedelta(minutes=30), "deadline": start + timedelta(minutes=60)}
        Run.objects.filter(pk=run.pk).update(state=State.COLLECTING, state_entered_at=start, **times)
        assert [draft.key for draft in draft_rows(now(run))] == [f"item.{number}" for number in range(5)]
    limits = now(run)
    assert (limits.state_deadline - start) // timedelta(minutes=1) == minutes
    assert (limits.deadline - start) // timedelta(minutes=1) == whole


@pytest.fixture
def table_run(account: PersonalAccount, library: str) -> Run:
    return fill_table(account, begin(account, library, "Arden", "Calder"))


def list_placed_numbers(run: Run) -> list[int | None]:
    with tenant_context(run.tenant_id):
        claims = Claim.objects.filter(run=run, section__isnull=False).order_by("number")
        return list(claims.values_list("number", flat=True))


def test_a_pilot_fills_five_rows_and_waits(account: PersonalAccount, library: str) -> None:
    run = fill_table(account, begin(account, library, *SEVEN, is_pilot=True))
    assert run.state == State.HUMAN_REVIEW_PLAN
    assert statuses(run) == ["completed"] * 5 + ["pending"] * 2
    with tenant_context(account.tenant_id):
        assert Escalation.objects.get(run=run).rule == "pilot_release"


def test_a_released_pilot_fills_the_rest(account: PersonalAccount, library: str) -> None:
    run = fill_table(account, begin(account, library, *SEVEN, is_pilot=True))
    with tenant_context(account.tenant_id):
        assert table_changes.release_rest(run.pk, account.user) == 2
    run = fill_table(account, run)
    assert (run.state, statuses(run)) == (State.COMPLETED, ["completed"] * 7)


def test_a_column_of_a_pilot_is_changed_and_its_rows_wait_again(
    account: PersonalAccount, library: str
) -> None:
    run = fill_table(account, begin(account, library, *SEVEN, is_pilot=True))
    with tenant_context(account.tenant_id):
        table_changes.change_field(run.pk, account.user, "area", CURRENCY)
    run = fill_table(account, run)
    assert (run.state, statuses(run)) == (State.HUMAN_REVIEW_PLAN, ["completed"] * 5 + ["pending"] * 2)
    assert values(run)["Arden"] == {"capital": "Port Arden", "currency": "florin"}
    with tenant_context(account.tenant_id):
        asked = Escalation.objects.filter(run=run).order_by("created_at")
        assert [one.status for one in asked] == ["revised", "open"]
        assert table_changes.release_rest(run.pk, account.user) == 2
    run = fill_table(account, run)
    assert (run.state, statuses(run)) == (State.COMPLETED, ["completed"] * 7)
    assert float(run.cost_credits) == pytest.approx(0.35)


def test_a_pilot_takes_a_column_and_rows_more_and_goes_on_waiting(
    account: PersonalAccount, library: str
) -> None:
    run = fill_table(account, begin(account, library, *SEVEN[:6], is_pilot=True))
    with tenant_context(account.tenant_id):
        table_changes.add_rows(run.pk, account.user, ["Gorse"])
        table_changes.add_field(run.pk, account.user, CURRENCY)
    run = fill_table(account, run)
    assert (run.state, statuses(run)) == (State.HUMAN_REVIEW_PLAN, ["completed"] * 5 + ["pending"] * 2)
    assert values(run)["Arden"]["currency"] == "florin"
    with tenant_context(account.tenant_id):
        assert table_changes.release_rest(run.pk, account.user) == 2
    assert statuses(fill_table(account, run)) == ["completed"] * 7


def test_a_changed_column_is_looked_up_again_and_the_others_stay(
    account: PersonalAccount, table_run: Run
) -> None:
    with tenant_context(account.tenant_id):
        kept = Claim.objects.get(run=table_run, number=101).pk
        table_changes.change_field(table_run.pk, account.user, "area", CURRENCY)
    run = fill_table(account, table_run)
    assert values(run)["Arden"] == {"capital": "Port Arden", "currency": "florin"}
    assert float(run.cost_credits) == pytest.approx(0.2)
    with tenant_context(account.tenant_id):
        assert Claim.objects.get(run=run, number=101).pk == kept


@pytest.mark.parametrize(
    ("name", "field", "words"),
    [
        ("colour", TableField(name="colour"), "no such column"),
        ("area", AREA, "You have not changed anything about the column"),
        ("area", TableField(name="capital"), "“capital”"),
    ],
)
def test_a_change_that_is_none_is_refused(
    account: PersonalAccount, table_run: Run, name: str, field: TableField, words: str
) -> None:
    with tenant_context(account.tenant_id), pytest.raises(TableRefused, match=words):
        table_changes.change_field(table_run.pk, account.user, name, field)
    assert now(table_run).version == table_run.version


def test_a_pilot_that_is_no_longer_one_is_not_released(account: PersonalAccount, table_run: Run) -> None:
    with tenant_context(account.tenant_id), pytest.raises(TableRefused, match="is waiting to be released"):
        table_changes.release_rest(table_run.pk, account.user)


def test_failed_rows_are_tried_again_and_no_other(account: PersonalAccount, table_run: Run) -> None:
    break_row(table_run, 1)
    with tenant_context(account.tenant_id):
        kept = Claim.objects.get(run=table_run, number=101).pk
        assert table_changes.retry_failed(table_run.pk, account.user) == 1
    run = fill_table(account, table_run)
    assert run.state == State.COMPLETED
    assert values(run)["Calder"] == {"capital": "Weir", "area": 12400}
    with tenant_context(account.tenant_id):
        assert Claim.objects.get(run=run, number=101).pk == kept
        again = Step.objects.filter(run=run, key__startswith=f"{run.version - 2}.").exclude(
            handler__startswith="state."
        )
        assert {step.agent_id for step in again if step.agent_id} <= {"item.1"}


def test_a_table_that_is_opened_again_is_the_next_version_of_its_report(
    account: PersonalAccount, table_run: Run
) -> None:
    break_row(table_run, 0)
    with tenant_context(account.tenant_id):
        table_changes.retry_failed(table_run.pk, account.user)
    run = fill_table(account, table_run)
    assert (table_run.report_version, run.report_version) == (1, 2)
    assert list_placed_numbers(run) == [101, 102, 201, 202]
    with tenant_context(account.tenant_id):
        assert list(Section.objects.filter(run=run).values_list("report_version", flat=True)) == [2]
        ends = Step.objects.filter(run=run, handler="state.completed")
        assert [step.output["facts"]["what"] for step in ends] == ["retry_failed"]


def test_each_opening_is_paid_by_its_completed_rows(account: PersonalAccount, table_run: Run) -> None:
    break_row(table_run, 0)
    with tenant_context(account.tenant_id):
        before = balance(AccountName.RESERVED)  # for tables of other tests, which wait
        table_changes.retry_failed(table_run.pk, account.user)
        assert float(balance(AccountName.RESERVED) - before) == pytest.approx(0.05)
    run = fill_table(account, table_run)
    with tenant_context(account.tenant_id):
        assert balance(AccountName.RESERVED) == before
        paid = CreditEntry.objects.filter(
            kind=CreditKind.SETTLE, ref__startswith=f"run:{run.pk}", amount__gt=0
        )
        assert sorted(float(one.amount) for one in paid) == pytest.approx([0.05, 0.1])
    assert float(run.cost_credits) == pytest.approx(0.15)


def test_where_nothing_failed_nothing_is_tried_again(account: PersonalAccount, table_run: Run) -> None:
    with (
        tenant_context(account.tenant_id),
        pytest.raises(TableRefused, match="No row of this table has failed"),
    ):
        table_changes.retry_failed(table_run.pk, account.user)
    assert now(table_run).version == table_run.version


def test_a_cell_that_is_looked_for_again_gets_a_new_claim_and_the_old_one_stays(
    account: PersonalAccount, table_run: Run
) -> None:
    with tenant_context(account.tenant_id):
        old = Claim.objects.get(run=table_run, number=202)
        table_changes.rerun_cell(table_run.pk, account.user, 2, "area")
    run = fill_table(account, table_run)
    with tenant_context(account.tenant_id):
        new = Claim.objects.get(run=run, number=202)
        old.refresh_from_db()
    assert new.pk != old.pk
    assert (old.number, old.section_id) == (None, None)
    assert list_placed_numbers(run) == [101, 102, 201, 202]
    assert values(run)["Calder"] == {"capital": "Weir", "area": 12400}


@pytest.mark.parametrize(
    ("row", "field", "reason"), [(1, "mayor", "no such column"), (9, "area", "no such row")]
)
def test_a_cell_that_is_not_there_is_not_looked_for(
    account: PersonalAccount, table_run: Run, row: int, field: str, reason: str
) -> None:
    with tenant_context(account.tenant_id), pytest.raises(TableRefused, match=reason):
        table_changes.rerun_cell(table_run.pk, account.user, row, field)


def test_rows_are_added_behind_the_others(account: PersonalAccount, table_run: Run) -> None:
    with tenant_context(account.tenant_id):
        assert table_changes.add_rows(table_run.pk, account.user, ["Brightsea", "Arden", " "]) == 1
    run = fill_table(account, table_run)
    assert list(values(run)) == ["Arden", "Calder", "Brightsea"]
    assert values(run)["Brightsea"] == {"capital": "Lanthorn", "area": 920}
    assert (run.items_total, run.items_completed) == (3, 3)


def test_rows_that_are_there_are_not_added(account: PersonalAccount, table_run: Run) -> None:
    with tenant_context(account.tenant_id), pytest.raises(TableRefused, match="already has these rows"):
        table_changes.add_rows(table_run.pk, account.user, ["Arden"])


def test_a_column_that_is_added_is_looked_for_alone(account: PersonalAccount, table_run: Run) -> None:
    with tenant_context(account.tenant_id):
        kept = set(Claim.objects.filter(run=table_run).values_list("pk", flat=True))
        table_changes.add_field(table_run.pk, account.user, CURRENCY)
    run = fill_table(account, table_run)
    assert [row["currency"] for row in values(run).values()] == ["florin", "florin"]
    with tenant_context(account.tenant_id):
        claims = Claim.objects.filter(run=run, section__isnull=False)
        assert kept < set(claims.values_list("pk", flat=True))
        assert list_placed_numbers(run) == [101, 102, 103, 201, 202, 203]
        assert not Citation.objects.filter(claim__in=claims, section=None).exists()


def test_a_column_of_a_name_that_is_there_is_refused(account: PersonalAccount, table_run: Run) -> None:
    with tenant_context(account.tenant_id), pytest.raises(TableRefused, match="Two columns are named"):
        table_changes.add_field(table_run.pk, account.user, TableField(name="area"))
