"""Values sealed for a tenant open for that tenant, at their place, as long as its key exists."""

import stat

import pytest
from django.conf import settings as configured
from django.utils.timezone import now

from research.db.tenancy import create_tenant, tenant_context
from research.models import DataKey
from research.storage.keys import data_encryption_keys
from research.storage.keys.data_encryption_keys import CannotOpen, open_sealed, seal

pytestmark = pytest.mark.django_db


@pytest.fixture
def tenant():
    return create_tenant("Keys")


def seal_text(tenant, plain=b"secret words"):
    with tenant_context(tenant.pk):
        return seal(plain, "row:1")


def open_text(tenant, value, belongs_to="row:1"):
    with tenant_context(tenant.pk):
        return open_sealed(value, belongs_to)


def test_what_was_sealed_opens(tenant):
    assert open_text(tenant, seal_text(tenant)) == b"secret words"


def test_a_sealed_value_does_not_show_its_content(tenant):
    assert b"secret" not in seal_text(tenant)


def test_the_same_value_is_sealed_differently_each_time(tenant):
    assert seal_text(tenant) != seal_text(tenant)


def test_a_tenant_gets_one_key(tenant):
    seal_text(tenant), seal_text(tenant)
    with tenant_context(tenant.pk):
        assert DataKey.objects.count() == 1


def test_a_value_does_not_open_in_another_place(tenant):
    with pytest.raises(CannotOpen):
        open_text(tenant, seal_text(tenant), "row:2")


def test_a_value_does_not_open_for_another_tenant(tenant):
    with pytest.raises(CannotOpen):
        open_text(create_tenant("Others"), seal_text(tenant))


@pytest.mark.parametrize("at", [0, 5, 20, 40, -1])
def test_a_changed_value_does_not_open(tenant, at):
    value = bytearray(seal_text(tenant))
    value[at] ^= 1
    with pytest.raises(CannotOpen):
        open_text(tenant, bytes(value))


@pytest.mark.parametrize("value", [b"", b"\x01", b"\x02" + bytes(60)])
def test_what_is_no_sealed_value_says_so(tenant, value):
    with pytest.raises(CannotOpen):
        open_text(tenant, value)


def test_without_its_key_a_value_is_lost(tenant):
    value = seal_text(tenant)
    with tenant_context(tenant.pk):
        DataKey.objects.all().delete()
    with pytest.raises(CannotOpen):
        open_text(tenant, value)


def test_a_value_sealed_under_a_retired_key_still_opens(tenant):
    value = seal_text(tenant)
    with tenant_context(tenant.pk):
        DataKey.objects.update(retired_at=now())
    data_encryption_keys.forget()
    assert open_text(tenant, value) == b"secret words"
    seal_text(tenant)
    with tenant_context(tenant.pk):
        assert DataKey.objects.count() == 2


def test_another_key_encryption_key_does_not_unwrap(tenant, settings):
    value = seal_text(tenant)
    settings.PLUMBLINE_KEY_ENCRYPTION_KEY = "x" * 40
    data_encryption_keys._unwrap_data_key.cache_clear()
    with pytest.raises(CannotOpen):
        open_text(tenant, value)
    data_encryption_keys._unwrap_data_key.cache_clear()


def test_the_kept_key_encryption_key_is_its_owners_alone(tenant):
    seal_text(tenant)
    mode = stat.S_IMODE(configured.PATHS.key_encryption_key.stat().st_mode)
    assert mode == 0o600
