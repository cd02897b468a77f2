"""A digest from its file to the tree that pages and files draw."""

import json
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from exports.building.build_document import build_document
from exports.formats.export_formats import WRITERS, Format
from exports.formats.export_options import ExportOptions
from research.db.tenancy import tenant_context
from research.models import State
from research.pipelines.digest.digest_result import Digest
from research.pipelines.digest.start_digest import read_file, start_digest
from tests.pipelines.digest.threads import OUTLETS, as_file
from tests.pipelines.stepping import go_on
from tests.web.pages import words


def digest_of(account, thread, **config):
    with tenant_context(account.tenant_id):
        run = start_digest(owner=account.user, asked=read_file("t.json", as_file(thread)), config=config)
    run = go_on(run)
    with tenant_context(account.tenant_id):
        return run, Digest.model_validate(run.outcome["own"]), build_document(run.pk)


@pytest.fixture(scope="module")
def outlets(account):
    return digest_of(account, OUTLETS)


def test_a_discussion_becomes_a_digest(outlets):
    run, digest, document = outlets
    assert (run.state, digest.status, document.status) == (State.COMPLETED, "ok", "done")
    assert [section.heading for section in document.sections] == ["Summary", "Cautions"]
    assert digest.summary
    assert digest.cautions
    assert digest.prompt_version == "digest.rules.v2"


def test_what_is_left_out_for_safety_is_said_among_the_cautions_and_the_warnings_alone(
    account, outlets, client
):
    client.force_login(account.user)
    page = words(client.get(f"/runs/{outlets[0].pk}/report/"))
    assert page.count("Instructions about mains electricity are left out here") == 2


@pytest.mark.parametrize("form", [Format.MARKDOWN, Format.JSON, Format.HTML])
def test_no_file_repeats_what_is_left_out(outlets, form):
    written = WRITERS[form].write(outlets[2], ExportOptions(), lambda _share: None).decode()
    assert "GFCI protects people" in written
    assert "jumper neutral" not in written


def test_a_digest_is_printed_as_a_preview_and_one_that_is_not_there_is_named(outlets, monkeypatch, capsys):
    monkeypatch.setattr("config.services.embedded.build_embedded_services", list)
    run, digest, _document = outlets
    call_command("digest_preview", str(run.pk), "--variant", "rules")
    told = json.loads(capsys.readouterr().out)
    assert (told["id"], told["variant"], told["digest"]) == (
        str(run.pk),
        "rules",
        digest.model_dump(mode="json"),
    )
    assert told["fetch"]["posts"]
    other = str(uuid4())
    with pytest.raises(CommandError, match=f"There is no digest {other}"):
        call_command("digest_preview", other)
