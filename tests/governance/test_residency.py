"""A workspace's runs are started and worked on in its region alone."""

import pytest

from research.lifecycle.claims import claim
from research.models import Queue, Run, Tenant
from research.runs import StartRefused, start_run
from research.tenancy import tenant_context
from tests.people import join

pytestmark = pytest.mark.django_db


@pytest.fixture
def person():
    found = join("ada")
    with tenant_context(found.tenant.pk):
        Tenant.objects.update(region="eu-west")
    return found


def start(person):
    with tenant_context(person.tenant.pk):
        return start_run(owner=person.user, kind="report", topic="Where am I worked on?")


def taken(person, run):
    return claim(person.tenant.pk, run.pk, queues=[Queue.CONTROL], owner="me", most=5)


def test_a_server_of_another_region_starts_nothing_and_says_why(person, settings):
    settings.PLUMBLINE_REGION = "us-east"
    with pytest.raises(StartRefused, match="eu-west.*us-east"):
        start(person)
    with tenant_context(person.tenant.pk):
        assert not Run.objects.exists()


@pytest.mark.parametrize("here", ["", "eu-west"])
def test_its_own_region_and_one_that_is_not_named_serve_it(person, settings, here):
    settings.PLUMBLINE_REGION = here
    assert taken(person, start(person))


def test_a_worker_of_another_region_takes_no_step(person, settings):
    run = start(person)
    settings.PLUMBLINE_REGION = "us-east"
    assert taken(person, run) == []
    settings.PLUMBLINE_REGION = "eu-west"
    assert taken(person, run)


def test_a_workspace_without_a_region_is_served_anywhere(settings):
    settings.PLUMBLINE_REGION = "us-east"
    somebody = join("bob")
    assert taken(somebody, start(somebody))
