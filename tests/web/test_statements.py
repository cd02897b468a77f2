"""How many SQL statements a page takes: a fixed number, however much it shows."""

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from research.models import State
from tests.people import join
from tests.web.growing import fill_admin, grow
from tests.worlds import make_report

# Statements of a page, those for session, user and tenant (7) included.
PAGES = {
    "/": 11,
    "/runs/": 10,
    "/runs/new/": 9,
    "/library/": 11,
    "/runs/{run}/": 13,
    "/runs/{run}/report/": 19,
    "/runs/{run}/claims/2/": 15,
    "/runs/{run}/sources/": 10,
    "/runs/{run}/sources/?style=apa": 10,
    "/runs/{run}/references.bib": 10,
    "/runs/{run}/log/": 13,
    "/runs/{run}/log.json": 21,
    "/sources/{source}/": 11,
}
FRAGMENTS = {"/runs/{run}/claims/2/": 13, "/runs/{run}/progress/": 13}
OURS = [model for app in ("research", "citations") for model in apps.get_app_config(app).get_models()]
ADMIN_LIST = 11  # at most


def statements(client: Client, address: str, **headers: str) -> int:
    client.get(address, headers=headers)  # what is cached for good is fetched once
    with CaptureQueriesContext(connection) as found:
        response = client.get(address, headers=headers)
        assert response.status_code == 200
        assert b"".join(response)  # a file that is written as it is read takes its statements now
    return len(found)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_takes_the_same_statements_for_much_as_for_little(client, world, page):
    address = page.format(run=world.run.pk, source=world.trial.pk)
    grow(world, 1)
    few = statements(client, address)
    grow(world, 9)
    assert (few, statements(client, address)) == (PAGES[page], PAGES[page])


@pytest.mark.parametrize("part", FRAGMENTS)
def test_a_part_of_a_page_takes_the_same_statements_as_well(client, ada, part):
    world = make_report(ada, state=State.READING)
    address = part.format(run=world.run.pk)
    grow(world, 1)
    few = statements(client, address, **{"HX-Request": "true"})
    grow(world, 9)
    many = statements(client, address, **{"HX-Request": "true"})
    assert (few, many) == (FRAGMENTS[part], FRAGMENTS[part])


def test_no_list_of_the_admin_takes_a_statement_a_row(db):
    world = make_report(join("grace", is_staff=True, is_superuser=True))
    client = world.person.signed_in()
    lists = [reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist") for model in OURS]
    fill_admin(world, 1)
    grow(world, 1)
    few = {page: statements(client, page) for page in lists}
    for number in range(2, 6):
        fill_admin(world, number)
    grow(world, 4)
    assert {page: statements(client, page) for page in lists} == few
    assert max(few.values()) <= ADMIN_LIST
