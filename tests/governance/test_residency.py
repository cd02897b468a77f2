"""A workspace's runs are started and worked on in its region alone."""

import pytest

from research.lifecycle.claims import claim
from research.llm.embeddings import ServerEmbedder
from research.llm.errors import ModelError, Trouble
from research.llm.process import model_process
from research.llm.residency import keep_within
from research.llm.settings import embeddings_endpoint, image_endpoint, model_endpoint
from research.models import Queue, Run, Tenant
from research.objects import ObjectError, put_object
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


def refused(endpoint, tenant_id):
    process = model_process()
    try:
        process.wait_for(keep_within(process, endpoint, tenant_id))
    except ModelError as error:
        return error.code
    return None


@pytest.mark.django_db(transaction=True)  # the rows are looked up by another thread
def test_no_model_that_stands_elsewhere_is_told_anything(person, settings):
    endpoints = {"MODEL": model_endpoint, "EMBEDDINGS": embeddings_endpoint, "IMAGE": image_endpoint}
    somebody = join("bob")  # whose data may be anywhere
    for name, endpoint in endpoints.items():
        setattr(settings, f"PLUMBLINE_{name}_BASE_URL", f"https://{name.lower()}.example/v1")
        told = {}
        for regions in ([], ["eu-west"], ["us-east", "eu-west"], ["us-east"]):
            setattr(settings, f"PLUMBLINE_{name}_REGIONS", regions)
            told[",".join(regions)] = refused(endpoint(), person.tenant.pk)
            assert refused(endpoint(), somebody.tenant.pk) is None
        assert told == {
            "": None,
            "eu-west": None,
            "us-east,eu-west": None,
            "us-east": Trouble.WRONG_REGION,
        }, name


def test_words_of_nobody_knows_whom_are_told_to_none_that_says_where_it_stands(settings):
    settings.PLUMBLINE_EMBEDDINGS_BASE_URL = "https://vectors.example/v1"
    settings.PLUMBLINE_EMBEDDINGS_REGIONS = ["us-east"]
    with pytest.raises(ModelError) as found:
        ServerEmbedder().embed(["a passage"])
    assert found.value.code is Trouble.WRONG_REGION


def test_a_store_that_stands_elsewhere_is_given_no_byte(person, settings, tmp_path):
    settings.MEDIA_ROOT, settings.PLUMBLINE_STORE_REGIONS = tmp_path, ["us-east"]
    with pytest.raises(ObjectError, match="stands in another"):
        put_object(person.tenant.pk, b"a raw page")
    assert list(tmp_path.rglob("*")) == []
    settings.PLUMBLINE_STORE_REGIONS = ["us-east", "eu-west"]
    assert put_object(person.tenant.pk, b"a raw page")
