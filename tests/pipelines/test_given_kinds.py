"""Briefs, digests and syntheses from the command line and by the interface for programs, to their reports."""

import json
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from research.accounts.api_tokens import issue_token
from research.db.tenancy import tenant_context
from research.models import Run, Scope, State
from tests.api.programs import Program
from tests.briefs.making import EIGHT, result
from tests.pipelines.digest.threads import OUTLETS
from tests.pipelines.stepping import go_on
from tests.pipelines.synthesis.test_runs import STUDIES

ASKED: Mapping[str, Mapping[str, object]] = {
    "brief": {"result": result(), "context": {"original_query": "How long must passwords be?"}},
    "digest": OUTLETS,
    "synthesis": {
        "title": "Sleep",
        "studies": [
            {"title": "Pills", "outcome": "sleep", "finding": "Sleep was better with pills.", "direction": "benefit"},
            {"title": "Tea", "outcome": "sleep", "finding": "Sleep was better after tea.", "direction": "benefit"},
        ],
    },
}  # fmt: skip


@pytest.fixture(autouse=True)
def _at_work(account, monkeypatch):
    """The test's own database is up already."""
    monkeypatch.setattr("config.services.embedded.build_embedded_services", list)


def run_command(*arguments: str) -> tuple[int, dict[str, object]]:
    out = StringIO()
    try:
        call_command("research", *arguments, "--json", stdout=out, stderr=StringIO())
    except SystemExit as left:
        return int(str(left.code or 0)), json.loads(out.getvalue())
    return 0, json.loads(out.getvalue())


@pytest.mark.parametrize("kind", sorted(ASKED))
def test_a_file_on_the_command_line_becomes_a_finished_report(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "asked.json"
    file.write_text(json.dumps(ASKED[kind]))
    code, printed = run_command("--kind", kind, "--input", str(file))
    assert (code, printed["status"], printed["cost"]) == (0, "done", 0.0)
    claims = [claim for section in printed["sections"] for claim in section["claims"]]
    assert claims
    assert all(claim["citations"] for claim in claims)


def test_a_table_of_studies_is_read_by_its_columns(tmp_path: Path) -> None:
    file = tmp_path / "studies.csv"
    file.write_text(STUDIES)
    assert run_command("--kind", "synthesis", "--input", str(file))[0] == 0


@pytest.mark.parametrize(
    ("kind", "words", "complaint"),
    [
        ("brief", '{"run_id": "trun_1", "status": "running"}', "not finished yet"),
        ("brief", "{", "not JSON"),
        ("digest", '{"query": "pipes"}', "no list “posts”"),
        ("synthesis", '{"studies": []}', "no study"),
    ],
)
def test_what_cannot_be_used_is_said_and_starts_nothing(
    account, tmp_path: Path, kind: str, words: str, complaint: str
) -> None:
    file = tmp_path / "asked.json"
    file.write_text(words)
    with tenant_context(account.tenant_id):
        before = Run.objects.count()
    with pytest.raises(CommandError, match=complaint):
        call_command("research", "--kind", kind, "--input", str(file), stdout=StringIO())
    with tenant_context(account.tenant_id):
        assert Run.objects.count() == before


@pytest.fixture
def program(account) -> Program:
    with tenant_context(account.tenant_id):
        return Program(issue_token(account.user, "a program", tuple(Scope), None)[1])


@pytest.mark.parametrize("kind", sorted(ASKED))
def test_a_program_starts_one_and_reads_its_report(account, program: Program, kind: str) -> None:
    started = program.post("/runs", {"kind": kind, "input": ASKED[kind], "config": {"engine": "extractive"}})
    assert started.status_code == 201, started.content
    with tenant_context(account.tenant_id):
        run = Run.objects.get(pk=started.json()["id"])
    assert go_on(run).state == State.COMPLETED
    report = program.get(f"/runs/{run.pk}/report").json()
    assert (report["kind"], report["status"]) == (kind, "done")
    claims = program.get(f"/runs/{run.pk}/claims").json()
    assert claims["items"]
    if kind == "brief":
        assert EIGHT in json.dumps(claims, ensure_ascii=False)


def test_a_program_is_told_what_makes_no_brief(program: Program) -> None:
    answer = program.post(
        "/runs", {"kind": "brief", "input": {"result": {"run_id": "t", "status": "failed"}}}
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "refused")
    assert "“failed”" in json.dumps(answer.json(), ensure_ascii=False)
