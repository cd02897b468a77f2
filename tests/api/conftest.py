"""Programs with tokens, and what they look at."""

from collections.abc import Callable

import pytest

from research.integrations import api_rate_limit
from research.models import Role
from tests.api.programs import Program, program_of
from tests.people import Person, join
from tests.web.tabled import TableWorld, make_table
from tests.worlds import ReportWorld, make_report


@pytest.fixture(autouse=True)
def _fresh_rate_limits(monkeypatch):
    """Each test begins with full buckets, of this process."""
    api_rate_limit.forget()
    monkeypatch.setattr(api_rate_limit, "_take_from_redis", lambda keys, limits: None)


@pytest.fixture
def ada(db: None) -> Person:
    return join("ada")


@pytest.fixture
def bob(db: None) -> Person:
    return join("bob")


@pytest.fixture
def vera(ada: Person) -> Person:
    """Reads in Ada's workspace, and nothing else."""
    return join("vera", role=Role.VIEWER, tenant=ada.tenant)


@pytest.fixture
def world(ada: Person) -> ReportWorld:
    return make_report(ada)


@pytest.fixture
def table(ada: Person) -> TableWorld:
    return make_table(ada)


@pytest.fixture
def program(ada: Person) -> Program:
    """Ada's, with all scopes."""
    return program_of(ada)


@pytest.fixture
def post(program: Program) -> Callable[..., dict]:
    """Send JSON, and read what comes back; anything but success fails the test."""

    def send(path: str, body: object = None, **headers: str) -> dict:
        response = program.post(path, body, **headers)
        assert response.status_code < 300, response.content
        return response.json()

    return send
