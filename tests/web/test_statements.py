"""The number of SQL statements of a page is fixed, however much it shows."""

from collections.abc import Iterable, Mapping
from copy import copy
from uuid import uuid4

from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from research.db.tenancy import tenant_context
from research.models import (
    Escalation,
    EscalationStatus,
    LibraryDocument,
    PlanTrigger,
    PlanVersion,
    ReviewAct,
    ReviewDecision,
    ReviewItem,
    Source,
    State,
)
from research.models.schemas import StoredDecision
from research.review.decide_review_items import decide
from research.web.site.page_fragment_cache import parts
from tests.people import join
from tests.web.asked import ask_about_claims, make_plan
from tests.web.growing import fill_admin, grow
from tests.worlds import ReportWorld, make_report

# Statements of a page, those for session, user and tenant (7) included.
PAGES = {
    "/": 15,
    "/runs/": 11,
    "/runs/new/": 13,
    "/library/": 11,
    "/library/?folder=sample": 11,
    "/library/documents/{document}/": 11,
    "/account/": 18,
    "/account/settings/": 7,
    "/runs/{run}/": 19,
    "/runs/{run}/plan/": 9,
    "/runs/{run}/report/": 25,
    "/runs/{run}/claims/2/": 16,
    "/runs/{run}/sources/": 11,
    "/runs/{run}/evidence/": 20,
    "/runs/{run}/contradictions/": 20,
    "/runs/{run}/warnings/": 20,
    "/runs/{run}/sources/?style=apa": 10,
    "/runs/{run}/references.bib": 10,
    "/runs/{run}/export/": 11,
    "/runs/{run}/decks/": 11,
    "/themes/": 8,
    "/runs/{run}/log/": 14,
    "/runs/{run}/log.json": 21,
    "/sources/{source}/": 12,
}
OURS = [
    model
    for app in ("research", "citations", "exports", "slides")
    for model in apps.get_app_config(app).get_models()
]
FRAGMENTS = {"/runs/{run}/claims/2/": 14, "/runs/{run}/progress/": 8}
ADMIN_LIST = 11  # at most


def statements(client: Client, address: str, **headers: str) -> int:
    client.get(address, headers=headers)  # what is cached for good is fetched once
    parts.forget()
    with CaptureQueriesContext(connection) as found:
        response = client.get(address, headers=headers)
        assert response.status_code == 200
        assert b"".join(response)  # a file that is written as it is read takes its statements now
    return len(found)


def each(
    client: Client, pages: Iterable[str], objects: Mapping[str, object], **headers: str
) -> dict[str, int]:
    """Statements of each page, by its pattern."""
    return {page: statements(client, page.format_map(objects), **headers) for page in pages}


def test_a_page_takes_the_same_statements_for_much_as_for_little(client, world):
    """All pages of one report in one test: making one grow takes a second."""
    objects = {"run": world.run.pk, "source": world.trial.pk, "document": document_of(world).pk}
    for more in (1, 9):
        grow(world, more)
        document_of(world)
        assert each(client, PAGES, objects) == PAGES


KEPT = {"/runs/{run}/report/": 12, "/runs/{run}/sources/": 9}


def test_what_is_kept_of_a_finished_run_takes_few(client, world):
    for page, most in KEPT.items():
        address = page.format(run=world.run.pk)
        client.get(address)
        with CaptureQueriesContext(connection) as found:
            client.get(address)
        assert len(found) <= most, page


def document_of(world: ReportWorld) -> LibraryDocument:
    """The document that the first source of each report is by now."""
    with tenant_context(world.person.tenant.pk):
        document, _ = LibraryDocument.objects.get_or_create(
            folder="sample", path="trial.txt", content=world.trial.content, status="ready"
        )
        Source.objects.filter(title=world.trial.title).update(library_document=document)
    return document


def test_a_part_of_a_page_takes_the_same_statements_as_well(client, ada):
    world = make_report(ada, state=State.READING)
    for more in (1, 9):
        grow(world, more)
        assert each(client, FRAGMENTS, {"run": world.run.pk}, **{"HX-Request": "true"}) == FRAGMENTS


WAITING = {"/": 14, "/runs/{run}/": 20, "/runs/{run}/plan/": 11, "/runs/{run}/report/": 22, "/review/": 13}


def test_what_people_are_asked_takes_the_same_statements_for_much_as_for_little(client, ada):
    for items in (2, 12):
        world = make_report(ada)
        decide_some(client, ask_about_claims(world, items), items // 2)
        edit_often(world, items)
        assert each(client, WAITING, {"run": world.run.pk}) == WAITING


def decide_some(client: Client, asked: Escalation, count: int) -> None:
    """Some of its items, and an earlier question of the run, which was answered."""
    with tenant_context(asked.tenant_id):
        for item in list(ReviewItem.objects.filter(escalation=asked).order_by("position")[:count]):
            decide(item.pk, asked.run.owner, ReviewAct.ACCEPT, StoredDecision(note="Seen."))
        earlier = copy(asked)
        earlier.pk, earlier.rule, earlier.status = uuid4(), "critical_data_gaps", EscalationStatus.APPROVED
        earlier.decided_by, earlier.decided_at = asked.run.owner, timezone.now()
        earlier.save(force_insert=True)
        act = {"act": ReviewAct.ACCEPT, "by": asked.run.owner, "detail": {"note": "Fine."}}
        for _ in range(count):
            ReviewDecision.objects.create(escalation=earlier, **act)


def edit_often(world: ReportWorld, count: int) -> None:
    with tenant_context(world.person.tenant.pk):
        for number in range(1, count + 1):
            plan = make_plan().model_dump(mode="json")
            PlanVersion.objects.create(
                run=world.run, number=number, plan=plan, trigger=PlanTrigger.EDIT, made_by=world.person.user
            )


def test_no_list_of_the_admin_takes_a_statement_a_row(db):
    world = make_report(join("grace", is_staff=True, is_superuser=True))
    client = world.person.sign_in()
    lists = [reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist") for model in OURS]
    fill_admin(world, 1)
    grow(world, 1)
    few = {page: statements(client, page) for page in lists}
    for number in range(2, 6):
        fill_admin(world, number)
    grow(world, 4)
    assert {page: statements(client, page) for page in lists} == few
    few["/admin/research/siteauditentry/"] -= 2  # open the rows of no workspace, and close them
    assert max(few.values()) <= ADMIN_LIST
