"""The interface keeps to what it publishes, whatever it is sent: status codes, media types, shapes, and never a 500."""

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, settings
from schemathesis.core.parameters import ParameterLocation as Place
from schemathesis.specs.openapi.checks import negative_data_rejection

from exports.files.request_export import request_export
from exports.formats.export_formats import Format
from exports.formats.export_options import ExportOptions
from research.db.tenancy import tenant_context
from research.integrations import api_rate_limit
from research.models import Escalation, LibraryDocument
from tests.api.beside import add_beside
from tests.api.programs import token_of
from tests.api.routes import asks_a_table
from tests.often import IS_FULL

pytestmark = pytest.mark.django_db
EXAMPLES = 60 if IS_FULL else 1  # an operation, each of them sent twice


@pytest.fixture(autouse=True)
def _persistent_connection():
    """The end of a request would end the test's own transaction."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def ids(world, table):
    """Return existing ids for the names in paths."""
    with tenant_context(world.person.tenant.pk):
        asked = Escalation.objects.create(
            run=world.run, rule="critical_data_gaps", state="human_review_gaps", priority="high", type="blocking",
            required_action="Decide.", deadline="2026-12-01T00:00Z", fallback="continue",
        )  # fmt: skip
        file = request_export(world.run, Format.MARKDOWN, ExportOptions(), None)
        document = LibraryDocument.objects.create(folder="uploads", path="a.txt", raw_sha256="0" * 64)
    found = {
        "run_id": world.run.pk, "question_id": asked.pk, "number": 1, "source_id": world.trial.pk,
        "export_id": file.pk, "document_id": document.pk, "table": table.run.pk,
        **add_beside(world),
    }  # fmt: skip
    return {name: str(value) if name != "number" else value for name, value in found.items()}


@pytest.fixture
def token(ada):
    return token_of(ada)


schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application())
schema.config.phases.coverage.enabled = IS_FULL  # each bound of each field: minutes
schema.config.generation.update(allow_x00=False, codec="utf-8")  # what no text of ours may hold
# What the shapes allow may still be refused by a rule: `check_refusals` looks at which it was.
accepted = schema.config.checks.positive_data_acceptance
accepted.expected_statuses = [*accepted.expected_statuses, "422"]


@schemathesis.check
def check_refusals(ctx, response, case):
    """A page that can't be had, a search that is not set up here: never because of what the shapes allow."""
    if case.meta and case.meta.generation.mode.is_positive and response.status_code == 422:
        assert response.json()["code"] == "refused" or _is_without_file(response.json()), response.json()


def _is_without_file(problem):
    """An upload without a byte: the client that sends it leaves its part out."""
    return [one["message"] for one in problem["errors"]] == ["Field required"] and "file" in problem["detail"]


def _wrong_parts(case):
    """Names of a query that nobody asked for are passed over, as HTTP has it; in a form all is text."""
    parts = case.meta.components.items() if case.meta else ()
    wrong = {place for place, part in parts if part.mode.is_negative}
    if set(case.query or ()) - {one.name for one in case.operation.query}:
        wrong -= {Place.QUERY}
    return wrong - {Place.BODY} if case.media_type == "multipart/form-data" else wrong


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=not IS_FULL,
    suppress_health_check=list(HealthCheck),
)
def test_whatever_is_sent_is_answered_as_published(case, token, ids):
    headers = {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}
    wrong = _wrong_parts(case)
    _call(case, headers, is_wrong=bool(wrong - {Place.HEADER}))
    if case.path_parameters:
        real = {**ids, "run_id": ids["table"]} if asks_a_table(case.path) else ids
        case.path_parameters = {name: real[name] for name in case.path_parameters}
        _call(case, headers, is_wrong=bool(wrong - {Place.HEADER, Place.PATH}))


def _call(case, headers, *, is_wrong):
    """Nothing stays of it, and nothing is counted. Where true headers and paths replace the wrong ones, it is right."""
    api_rate_limit.forget()
    with transaction.atomic():
        case.call_and_validate(headers=headers, excluded_checks=[] if is_wrong else [negative_data_rejection])
        transaction.set_rollback(True)
