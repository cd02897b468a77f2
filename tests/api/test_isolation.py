"""Every operation by every kind of caller: nobody, another workspace, a viewer, a member, a token without the scope."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.urls import URLPattern

from exports.files.request_export import request_export
from exports.formats.export_formats import Format
from exports.formats.export_options import ExportOptions
from research.db.tenancy import tenant_context
from research.integrations import api_rate_limit
from research.integrations.api.api_service import api
from research.models import Escalation, LibraryDocument, Role, Scope
from tests.api.beside import add_beside
from tests.api.programs import Program, program_of
from tests.api.routes import ROUTES, Route, asks_a_table, list_published_operations
from tests.people import join

pytestmark = pytest.mark.django_db
OPEN = {"openapi.json", ""}  # what needs no token: the description, and the root that is not there


@pytest.fixture
def ids(world, table):
    """Return Ada's ids for the names in paths."""
    with tenant_context(world.person.tenant.pk):
        asked = Escalation.objects.create(
            run=world.run, rule="critical_data_gaps", state="human_review_gaps", priority="high", type="blocking",
            required_action="Decide.", deadline="2026-12-01T00:00Z", fallback="continue", status="approved",
        )  # fmt: skip
        file = request_export(world.run, Format.MARKDOWN, ExportOptions(), None)
        document = LibraryDocument.objects.create(folder="uploads", path="a.txt", raw_sha256="0" * 64)
    return {
        "run_id": world.run.pk,
        "question_id": asked.pk,
        "number": 1,
        "source_id": world.trial.pk,
        "export_id": file.pk,
        "document_id": document.pk,
        "table": table.run.pk,
        **add_beside(world),
    }


def ask(program: Program, operation: tuple[str, str], route: Route, ids: dict[str, object]):
    method, path = operation
    run = {"run_id": ids["table"]} if asks_a_table(path) else {}
    address = path.format(**{**ids, **run})
    if route.is_form:
        return program.upload(address, {"file": SimpleUploadedFile("b.txt", b"Some words."), "folder": "New"})
    return program.send(method, address, route.body)


def read_problem(response) -> tuple[int, str]:
    assert response.headers["Content-Type"] == "application/problem+json"
    problem = response.json()
    assert (problem["status"], problem["type"]) == (
        response.status_code,
        f"urn:plumbline:problem:{problem['code']}",
    )
    return response.status_code, problem["code"]


def test_every_operation_has_its_entry():
    assert list_published_operations() == set(ROUTES)


def test_nothing_lies_beside_the_operations():
    patterns = {str(url.pattern) for url in api.urls[0] if isinstance(url, URLPattern)}
    known = {path.lstrip("/") for _method, path in ROUTES} | OPEN
    plain = {re.sub(r"<\w+:(\w+)>", r"{\1}", pattern) for pattern in patterns}
    assert plain == known


def answers(program: Program, ids: dict[str, object]):
    """Return each operation's answer, none of them seeing what another did."""
    for operation, route in ROUTES.items():
        api_rate_limit.forget()
        with transaction.atomic():
            response = ask(program, operation, route, ids)
            transaction.set_rollback(True)
        yield operation, route, response


def test_nobody_gets_nothing(ids):
    for operation, _route, response in answers(Program(), ids):
        assert read_problem(response) == (401, "not_authenticated"), operation
        assert response.headers["WWW-Authenticate"] == "Bearer"


def test_a_token_that_is_none_gets_nothing(ids):
    for operation, _route, response in answers(Program("plumb_nothing"), ids):
        assert read_problem(response) == (401, "not_authenticated"), operation


def test_a_session_counts_for_nothing(ids, world):
    for operation, _route, response in answers(Program(client=world.person.sign_in()), ids):
        assert read_problem(response) == (401, "not_authenticated"), operation


def test_another_workspace_sees_nothing(ids, bob):
    for operation, route, response in answers(program_of(bob), ids):
        if route.names_object:
            assert read_problem(response) == (404, "not_found"), operation
        else:
            assert str(ids["run_id"]) not in response.content.decode(), operation
            assert response.status_code == route.succeeds, operation


ANSWERING, PLAN = "/runs/{run_id}/questions/{question_id}", "/runs/{run_id}/plan"
DELETING = ("DELETE", "/runs/{run_id}")  # of others’ runs, for owners of the workspace


@pytest.mark.parametrize(("role", "may_post"), [(Role.VIEWER, set()), (Role.REVIEWER, {ANSWERING, PLAN})])
def test_whatever_the_token_says_it_does_no_more_than_its_users_role(ids, ada, role, may_post):
    person = join("rhea", role=role, tenant=ada.tenant)
    for operation, route, response in answers(program_of(person), ids):
        if operation[0] == "GET" or operation[1] in may_post:
            assert response.status_code == route.succeeds, operation
        else:
            assert read_problem(response) == (403, "read_only"), operation


def test_a_member_may_do_everything(ids, ada):
    member = join("mia", role=Role.MEMBER, tenant=ada.tenant)
    for operation, route, response in answers(program_of(member), ids):
        expected = 403 if operation == DELETING else route.succeeds
        assert response.status_code == expected, (operation, response.content)


@pytest.mark.parametrize("scope", Scope)
def test_a_token_may_do_what_its_scope_names_and_nothing_else(ids, ada, scope):
    for operation, route, response in answers(program_of(ada, [scope]), ids):
        if route.scope == scope:
            assert response.status_code == route.succeeds, (operation, response.content)
        else:
            assert read_problem(response) == (403, "missing_scope"), operation
            assert f'scope="{route.scope}"' in response.headers["WWW-Authenticate"]
