"""Every operation of the interface, with what it needs and how it is asked of the world of the tests.

A new operation without an entry fails `test_isolation.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from research.integrations.api.api_service import api
from research.integrations.api.openapi import operations
from research.models import Scope

READ, WRITE, LIBRARY, EXPORTS = Scope.READ, Scope.WRITE, Scope.LIBRARY, Scope.EXPORTS


@dataclass(frozen=True)
class Route:
    """`names_object`: another workspace's is not there. `body` is what is sent; `files` where it is a form."""

    scope: Scope
    names_object: bool = True
    body: object = None
    is_form: bool = False
    succeeds: int = 200  # for its owner, in the world of the tests


def _run(scope: Scope = READ, body: object = None, succeeds: int = 200) -> Route:
    return Route(scope, body=body, succeeds=succeeds)


QUESTION = {"kind": "report", "input": {"question": "Do heat pumps work in the cold?"}}
SCHEDULE = {**QUESTION, "times": {"cron": "0 7 * * mon-fri", "time_zone": "Europe/Zurich"}}
STEP = {"name": "Trials", "queries": ["heat pump trials"]}
ROUTES: Mapping[tuple[str, str], Route] = {
    ("POST", "/runs"): Route(WRITE, names_object=False, body=QUESTION, succeeds=201),
    ("POST", "/research-requests"): Route(
        WRITE, names_object=False, body={"question": "Which Python does Django 5.2 support?"}, succeeds=201
    ),
    ("GET", "/runs"): Route(READ, names_object=False),
    ("GET", "/runs/{run_id}"): _run(),
    ("GET", "/runs/{run_id}/progress"): _run(),
    ("POST", "/runs/{run_id}/cancel"): _run(WRITE, succeeds=409),  # it has ended
    ("POST", "/runs/{run_id}/pause"): _run(WRITE, succeeds=409),
    ("POST", "/runs/{run_id}/resume"): _run(WRITE, succeeds=409),
    ("POST", "/runs/{run_id}/instructions"): _run(WRITE, {"text": "Also costs."}, 422),  # too late
    ("POST", "/runs/{run_id}/follow-ups"): _run(WRITE, {"question": "What do they cost?"}, 201),
    ("GET", "/runs/{run_id}/questions"): _run(),
    ("POST", "/runs/{run_id}/questions/{question_id}"): _run(
        WRITE, {"act": "accept"}, 422
    ),  # answered before
    ("GET", "/runs/{run_id}/report"): _run(),
    ("GET", "/runs/{run_id}/claims"): _run(),
    ("GET", "/runs/{run_id}/claims/{number}"): _run(),
    ("GET", "/runs/{run_id}/sources"): _run(),
    ("GET", "/sources/{source_id}"): _run(),
    ("GET", "/runs/{run_id}/contradictions"): _run(),
    ("GET", "/runs/{run_id}/warnings"): _run(),
    ("GET", "/runs/{run_id}/rows"): _run(),
    ("GET", "/runs/{run_id}/research-response"): _run(succeeds=404),  # it is a report
    ("GET", "/runs/{run_id}/synthesis"): _run(succeeds=404),  # it is a report
    ("GET", "/runs/{run_id}/technical"): _run(succeeds=404),  # it is a report
    ("GET", "/runs/{run_id}/brief"): _run(succeeds=404),
    ("POST", "/runs/{run_id}/table/start"): _run(WRITE, {"pilot": True}, 422),  # it was started before
    ("POST", "/runs/{run_id}/table/rows"): _run(WRITE, {"items": ["Peru"]}),
    ("POST", "/runs/{run_id}/table/columns"): _run(WRITE, {"field": {"name": "currency"}}),
    ("POST", "/runs/{run_id}/table/columns/change"): _run(
        WRITE, {"column": "capital", "field": {"name": "city"}}
    ),
    ("POST", "/runs/{run_id}/table/release"): _run(WRITE, succeeds=422),  # none of its rows waits
    ("POST", "/runs/{run_id}/table/retry"): _run(WRITE),
    ("POST", "/runs/{run_id}/table/cells"): _run(WRITE, {"row": 1, "field": "capital"}),
    ("POST", "/runs/{run_id}/exports"): _run(EXPORTS, {"format": "json"}, 202),
    ("GET", "/runs/{run_id}/exports"): _run(EXPORTS),
    ("GET", "/runs/{run_id}/exports/{export_id}"): _run(EXPORTS),
    ("GET", "/runs/{run_id}/exports/{export_id}/file"): _run(EXPORTS, succeeds=409),  # not made yet
    ("GET", "/library/documents"): Route(LIBRARY, names_object=False),
    ("POST", "/library/documents"): Route(LIBRARY, names_object=False, is_form=True, succeeds=201),
    ("GET", "/library/documents/{document_id}"): Route(LIBRARY),
    ("DELETE", "/library/documents/{document_id}"): Route(LIBRARY, succeeds=204),
    ("GET", "/knowledge/entities"): Route(READ, names_object=False),
    ("GET", "/knowledge/entity"): Route(READ, names_object=False, succeeds=422),  # it wants a key
    ("GET", "/account"): Route(READ, names_object=False),
    ("DELETE", "/runs/{run_id}"): _run(WRITE, succeeds=204),
    ("GET", "/runs/{run_id}/plan"): _run(),
    ("PUT", "/runs/{run_id}/plan"): _run(
        WRITE, {"version": 0, "goal": "Find out.", "steps": [STEP]}, 422
    ),  # it ended
    ("POST", "/runs/{run_id}/links"): _run(WRITE, {"days": 7}, 201),
    ("GET", "/runs/{run_id}/links"): _run(),
    ("DELETE", "/runs/{run_id}/links/{link_id}"): _run(WRITE, succeeds=204),
    ("POST", "/runs/{run_id}/decks"): _run(EXPORTS, {"length": "short"}, 202),
    ("GET", "/runs/{run_id}/decks"): _run(EXPORTS),
    ("GET", "/decks/{deck_id}"): _run(EXPORTS),
    ("POST", "/decks/{deck_id}/files"): _run(EXPORTS, {"mode": "html"}, 202),
    ("GET", "/decks/{deck_id}/files/{file_id}"): _run(EXPORTS),
    ("GET", "/decks/{deck_id}/files/{file_id}/file"): _run(EXPORTS, succeeds=409),  # not made yet
    ("POST", "/schedules"): Route(WRITE, names_object=False, body=SCHEDULE, succeeds=201),
    ("GET", "/schedules"): Route(READ, names_object=False),
    ("GET", "/schedules/{schedule_id}"): _run(),
    ("PUT", "/schedules/{schedule_id}"): _run(WRITE, SCHEDULE),
    ("DELETE", "/schedules/{schedule_id}"): _run(WRITE, succeeds=204),
    ("POST", "/schedules/{schedule_id}/pause"): _run(WRITE),
    ("POST", "/schedules/{schedule_id}/resume"): _run(WRITE),
    ("POST", "/schedules/{schedule_id}/runs"): _run(WRITE, succeeds=201),
}


def asks_a_table(path: str) -> bool:
    """Return whether the path takes a table alone: there its run stands for any run."""
    return path.endswith("/rows") or "/table/" in path


def list_published_operations() -> set[tuple[str, str]]:
    """All operations that there are, as method and path below the root."""
    schema = api.get_openapi_schema(path_prefix="/")
    return {(method.upper(), path) for path, method, _operation in operations(schema)}
