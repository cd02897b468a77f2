"""The disk of the files is full: a run waits with the reason, fails with it, and nothing that was stored is lost."""

from collections.abc import Iterator

import pytest

from exports.files.export_file_state import ExportState, TakenFile
from exports.files.export_lease import begin_again
from exports.formats.export_formats import Format
from research.db.tenancy import tenant_context
from research.models import Run, State, Step
from slides.models import DeckFile, Mode
from tests.crash import beside
from tests.crash.full_disk import Disk, small_disk
from tests.crash.rig import Rig
from tests.crash.stage import LONG, Stage, count_begun_steps, wait_for_completion

pytestmark = [pytest.mark.crash, pytest.mark.usefixtures("fault_row")]
SAID = "The disk is full: the file could not be stored."
PATIENCE_S = 60
FORMATS = (Format.CSV, Format.PDF, Format.DOCX)


@pytest.fixture
def disk(stage: Stage) -> Iterator[Disk]:
    with small_disk(stage) as made:
        yield made


def list_waiting_messages(stage: Stage, run: Run) -> list[str]:
    """Return the messages of the steps that wait for room."""
    with tenant_context(stage.tenant_id):
        rows = Step.objects.filter(run=run, status="retrying", error_code="DISK_FULL")
        return list(rows.values_list("error_message", flat=True))


def let_them_try(stage: Stage, run: Run) -> None:
    """Skip the pauses, which add up to minutes."""
    with tenant_context(stage.tenant_id):
        Step.objects.filter(run=run, status="retrying", error_code="DISK_FULL").update(not_before=None)


@pytest.mark.parametrize("where", ["collects", "reads"])
def test_the_disk_is_full_while_a_run(where: str, live_rig: Rig, stage: Stage, disk: Disk) -> None:
    """Its steps wait, and go on by themselves once there is room: the report is the same as without."""
    run = stage.start(live_rig, **LONG, copies=where == "reads")
    assert live_rig.wait_until(lambda: count_begun_steps(live_rig, run) > 5, PATIENCE_S)
    disk.fill()
    assert live_rig.wait_until(lambda: len(list_waiting_messages(stage, run)) > 1, PATIENCE_S)
    assert all(message.startswith(SAID) for message in list_waiting_messages(stage, run))
    assert not stage.has_ended(run)
    disk.make_room()
    wait_for_completion(live_rig, stage, run)


def test_the_disk_stays_full_and_the_run_fails_with_the_reason(
    live_rig: Rig, stage: Stage, disk: Disk
) -> None:
    """Stored work is still there, and with room the same run is whole."""
    before = stage.start(live_rig)
    wait_for_completion(live_rig, stage, before)
    disk.fill()
    run = stage.start(live_rig, edition=" on a full disk")

    def has_ended() -> bool:
        let_them_try(stage, run)
        return stage.has_ended(run)

    assert live_rig.wait_until(has_ended, PATIENCE_S)
    ended = stage.fresh(run)
    assert (ended.state, ended.failure_code) == (State.FAILED, "DISK_FULL")
    assert ended.failure_message.startswith(SAID)
    stage.assert_sound(live_rig)
    disk.make_room()
    wait_for_completion(live_rig, stage, stage.start(live_rig, edition=" on a full disk"))
    stage.assert_whole(live_rig, before)


def test_the_disk_is_full_when_files_are_made(live_rig: Rig, stage: Stage, disk: Disk) -> None:
    """Each fails in words, its run does not, nothing of it stays; and asked for again it is there."""
    run = stage.start(live_rig)
    wait_for_completion(live_rig, stage, run)
    version = beside.deck_version(stage, run)
    disk.fill()
    before = disk.files()
    files: list[TakenFile] = [beside.ask_for_file(stage, run, one) for one in FORMATS]
    files += [beside.ask_for_slides(stage, version, mode) for mode in Mode]
    wait_until_over(live_rig, stage, files)
    for failed in (beside.fresh(stage, file) for file in files):
        code = "DECK_NOT_STORED" if isinstance(failed, DeckFile) else "EXPORT_NOT_STORED"
        told = (failed.state, failed.error_code, failed.object_key, failed.file_size)
        assert told == (ExportState.FAILED, code, "", None), failed.error
        assert failed.error.startswith(SAID)
    assert disk.files() == before
    stage.assert_whole(live_rig, run)
    disk.make_room()
    for file in files:
        with tenant_context(stage.tenant_id):
            begin_again(beside.fresh(stage, file))
        beside.forget(stage, file)
    wait_until_over(live_rig, stage, files)
    for ready in (beside.fresh(stage, file) for file in files):
        assert ready.state == ExportState.READY, ready.error
        assert (stage.world.paths.files / ready.object_key).exists()
    stage.assert_whole(live_rig, run)


def wait_until_over(made: Rig, stage: Stage, files: list[TakenFile]) -> None:
    def are_over() -> bool:
        return not any(beside.fresh(stage, file).is_open for file in files)

    assert made.wait_until(are_over, 2 * PATIENCE_S)
