"""The threat to availability: requests that no browser sends. None brings a page, the API or a hook to a fault."""

from datetime import UTC, datetime
from hashlib import sha256

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from research.db.postgres_search_query import web_search
from research.db.tenancy import tenant_context
from research.integrations.webhooks.webhook_signatures import build_signature_headers
from research.models import LibraryChunk, LibraryDocument, SecretPurpose, WebhookEvent
from research.storage.keys.webhook_secrets import keep_secret, key_of
from tests.api.programs import program_of
from tests.people import Person, join

pytestmark = pytest.mark.django_db
SECRET = "TEST-ONLY-SECRET-not-a-credential"
HALF = b'"\xed\xa0\x80abc"'  # half of a letter that is written in two, as UTF-8 does not write it
NUL = r'"a\u0000bc"'


@pytest.fixture
def ada() -> Person:
    return join("ada")


@pytest.mark.parametrize(
    "wanted",
    ["x", "?x", "runs", "research:runs", ".", "..", "a.b", "//x.example/", "/\n/x.example", "\\\\x/", "\0", "%"],
)  # fmt: skip
def test_where_one_goes_next_is_a_page_and_no_name_of_a_view(wanted: str) -> None:
    answer = Client().post("/display/", {"theme": "dark", "next": wanted})
    assert (answer.status_code, answer["Location"]) == (302, "/")


@pytest.mark.parametrize(
    "path", ["/login/", "/account/confirm/", "/account/confirm/code/", "/login/second-step/"]
)
@pytest.mark.parametrize("wanted", ["http://[", "//[", "http://[::1", "http://x:99999999/", "\0", "x"])
def test_where_one_goes_after_signing_in_may_be_no_address(ada: Person, path: str, wanted: str) -> None:
    for client in (Client(), ada.sign_in()):
        client.raise_request_exception = False
        answers = [client.get(path, {"next": wanted}), client.post(path, {"next": wanted, "login": "x"})]
        assert [answer.status_code for answer in answers if answer.status_code >= 500] == []


@pytest.mark.parametrize(
    "query", ["q=%00", "folder=%00", "folder=a%00b&q=x", "%00=x", "cursor=%00", "limit=%00"]
)
def test_what_is_no_text_in_an_address_is_refused(ada: Person, query: str) -> None:
    answer = program_of(ada).get(f"/library/documents?{query}")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")


def test_what_is_no_text_in_a_form_is_refused(ada: Person) -> None:
    program = program_of(ada)
    answer = program.client.post(
        "/api/v1/library/documents",
        b'--x\r\nContent-Disposition: form-data; name="folder"\r\n\r\na\0b\r\n'
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nHello.\r\n--x--\r\n',
        content_type="multipart/form-data; boundary=x",
        headers={"Authorization": f"Bearer {program.token}"},
    )
    assert answer.status_code == 422
    with tenant_context(ada.tenant.pk):
        assert not LibraryDocument.objects.exists()


def test_what_is_sent_as_a_file_arrives_whole(ada: Person) -> None:
    data = b"one\0two\n" * 1_000
    sent = {"file": SimpleUploadedFile("a.bin", data), "folder": "Letters"}
    assert program_of(ada).upload("/library/documents", sent).status_code == 201
    with tenant_context(ada.tenant.pk):
        row = LibraryDocument.objects.get()
    assert (row.file_size, row.raw_sha256) == (len(data), sha256(data).hexdigest())


ASKED = f'{{"kind": "report", "input": {{"question": {NUL}}}}}'


@pytest.mark.parametrize(
    "body",
    [
        ASKED.encode().replace(NUL.encode(), HALF),
        ASKED.encode().replace(NUL.encode(), b'"\xff\xfe\xfd"'),
        *(ASKED.encode(codec) for codec in ("utf-8", "utf-16", "utf-16-le", "utf-32")),
    ],
)
def test_a_body_that_is_no_utf_8_or_no_text_is_refused(ada: Person, body: bytes) -> None:
    program = program_of(ada)
    answer = program.client.post(
        "/api/v1/runs",
        body,
        content_type="application/json",
        headers={"Authorization": f"Bearer {program.token}"},
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "utf-16-le", "utf-32"])
def test_a_signed_message_that_is_no_text_is_unreadable(ada: Person, codec: str) -> None:
    with tenant_context(ada.tenant.pk):
        keep_secret(SecretPurpose.PARALLEL_WEBHOOK, SECRET, ada.user)
    event = f'{{"type": "task_run.status", "data": {{"run_id": "r", "status": "completed"}}, "more": {NUL}}}'
    body = event.encode(codec)
    head = build_signature_headers("m", datetime.now(tz=UTC), body.decode("latin-1"), [key_of(SECRET)])
    answer = Client().post(
        f"/hooks/parallel/{ada.tenant.pk}/", body, content_type="application/json", headers=head
    )
    assert answer.status_code in (400, 401)
    with tenant_context(ada.tenant.pk):
        assert not WebhookEvent.objects.exists()


def test_a_signed_message_that_is_nested_without_end_is_unreadable(ada: Person) -> None:
    with tenant_context(ada.tenant.pk):
        keep_secret(SecretPurpose.PARALLEL_WEBHOOK, SECRET, ada.user)
    for depth in (150, 900, 5_000):
        more = "[" * depth + "]" * depth
        body = f'{{"type": "x", "data": {{"run_id": "r", "status": "s"}}, "more": {more}}}'
        head = build_signature_headers("m", datetime.now(tz=UTC), body, [key_of(SECRET)])
        answer = Client().post(
            f"/hooks/parallel/{ada.tenant.pk}/", body, content_type="application/json", headers=head
        )
        assert answer.status_code == 400


@pytest.mark.parametrize("kind", ["multipart/form-data", f"multipart/form-data; boundary={'x' * 300}"])
@pytest.mark.parametrize(("path", "status"), [("/nope", 404), ("/runs/", 400), ("/login/", 400)])
def test_a_body_that_cannot_be_read_makes_no_fault_of_what_is_not_there(
    path: str, status: int, kind: str
) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.get("/login/")
    assert browser.post(path, b"--x\r\nno form", content_type=kind).status_code == status


@pytest.mark.parametrize(
    "words",
    ["-" * 500, "- " * 500, "-(" * 300, "!-" * 300, "-a " * 3_000, '"a ' * 2_000, "a\0b", "or -" * 900],
)
def test_whatever_is_searched_for_is_a_query(ada: Person, words: str) -> None:
    with tenant_context(ada.tenant.pk):
        assert not LibraryChunk.objects.filter(search=web_search(words)).exists()
