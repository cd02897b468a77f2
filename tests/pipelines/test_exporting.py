"""The files that a run is asked to leave: made when the report is checked; one that fails does not fail the run."""

from dataclasses import replace
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from exports.formats.export_formats import WRITERS, Format
from exports.models import Export, ExportCode, ExportState
from research.db.tenancy import tenant_context
from research.engine.step_runner import drive
from research.models import Kind, State, Step
from research.pipelines.common.pipeline_export_step import MAKE_FILE
from research.pipelines.pipeline_kinds import kind_of
from research.pipelines.report.report_config import ConfigError, parse_config
from research.runs.start_and_cancel import start_run
from research.storage.object_store import get_object
from tests.pipelines.conftest import QUESTION


@pytest.fixture
def plain(monkeypatch):
    """CSV is written as plain words, and RIS falls over."""
    monkeypatch.setitem(WRITERS, Format.CSV, replace(WRITERS[Format.CSV], path="tests.exports.writers.plain"))
    monkeypatch.setitem(
        WRITERS, Format.RIS, replace(WRITERS[Format.RIS], path="tests.exports.writers.faulty")
    )


@pytest.fixture
def run(account, library, plain):
    config = {"folders": [library], "reviews": "never", "exports": ["csv", "ris"]}
    with tenant_context(account.tenant_id):
        run = start_run(owner=account.user, kind=Kind.REPORT, topic=QUESTION, config=config)
    drive(account.tenant_id, run.pk)
    with tenant_context(account.tenant_id):
        run.refresh_from_db()
        yield run


def test_its_files_are_there_when_it_is_done_and_a_failed_one_is_told(run):
    assert (run.state, run.failure_code) == (State.COMPLETED, "")
    there, failed = Export.objects.order_by("format")
    assert (there.state, failed.state, failed.error_code) == (
        ExportState.READY,
        ExportState.FAILED,
        ExportCode.BROKEN,
    )
    assert get_object(there.object_key).startswith(b"en: ")
    steps = Step.objects.filter(run=run, handler=MAKE_FILE)
    assert set(steps.values_list("status", "queue")) == {("completed", "exports")}


def test_a_format_that_there_is_not_is_refused():
    with pytest.raises(ConfigError, match="exports"):
        parse_config({"exports": ["exe"]})


@pytest.mark.parametrize("kind", ["report", "table", "digest", "synthesis", "technical"])
def test_formats_can_be_given_as_words(kind: str) -> None:
    config = kind_of(kind).config
    assert config.model_validate({"exports": "csv, json,"}).exports == (Format.CSV, Format.JSON)


def command(*arguments: str) -> str:
    out = StringIO()
    call_command("export", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.mark.usefixtures("at_work")
def test_a_command_puts_files_into_a_folder(run, tmp_path):
    said = command(str(run.pk), "csv", "--to", str(tmp_path), "--language", "de")
    (file,) = tmp_path.iterdir()
    assert file.read_bytes().startswith(b"de: ")
    assert str(file) in said


@pytest.mark.usefixtures("at_work")
def test_a_command_says_what_could_not_be_made(run, tmp_path):
    with pytest.raises(CommandError, match="1 of 2 files"):
        command(str(run.pk), "csv", "ris", "--to", str(tmp_path))
    (file,) = tmp_path.iterdir()
    (tmp_path / "full" / file.name).mkdir(parents=True)
    with pytest.raises(CommandError, match="1 of 1 files"):
        command(str(run.pk), "csv", "--to", str(tmp_path / "full"))
    with pytest.raises(CommandError, match="There is no folder"):
        command(str(run.pk), "csv", "--to", str(tmp_path / "nowhere"))
    with pytest.raises(CommandError, match="There is no run"):
        command(str(uuid4()), "csv", "--to", str(tmp_path))


@pytest.fixture
def at_work(account, monkeypatch):
    """The test's own database is up already."""
    monkeypatch.setattr("config.services.embedded.build_embedded_services", list)
