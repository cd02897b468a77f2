"""A workspace's runs are started and worked on in its region alone."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import region_store_settings
from research.db.tenancy import tenant_context
from research.engine.claim_and_finish_steps import claim
from research.llm.embedding_client import ServerEmbedder
from research.llm.model_errors import ModelError, Trouble
from research.llm.model_process import model_process
from research.llm.model_residency import keep_within
from research.llm.model_settings import embeddings_endpoint, environment_models, image_endpoint
from research.models import Queue, Run, Tenant
from research.runs.start_and_cancel import StartRefused, start_run
from research.storage.object_store import ObjectError, get_object, put_object
from research.storage.stored_tenant_objects import move_home, remove_all
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


def claim_control_steps(person, run):
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
    assert claim_control_steps(person, start(person))


def test_a_worker_of_another_region_takes_no_step(person, settings):
    run = start(person)
    settings.PLUMBLINE_REGION = "us-east"
    assert claim_control_steps(person, run) == []
    settings.PLUMBLINE_REGION = "eu-west"
    assert claim_control_steps(person, run)


def test_a_workspace_without_a_region_is_served_anywhere(settings):
    settings.PLUMBLINE_REGION = "us-east"
    somebody = join("bob")
    assert claim_control_steps(somebody, start(somebody))


def get_refusal(endpoint, tenant_id):
    process = model_process()
    try:
        process.wait_for(keep_within(process, endpoint, tenant_id))
    except ModelError as error:
        return error.code
    return None


@pytest.mark.django_db(transaction=True)  # the rows are looked up by another thread
def test_no_model_that_stands_elsewhere_is_told_anything(person, settings):
    endpoints = {
        "MODEL": lambda: environment_models().endpoint,
        "EMBEDDINGS": embeddings_endpoint,
        "IMAGE": image_endpoint,
    }
    somebody = join("bob")  # whose data may be anywhere
    for name, endpoint in endpoints.items():
        setattr(settings, f"PLUMBLINE_{name}_BASE_URL", f"https://{name.lower()}.example/v1")
        told = {}
        for regions in ([], ["eu-west"], ["us-east", "eu-west"], ["us-east"]):
            setattr(settings, f"PLUMBLINE_{name}_REGIONS", regions)
            told[",".join(regions)] = get_refusal(endpoint(), person.tenant.pk)
            assert get_refusal(endpoint(), somebody.tenant.pk) is None
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


@pytest.fixture
def two_stores(settings, tmp_path):
    """One for all, and one for eu-west; the folders."""
    stores = {
        "eu-west": {
            "BACKEND": "research.storage.object_store.AtomicFileStorage",
            "OPTIONS": {"location": tmp_path / "eu"},
        }
    }
    settings.MEDIA_ROOT, settings.PLUMBLINE_REGION_STORES = tmp_path / "all", stores
    settings.STORAGES = {**settings.STORAGES, "objects-eu-west": stores["eu-west"]}
    return tmp_path / "all", tmp_path / "eu"


def files_in(folder):
    return [path.name for path in folder.rglob("*.gz")]


def test_files_lie_where_the_workspaces_region_says(person, two_stores):
    everybodys, of_europe = two_stores
    assert get_object(put_object(person.tenant.pk, b"a raw page")) == b"a raw page"
    assert (len(files_in(everybodys)), len(files_in(of_europe))) == (0, 1)
    put_object(join("bob").tenant.pk, b"a raw page")
    assert (len(files_in(everybodys)), len(files_in(of_europe))) == (1, 1)


def test_of_a_region_without_a_store_no_byte_goes_into_that_for_all(person, two_stores, settings):
    settings.PLUMBLINE_STORE_REGIONS = ["us-east"]
    assert put_object(person.tenant.pk, b"a raw page")
    with tenant_context(person.tenant.pk):
        Tenant.objects.update(region="ap-south")
    with pytest.raises(ObjectError, match="stands in another"):
        put_object(person.tenant.pk, b"another")


def test_files_of_a_workspace_that_names_its_region_later_open_and_are_moved_there(person, two_stores):
    everybodys, of_europe = two_stores
    with tenant_context(person.tenant.pk):
        Tenant.objects.update(region="")
    key = put_object(person.tenant.pk, b"a raw page")
    with tenant_context(person.tenant.pk):
        Tenant.objects.update(region="eu-west")
    assert get_object(key) == b"a raw page"
    assert move_home(person.tenant.pk) == 1
    assert (files_in(everybodys), len(files_in(of_europe))) == ([], 1)
    assert get_object(key) == b"a raw page"
    assert move_home(person.tenant.pk) == 0


def test_an_erased_workspace_leaves_files_in_no_store(person, two_stores):
    put_object(person.tenant.pk, b"a raw page")
    with tenant_context(person.tenant.pk):
        Tenant.objects.update(region="")
    put_object(person.tenant.pk, b"another")
    assert remove_all(person.tenant.pk) == 2
    assert [files_in(folder) for folder in two_stores] == [[], []]


def test_a_list_of_stores_is_read_strictly(monkeypatch, tmp_path):
    monkeypatch.setenv(
        "STORES", f"eu-west={tmp_path}/eu, us-east=s3:papers@https://s3.example.com, asia=s3:others"
    )
    found = region_store_settings.stores(
        "STORES", {"endpoint_url": "https://home.example.com", "access_key": "a"}
    )
    assert found["eu-west"]["OPTIONS"] == {"location": f"{tmp_path}/eu"}
    assert found["us-east"]["OPTIONS"] == {
        "endpoint_url": "https://s3.example.com", "access_key": "a", "bucket_name": "papers"
    }  # fmt: skip
    assert found["asia"]["OPTIONS"]["endpoint_url"] == "https://home.example.com"
    for wrong in (
        "eu-west",
        "eu-west=",
        "eu=/a, eu=/b",
        "EU=/a",
        "eu=papers",
        "eu=s3:P",
        "eu=s3:papers@ftp://x",
    ):
        monkeypatch.setenv("STORES", wrong)
        with pytest.raises(ImproperlyConfigured, match="STORES must name"):
            region_store_settings.stores("STORES", {})
