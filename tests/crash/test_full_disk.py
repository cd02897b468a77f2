"""The disk of the files is full: a run waits with the reason, fails with it, and nothing that was stored is lost."""

from collections.abc import Iterator
from functools import partial

import pytest

from exports.asking import make_again
from exports.models import Export, ExportState
from research.models import Run, State, Step
from research.objects import has_object
from research.tenancy import tenant_context
from tests.crash import beside
from tests.crash.full_disk import Disk, small_disk
from tests.crash.rig import Rig
from tests.crash.stage import FULL_ONLY, LONG, Stage, begun, completed

pytestmark = [pytest.mark.crash, pytest.mark.usefixtures("passed"), FULL_ONLY]
SAID = "The disk is full: the file could not be stored."
PATIENCE_S = 60


@pytest.fixture
def disk(stage: Stage) -> Iterator[Disk]:
    with small_disk(stage) as made:
        yield made


def waiting_for_room(stage: Stage, run: Run) -> list[str]:
    """What the steps say that wait for it."""
    with tenant_context(stage.tenant_id):
        rows = Step.objects.filter(run=run, status="retrying", error_code="DISK_FULL")
        return list(rows.values_list("error_message", flat=True))


def let_them_try(stage: Stage, run: Run) -> None:
    """As if the pauses were over, which add up to minutes."""
    with tenant_context(stage.tenant_id):
        Step.objects.filter(run=run, status="retrying", error_code="DISK_FULL").update(not_before=None)


@pytest.mark.parametrize("where", ["collects", "reads"])
def test_the_disk_is_full_while_a_run(where: str, made: Rig, stage: Stage, disk: Disk) -> None:
    """Its steps wait, and go on by themselves once there is room: the report is the same as without."""
    run = stage.start(made, **LONG, copies=where == "reads")
    assert made.wait_until(lambda: begun(made, run) > 5, PATIENCE_S)
    disk.fill()
    assert made.wait_until(lambda: len(waiting_for_room(stage, run)) > 1, PATIENCE_S)
    assert all(message.startswith(SAID) for message in waiting_for_room(stage, run))
    assert not stage.has_ended(run)
    disk.make_room()
    completed(made, stage, run)


def test_the_disk_stays_full_and_the_run_fails_with_the_reason(made: Rig, stage: Stage, disk: Disk) -> None:
    """What was stored before is there; and with room the same again is whole."""
    before = stage.start(made)
    completed(made, stage, before)
    disk.fill()
    run = stage.start(made, edition=" on a full disk")

    def has_ended() -> bool:
        let_them_try(stage, run)
        return stage.has_ended(run)

    assert made.wait_until(has_ended, PATIENCE_S)
    ended = stage.fresh(run)
    assert (ended.state, ended.failure_code) == (State.FAILED, "DISK_FULL")
    assert ended.failure_message.startswith(SAID)
    stage.assert_sound(made)
    disk.make_room()
    completed(made, stage, stage.start(made, edition=" on a full disk"))
    stage.assert_whole(made, before)


def test_the_disk_is_full_when_a_file_is_made(made: Rig, stage: Stage, disk: Disk) -> None:
    """The file fails in words, its run does not, and asked for again it is there."""
    run = stage.start(made)
    completed(made, stage, run)
    disk.fill()
    asked_for = beside.ask_for_file(stage, run)
    assert made.wait_until(partial(is_over, stage, asked_for), PATIENCE_S)
    failed = fresh(stage, asked_for)
    assert (failed.state, failed.error_code) == (ExportState.FAILED, "EXPORT_NOT_STORED")
    assert failed.error.startswith(SAID)
    stage.assert_whole(made, run)
    disk.make_room()
    with tenant_context(stage.tenant_id):
        make_again(failed)
        Export.objects.filter(pk=failed.pk).update(updated_at=asked_for.created_at - beside.MINUTE)
    assert made.wait_until(partial(is_over, stage, asked_for), PATIENCE_S)
    ready = fresh(stage, asked_for)
    assert ready.state == ExportState.READY, ready.error
    with tenant_context(stage.tenant_id):
        assert has_object(ready.object_key)


def fresh(stage: Stage, asked_for: Export) -> Export:
    with tenant_context(stage.tenant_id):
        return Export.objects.get(pk=asked_for.pk)


def is_over(stage: Stage, asked_for: Export) -> bool:
    return not fresh(stage, asked_for).is_open
