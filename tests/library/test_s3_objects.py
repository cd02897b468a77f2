"""The object store in a bucket: the same promises as in a folder, kept by a server."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import pytest
from django.conf import settings as configured
from django.utils import timezone

from exports.models import Export
from research.db.tenancy import create_tenant, tenant_context
from research.ops.retention.retention_of_files import tidy_tenant
from research.storage.keys import data_encryption_keys
from research.storage.object_store import (
    ObjectError,
    get_object,
    has_object,
    object_key,
    put_object,
    sha256_in,
)
from tests.fakes.s3_server import S3Server, s3_server
from tests.people import join
from tests.worlds import make_report

pytestmark = pytest.mark.django_db


@pytest.fixture
def bucket(settings) -> Iterator[S3Server]:
    with s3_server() as server:
        own = {"bucket_name": "papers", "endpoint_url": server.url, "region_name": "eu-central-1"}
        own |= {"access_key": "ada", "secret_key": "secret"}
        store = {"BACKEND": "research.storage.s3_object_store.S3Objects", "OPTIONS": own}
        settings.STORAGES = {**configured.STORAGES, "objects": store}
        yield server


@pytest.fixture
def tenant(bucket) -> UUID:
    data_encryption_keys.forget()
    return create_tenant("Keepers").pk


def test_what_was_put_comes_back_and_is_encrypted_there(tenant, bucket):
    key = put_object(tenant, b"The seasonal factor stayed above two.")
    assert get_object(key) == b"The seasonal factor stayed above two."
    assert list(bucket.files) == [f"/papers/{key}"]
    assert b"seasonal" not in bucket.files[f"/papers/{key}"]


def test_the_same_bytes_are_kept_once(tenant, bucket):
    assert put_object(tenant, b"words") == put_object(tenant, b"words")
    assert len(bucket.files) == 1


def test_what_is_not_there_says_so(tenant):
    key = object_key(tenant, "0" * 64)
    assert not has_object(key)
    with pytest.raises(ObjectError, match="no longer there"):
        get_object(key)


def test_a_store_that_refuses_says_so(tenant, bucket):
    bucket.is_broken = True
    with pytest.raises(ObjectError, match="could not be stored"):
        put_object(tenant, b"words")


def test_an_ended_file_leaves_the_bucket_unless_another_is_the_same(bucket):
    world = make_report(join("ada"))
    tenant = world.person.tenant.pk
    data_encryption_keys.forget()
    alone, shared = put_object(tenant, b"alone"), put_object(tenant, b"shared")
    past, later = (timezone.now() + timedelta(days=days) for days in (-1, 1))
    with tenant_context(tenant):
        for number, (key, ends) in enumerate(((alone, past), (shared, past), (shared, later))):
            there = {"object_key": key, "sha256": sha256_in(key), "file_size": 5, "expires_at": ends}
            wish = {"run": world.run, "report_version": 1, "evidence_version": "1", "format": "csv"}
            Export.objects.create(state="ready", options_hash=str(number), **wish, **there)
    tidy_tenant(tenant)
    assert list(bucket.files) == [f"/papers/{shared}"]
