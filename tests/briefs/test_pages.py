"""The page of briefs, a brief on the reader's page, and what is downloaded of it."""

import json

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from research.db.tenancy import tenant_context
from research.models import Kind, Role, Run, SecretPurpose, TaskState, WatchedTask
from research.pipelines.brief.brief_config import BriefConfig
from research.storage.keys.webhook_secrets import keep_secret
from tests.briefs.making import EIGHT, make_brief, result
from tests.people import Person, join
from tests.web.pages import words

ADDRESS = "/briefs/"


def runs_of(ada: Person) -> list[Run]:
    with tenant_context(ada.tenant.pk):
        return list(Run.objects.filter(kind=Kind.BRIEF))


def test_a_pasted_result_starts_a_brief(client: Client, ada: Person) -> None:
    response = client.post(ADDRESS, {"text": json.dumps(result()), "content_type": "text", "client_key": "k"})
    [run] = runs_of(ada)
    assert response["Location"] == f"/runs/{run.pk}/"
    assert BriefConfig.model_validate(run.config).result["run_id"] == "trun_0123456789abcdef"


def test_a_second_click_finds_the_first_ones_brief(client: Client, ada: Person) -> None:
    form = {"text": json.dumps(result()), "content_type": "text", "client_key": "k"}
    assert client.post(ADDRESS, form)["Location"] == client.post(ADDRESS, form)["Location"]
    assert len(runs_of(ada)) == 1


def test_a_file_with_its_context_starts_one_that_knows_what_it_is_for(client: Client, ada: Person) -> None:
    data = json.dumps({"result": result(), "context": {"original_query": "How long must passwords be?"}})
    file = SimpleUploadedFile("result.json", data.encode(), "application/json")
    client.post(ADDRESS, {"file": file, "content_type": "text"})
    assert [run.topic for run in runs_of(ada)] == ["How long must passwords be?"]


def test_what_is_wrong_is_said_beside_its_field_and_nothing_starts(client: Client, ada: Person) -> None:
    response = client.post(ADDRESS, {"text": "{“", "content_type": "text"})
    assert response.status_code == 422
    assert "not JSON" in words(response)
    response = client.post(ADDRESS, {"content_type": "text"})
    assert "Choose a file" in words(response)
    both = {"text": json.dumps(result()), "task": "trun_0123", "content_type": "text"}
    assert "Use only one of these" in words(client.post(ADDRESS, both))
    assert runs_of(ada) == []


def test_a_task_by_its_id_needs_the_workspaces_key(client: Client) -> None:
    response = client.post(ADDRESS, {"task": "trun_0123", "content_type": "text"})
    assert response.status_code == 422
    assert "no key for Parallel" in words(response)


def test_a_task_that_was_named_is_seen_until_its_brief_is_there(client: Client, ada: Person) -> None:
    with tenant_context(ada.tenant.pk):
        keep_secret(SecretPurpose.PARALLEL_KEY, "a-key-for-the-interface", ada.user)
    page = client.post(ADDRESS, {"task": "trun_0123", "content_type": "text"}, follow=True)
    assert "The task is being checked; the result will appear below." in words(page)
    assert "trun_0123 Waiting for it to end" in words(page)
    with tenant_context(ada.tenant.pk):
        problem = "Parallel has no task with this ID."
        WatchedTask.objects.update(state=TaskState.FAILED, problem=problem)
        assert problem in words(client.get(ADDRESS))
        WatchedTask.objects.update(state=TaskState.TAKEN_IN)
    assert "trun_0123" not in words(client.get(ADDRESS))


def test_a_viewer_sees_the_list_and_no_form(ada: Person) -> None:
    made = make_brief(ada)
    vera = join("vera", role=Role.VIEWER, tenant=ada.tenant).sign_in()
    page = vera.get(ADDRESS)
    assert made.run.topic[:40] in words(page)
    assert b"<textarea" not in page.content
    assert vera.post(ADDRESS, {"text": json.dumps(result())}).status_code == 403


def test_a_brief_is_read_as_a_report_with_its_own_parts(client: Client, ada: Person) -> None:
    made = make_brief(ada)
    page = words(client.get(f"/runs/{made.run.pk}/report/"))
    assert EIGHT in page
    assert "How each claim is scored" in page
    assert "Two guides agree." in page


def test_markup_in_what_came_in_is_shown_as_text(client: Client, ada: Person) -> None:
    given = result(
        answer="At least 8 characters are required of passwords <script>alert(1)</script> by the guide."
    )
    made = make_brief(ada, given)
    page = client.get(f"/runs/{made.run.pk}/report/").content.decode()
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_what_is_asked_again_is_in_the_form(client: Client, ada: Person) -> None:
    made = make_brief(ada, original_query="How long must passwords be?")
    page = client.get(f"{ADDRESS}?again={made.run.pk}").content.decode()
    assert "How long must passwords be?" in page
    assert "trun_0123456789abcdef" in page


def test_the_json_is_the_same_for_the_same_input(client: Client, ada: Person) -> None:
    one, other = make_brief(ada), make_brief(ada)
    assert one.run.pk != other.run.pk
    first, second = (client.get(f"/runs/{made.run.pk}/brief.json") for made in (one, other))
    assert first.content == second.content
    assert json.loads(first.content)["key_claims"]


def test_a_stranger_sees_nothing_of_it(ada: Person) -> None:
    made, bob = make_brief(ada), join("bob").sign_in()
    for page in ("", "report/", "brief.json"):
        assert bob.get(f"/runs/{made.run.pk}/{page}").status_code == 404


def test_suggested_edits_stand_once_on_the_page_each_with_its_claims(client: Client, ada: Person) -> None:
    advice = "In a survey of 400 buyers, 62 percent preferred photographs of locks in warm daylight to flat drawings."
    source = {"url": "https://www.example.org/locks", "title": "Pictures that sell locks", "snippet": advice}
    given = result(
        answer=advice, citations=[source], excerpts=[{"text": advice, "source_url": source["url"]}]
    )
    made = make_brief(ada, given, content_type="image", existing_content="A padlock, flat, blue.")
    page = client.get(f"/runs/{made.run.pk}/report/")
    assert made.brief.prompt_edits
    assert made.brief.prompt_edits[0].value in words(page)
    assert page.content.decode().count(">Suggested prompt edits</h") == 1
    assert "says so. Claim" not in words(page)
