"""Rules for all requests: done once a key, counted, paged, failures as problems."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from exports.formats.export_json_shape import Report
from research.accounts.api_tokens import forget_old_answers
from research.db.tenancy import tenant_context
from research.integrations.api_rate_limit import Buckets
from research.models import KeptAnswer, LibraryDocument, Run, Scope
from tests.api.programs import Program, program_of
from tests.api.routes import QUESTION

pytestmark = pytest.mark.django_db
OTHER = {"kind": "report", "input": {"question": "Why is it so?"}}


def count(person, model=Run) -> int:
    with tenant_context(person.tenant.pk):
        return model.objects.count()


def test_the_same_request_with_its_key_is_done_once(program, ada):
    first = program.post("/runs", QUESTION, Idempotency_Key="k1")
    again = program.post("/runs", QUESTION, Idempotency_Key="k1")
    assert (first.status_code, again.status_code, count(ada)) == (201, 201, 1)
    assert (again.json(), again.headers["Location"]) == (first.json(), first.headers["Location"])
    assert again.headers["Idempotency-Replayed"] == "true"


def test_a_key_belongs_to_one_request(program, ada):
    program.post("/runs", QUESTION, Idempotency_Key="k1")
    response = program.post("/runs", OTHER, Idempotency_Key="k1")
    assert (response.status_code, response.json()["code"], count(ada)) == (422, "key_reused", 1)
    assert program_of(ada).post("/runs", OTHER, Idempotency_Key="k1").status_code == 201  # another token's


def test_a_file_sent_again_is_the_same_whatever_its_boundary(program, ada):
    def send(words: bytes):
        file = SimpleUploadedFile("a.txt", words)
        return program.upload("/library/documents", {"file": file, "folder": "New"}, Idempotency_Key="k2")

    assert (send(b"Words.").json(), count(ada, LibraryDocument)) == (send(b"Words.").json(), 1)
    assert send(b"Others.").json()["code"] == "key_reused"


def test_what_was_refused_may_be_asked_again_with_the_same_key(program, ada):
    refused = program.post(
        "/runs", {**QUESTION, "config": {"sources": "both", "providers": ["x"]}}, Idempotency_Key="k"
    )
    assert (refused.status_code, refused.json()["code"], count(ada, KeptAnswer)) == (422, "refused", 0)
    assert [one["field"] for one in refused.json()["errors"]] == ["providers"]
    assert program.post("/runs", QUESTION, Idempotency_Key="k").status_code == 201


def test_a_key_is_forgotten_after_a_day(program, ada):
    program.post("/runs", QUESTION, Idempotency_Key="k1")
    with tenant_context(ada.tenant.pk):
        KeptAnswer.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert program.post("/runs", OTHER, Idempotency_Key="k1").status_code == 201
    with tenant_context(ada.tenant.pk):
        KeptAnswer.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert (forget_old_answers(), count(ada, KeptAnswer)) == (1, 0)


def test_ten_runs_a_minute_are_started_and_the_eleventh_waits(program, settings):
    limits = {**settings.PLUMBLINE_LIMITS, "starts_a_minute": (3,), "runs": (99,)}
    settings.PLUMBLINE_LIMITS = limits
    answers = [program.post("/runs", QUESTION) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
    assert answers[0].headers["RateLimit-Limit"] == "3"
    assert [answer.headers["RateLimit-Remaining"] for answer in answers] == ["2", "1", "0", "0"]
    assert 0 < int(answers[3].headers["Retry-After"]) <= 20
    assert answers[3].json()["code"] == "too_many_requests"
    assert program.get("/runs").status_code == 200  # reading is not counted


def test_a_bucket_fills_evenly():
    buckets = Buckets()
    left = [buckets.take(["a"], [2], now)[0] for now in (0.0, 0.0, 0.0, 29.0, 30.1)]
    assert [wait > 0 for _left, _full, wait in left] == [False, False, True, True, False]
    assert buckets.take(["b"], [2], 0.0)[0][2] == 0


def test_a_list_is_read_page_by_page_without_gaps(program, ada):
    with tenant_context(ada.tenant.pk):
        made = [Run.objects.create(owner=ada.user, topic=f"Question {number}") for number in range(5)]
    found, cursor = [], ""
    while True:
        page = program.get(f"/runs?limit=2{cursor}").json()
        found += [one["id"] for one in page["items"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert found == [str(one.pk) for one in reversed(made)]


def test_claims_are_paged_in_the_order_of_the_report(program, world):
    first = program.get(f"/runs/{world.run.pk}/claims?limit=2").json()
    rest = program.get(f"/runs/{world.run.pk}/claims?cursor={first['next']}").json()
    assert [one["number"] for one in first["items"] + rest["items"]] == [1, 2, 3]
    assert rest["next"] is None


def test_runs_are_filtered(program, world, table):
    def ids(query: str) -> list[str]:
        return [one["id"] for one in program.get(f"/runs?{query}").json()["items"]]

    assert ids("kind=table") == [str(table.run.pk)]
    assert set(ids("phase=finished")) == {str(table.run.pk), str(world.run.pk)}
    assert ids("phase=active") == ids("created_after=2100-01-01T00:00:00Z") == []


def test_quotes_stand_in_the_frozen_text(program, world):
    claims = program.get(f"/runs/{world.run.pk}/claims").json()["items"]
    for citation in [one for claim in claims for one in claim["citations"]]:
        quote, position = citation["target"]["selector"][:2]
        text = program.get(f"/sources/{citation['source']}").json()["text"]
        assert text[position["start"] : position["end"]] == quote["exact"]


def test_the_report_has_the_published_shape(program, world):
    found = Report.model_validate_json(program.get(f"/runs/{world.run.pk}/report").content)
    assert (found.run, found.status, len(found.claims)) == (world.run.pk, "done", 3)


def test_progress_is_told_anew_only_when_something_is(program, world):
    path = f"/runs/{world.run.pk}/progress"
    first = program.get(path)
    again = program.get(path, If_None_Match=first.headers["ETag"])
    assert (first.json()["phase"], again.status_code, again.content) == ("finished", 304, b"")
    with tenant_context(world.person.tenant.pk):
        Run.objects.update(snapshot_version=9)
    assert program.get(path, If_None_Match=first.headers["ETag"]).status_code == 200


def test_a_run_is_paused_resumed_and_cancelled(program, post):
    path = f"/runs/{post('/runs', QUESTION)['id']}"
    assert post(f"{path}/pause")["is_paused"]
    assert program.post(f"{path}/pause").json()["code"] == "conflict"
    assert not post(f"{path}/resume")["is_paused"]
    assert post(f"{path}/cancel")["phase"] == "finished"


@pytest.mark.parametrize(
    ("body", "kind", "status", "code"),
    [
        (b"{", "application/json", 400, "malformed"),
        (b'{"kind": "report", "input": {"question": "a\\u0000bc"}}', "application/json", 400, "malformed"),
        (b'{"kind": NaN}', "application/json", 400, "malformed"),
        (b"[" * 100_000, "application/json", 400, "malformed"),
        (b'{"kind": "poem"}', "application/json", 422, "invalid"),
        (b'{"kind": "report", "input": {"question": "\\ud800abc"}}', "application/json", 400, "malformed"),
        (
            b'{"kind": "report", "input": {"question": "1e999"}, "config": {"max_quotes": 1e999}}',
            "application/json",
            400,
            "malformed",
        ),
        (b'{"kind": "report", "input": {"question": "ab"}}', "application/json", 422, "refused"),
        (b"kind=report", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
        (b" " * 3_000_000, "application/json", 413, "too_large"),
    ],
)
def test_bad_bodies_are_told_as_problems(program, ada, body, kind, status, code):
    response = program.client.post(
        "/api/v1/runs", body, content_type=kind, headers={"Authorization": f"Bearer {program.token}"}
    )
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.headers["Content-Type"] == "application/problem+json"
    assert count(ada) == 0


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({"target_sources": "20"}, "target_sources"),
        ({"target_sources": None}, "target_sources"),
        ({"max_quotes": 5.5}, "max_quotes"),
        ({"fresh_pages": "yes"}, "fresh_pages"),
        ({"folders": "a, b"}, "folders"),
        ({"languages": "de"}, "languages"),
        ({"own": {}}, "own"),
        ({"colour": "red"}, "colour"),
    ],
)
@pytest.mark.parametrize("kind", ["report", "technical"])
def test_a_body_is_read_as_it_is_published(program, ada, kind, config, field):
    """Forms and command lines say it more loosely: they have nothing but words."""
    response = program.post("/runs", {**QUESTION, "kind": kind, "config": config})
    assert (response.status_code, response.json()["code"], count(ada)) == (422, "invalid", 0)
    assert any(one["field"] == f"body.config.{field}" for one in response.json()["errors"])


def test_a_kind_that_there_is_not_is_told_with_those_that_there_are(program):
    response = program.post("/runs", {"kind": "reprot", "input": {"question": "What is it about?"}})
    [fault] = response.json()["errors"]
    assert fault["field"] == "body.kind"
    assert fault["message"].startswith("“reprot” is not one of: report, table, ")


def test_what_a_rule_forbids_is_refused_and_not_invalid(program):
    config = {"published_from": "2024", "published_to": "2020"}
    told = program.post("/runs", {**QUESTION, "config": config}).json()
    assert told["code"] == "refused"
    assert "published_from (2024) lies after published_to (2020)" in told["detail"]


@pytest.mark.parametrize(
    ("moment", "status"),
    [
        ("1700000000", 422), ("2024-01-01", 422), ("yesterday", 422), ("2024-01-01T00:00:00Z", 200),
        ("2024-01-01T00:00:00", 200), ("3043-11-06T14:51:22-19:08", 200), ("2024-01-01T00:00:00%2B23:59", 200),
        ("9999-12-31T23:00:00-12:00", 422), ("0001-01-01T00:00:00%2B12:00", 422),
    ],
)  # fmt: skip
def test_a_moment_is_given_as_it_is_published(program, moment, status):
    assert program.get(f"/runs?created_after={moment}").status_code == status


@pytest.mark.parametrize("key", ["", "two words", "ü", "x" * 129])
def test_an_odd_key_is_refused_with_what_it_may_be(program, ada, key):
    response = program.post("/runs", QUESTION, Idempotency_Key=key)
    assert (response.status_code, response.json()["code"], count(ada)) == (422, "invalid", 0)
    assert "128 printable ASCII characters" in response.json()["detail"]


@pytest.mark.parametrize(("path", "status"), [("/nothing", 404), ("/runs/not-an-id", 404), ("/account", 405)])
def test_what_is_not_there_is_told_as_a_problem(program, path, status):
    response = program.post(path, {})
    assert (response.status_code, response.headers["Content-Type"]) == (status, "application/problem+json")
    assert (response.headers.get("Allow") == "GET") is (status == 405)


def test_a_fault_of_the_program_is_a_problem_and_undoes_everything(program, ada, monkeypatch):
    def fail(run):
        raise ZeroDivisionError

    monkeypatch.setattr("research.integrations.api.api_runs.run_out", fail)
    response = program.post("/runs", QUESTION, Idempotency_Key="k1")
    assert (response.status_code, response.json()["code"]) == (500, "internal")
    assert (count(ada), count(ada, KeptAnswer)) == (0, 0)


def test_problems_are_told_in_the_language_asked_for(program):
    told = program.get("/nothing", Accept_Language="de").json()
    assert (told["code"], told["title"]) == ("not_found", "Nicht gefunden.")


def test_what_the_token_may_is_told(program):
    found = program.get("/account").json()
    assert (found["user"], found["role"], found["token"]["scopes"]) == ("ada", "owner", list(Scope.values))
    assert found["limits"]["posts_a_minute"] == 60


def test_a_revoked_token_is_none(program, ada):
    with tenant_context(ada.tenant.pk):
        from research.models import ApiToken

        ApiToken.objects.update(revoked_at=timezone.now())
    assert program.get("/account").status_code == 401
    assert Program("plumb_" + "x" * 200).get("/account").status_code == 401


def test_folders_are_asked_by_key_or_name_and_told_by_name(program, ada):
    with tenant_context(ada.tenant.pk):
        for folder in ("sample", "uploads/Contracts", "uploads/Others"):
            LibraryDocument.objects.create(folder=folder, path="a.txt", status="ready")
    config = {"folders": ["Sample library", "uploads/Contracts"]}
    run = program.post("/runs", {**QUESTION, "config": config}).json()
    assert run["config"] == {"folders": ["sample", "uploads/Contracts"]}
    assert run["searched"] == {
        "folders": [{"name": "Sample library", "documents": 1}, {"name": "Contracts", "documents": 1}],
        "whole_library": False,
        "web": False,
    }
    assert program.post("/runs", OTHER).json()["searched"]["whole_library"]


def test_a_folder_that_there_is_not_is_refused_with_those_that_there_are(program, ada):
    with tenant_context(ada.tenant.pk):
        LibraryDocument.objects.create(folder="sample", path="a.txt", status="ready")
    response = program.post("/runs", {**QUESTION, "config": {"folders": ["Contrcts"]}})
    assert (response.status_code, response.json()["code"], count(ada)) == (422, "refused", 0)
    (fault,) = response.json()["errors"]
    assert fault["field"] == "folders"
    assert "Available folders: Sample library" in fault["message"]
