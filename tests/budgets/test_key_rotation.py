"""Keys are exchanged while everything that they sealed goes on opening."""

from base64 import b64decode
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.conf import settings as configured
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db.models import BinaryField
from django.utils.timezone import now

from research.db.tenancy import create_tenant, tenant_context
from research.models import DataKey, SecretPurpose, TenantSecret
from research.storage.keys import data_encryption_keys, key_encryption, key_rotation
from research.storage.keys.data_encryption_keys import CannotOpen, lock_in_use, open_own, seal_own
from research.storage.keys.key_rotation import SEALED, SECOND_FACTOR, reseal, rewrap, rotate
from research.storage.keys.webhook_secrets import keep_secret, texts_of
from research.storage.object_store import get_object, put_object
from research.storage.stored_tenant_objects import keys_of, read_sealed_bytes
from research.web.account.second_factor_page_secrets import SecondFactor

pytestmark = pytest.mark.django_db
PURPOSE = SecretPurpose.PARALLEL_WEBHOOK
SECRET = "a secret of sixteen"
NOT_SEALED = {"minhash", "wrapped_key"}  # figures that tell near copies; a key, which has a wrapping instead


def restart():
    data_encryption_keys.forget()
    data_encryption_keys._unwrap_data_key.cache_clear()


@pytest.fixture(autouse=True)
def _as_after_a_restart(monkeypatch):
    monkeypatch.setattr("config.services.embedded.build_embedded_services", list)
    restart()
    yield
    restart()


@pytest.fixture
def tenant(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    settings.PLUMBLINE_KEY_ENCRYPTION_KEY = "first" * 8
    return create_tenant("Keys")


def keep(tenant, text=SECRET):
    with tenant_context(tenant.pk):
        return keep_secret(PURPOSE, text, None)


def secrets(tenant):
    with tenant_context(tenant.pk):
        return texts_of(PURPOSE)


def keys(tenant):
    with tenant_context(tenant.pk):
        return list(DataKey.objects.order_by("created_at", "id"))


def retire_long_ago(tenant):
    with tenant_context(tenant.pk):
        DataKey.objects.exclude(retired_at=None).update(retired_at=now() - timedelta(days=2))


def test_every_column_of_bytes_is_sealed_or_known_not_to_be():
    """A new one must be named in `SEALED`, else its values would be lost with a retired key."""
    columns = {
        (model, field.name)
        for model in apps.get_models()
        if model._meta.app_label in ("research", "citations", "exports", "slides")
        for field in model._meta.local_fields
        if isinstance(field, BinaryField) and field.name not in NOT_SEALED
    }
    assert columns == {(column.model, column.field) for column in SEALED}


def test_after_rotation_the_new_key_seals_and_the_old_one_opens(tenant):
    keep(tenant)
    new = rotate(tenant.pk)
    assert lock_in_use(tenant.pk).key_id == new.pk
    assert [row.retired_at is None for row in keys(tenant)] == [False, True]
    assert secrets(tenant) == [SECRET]


def test_resealing_moves_rows_and_files_and_destroys_the_old_key(tenant):
    row, stored = keep(tenant), put_object(tenant.pk, b"bytes of a page")
    new = rotate(tenant.pk)
    retire_long_ago(tenant)
    done = reseal(tenant.pk)
    assert (done.values, done.objects, done.destroyed, done.kept) == (1, 1, 1, 0)
    assert [key.pk for key in keys(tenant)] == [new.pk]
    with tenant_context(tenant.pk):
        assert bytes(TenantSecret.objects.get(pk=row.pk).sealed)[1:17] == new.pk.bytes
        assert get_object(stored) == b"bytes of a page"
    assert secrets(tenant) == [SECRET]


def test_a_key_that_was_in_use_today_is_not_destroyed(tenant):
    keep(tenant)
    rotate(tenant.pk)
    assert reseal(tenant.pk).kept == 1
    assert len(keys(tenant)) == 2


class Killed(BaseException):
    """Stands for the end of the process."""


def test_killed_after_any_value_resealing_goes_on_where_it_was(tenant, monkeypatch):
    """Each batch is one value here; the process dies at each in turn."""
    texts = [f"{SECRET} {n}" for n in range(4)]
    for text in texts:
        keep(tenant, text)
    for n in range(3):
        put_object(tenant.pk, b"page %d" % n)
    rotate(tenant.pk)
    retire_long_ago(tenant)
    monkeypatch.setattr(key_rotation, "BATCH", 1)
    real, deaths = key_rotation.seal_anew, 0

    def dies_once(tenant_id, key, key_id):
        real(tenant_id, key, key_id)
        raise Killed

    monkeypatch.setattr(key_rotation, "seal_anew", dies_once)
    while deaths < 3:
        with pytest.raises(Killed):
            reseal(tenant.pk)
        deaths += 1
        assert sorted(secrets(tenant)) == texts
        assert len(keys(tenant)) == 2
    monkeypatch.setattr(key_rotation, "seal_anew", real)
    assert reseal(tenant.pk).destroyed == 1
    heads = {read_sealed_bytes(tenant.pk, key)[1:17] for key in keys_of(tenant.pk)}
    assert heads == {keys(tenant)[0].pk.bytes}


def authenticator():
    user = User.objects.create(username="with a second factor")
    adapter = SecondFactor()
    data = {"secret": adapter.encrypt("JBSWY3DPEHPK3PXP")}
    recovery = {
        "seed": adapter.encrypt("feed"),
        "used_mask": 3,
        "migrated_codes": [adapter.encrypt("12345678")],
    }
    return [
        Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data=data),
        Authenticator.objects.create(user=user, type=Authenticator.Type.RECOVERY_CODES, data=recovery),
    ]


def open_secrets(rows):
    """Open the secrets with the key-encryption key in use alone."""
    found = [Authenticator.objects.get(pk=row.pk).data for row in rows]
    own = key_encryption.in_use()
    texts = [found[0]["secret"], found[1]["seed"], found[1]["migrated_codes"][0]]
    return [own.unwrap(b64decode(text), SECOND_FACTOR.encode()).decode() for text in texts]


def test_a_new_key_encryption_key_takes_over_while_everything_opens(tenant, settings):
    keep(tenant)
    rows = authenticator()
    settings.PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY = settings.PLUMBLINE_KEY_ENCRYPTION_KEY
    settings.PLUMBLINE_KEY_ENCRYPTION_KEY = "second" * 8
    restart()
    assert secrets(tenant) == [SECRET]  # before anything is wrapped anew
    assert SecondFactor().decrypt(rows[0].data["secret"]) == "JBSWY3DPEHPK3PXP"
    done = rewrap()
    assert (done.data_keys, done.secrets) == (1, 2)
    settings.PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY = ""
    restart()
    assert secrets(tenant) == [SECRET]
    assert open_secrets(rows) == ["JBSWY3DPEHPK3PXP", "feed", "12345678"]
    assert rewrap() == key_rotation.RewrapCounts()  # twice changes nothing


def test_a_lost_key_encryption_key_is_named(tenant, settings):
    keep(tenant)
    lost = key_encryption.in_use().id
    settings.PLUMBLINE_KEY_ENCRYPTION_KEY = "another" * 8
    restart()
    with pytest.raises(CannotOpen, match=f"{lost}.*PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY"):
        secrets(tenant)
    with pytest.raises(CommandError, match=lost):
        call_command("keys", "rewrap")


def test_the_file_is_exchanged_and_its_predecessor_goes(tenant, settings, capsys):
    settings.PLUMBLINE_KEY_ENCRYPTION_KEY = ""
    keep(tenant)
    old, own = key_encryption.in_use().id, seal_own(b"own", "x")
    call_command("keys", "exchange")
    assert key_encryption.in_use().id != old
    assert not key_encryption.previous_file().exists()
    assert {row.kek_id for row in keys(tenant)} == {key_encryption.in_use().id}
    assert secrets(tenant) == [SECRET]
    with pytest.raises(CannotOpen):  # of no row that we know: its key is gone
        open_own(own, "x")


def test_an_exchange_killed_after_the_files_changed_is_gone_on_with(tenant, settings):
    settings.PLUMBLINE_KEY_ENCRYPTION_KEY = ""
    keep(tenant)
    key_encryption.exchange_file()
    between = key_encryption.in_use().id
    restart()
    assert secrets(tenant) == [SECRET]
    call_command("keys", "exchange")
    assert key_encryption.in_use().id == between
    assert not key_encryption.previous_file().exists()


def test_a_key_from_the_file_is_replaced_by_one_from_the_settings(tenant, settings):
    settings.PLUMBLINE_KEY_ENCRYPTION_KEY = ""
    keep(tenant)
    settings.PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY = key_encryption.key_file().read_text()
    settings.PLUMBLINE_KEY_ENCRYPTION_KEY = "managed" * 8
    restart()
    assert secrets(tenant) == [SECRET]
    assert rewrap().data_keys == 1


def test_the_command_shows_keys_and_never_a_key(tenant, capsys):
    keep(tenant)
    rotate(tenant.pk)
    call_command("keys")
    shown = capsys.readouterr().out
    assert "1 in use, 1 retired" in shown
    assert configured.PLUMBLINE_KEY_ENCRYPTION_KEY not in shown
    assert key_encryption.in_use().id in shown


def test_the_command_refuses_what_makes_no_sense(tenant):
    with pytest.raises(CommandError, match="There is no workspace"):
        call_command("keys", "rotate", "--tenant", "00000000-0000-7000-8000-000000000001")
    with pytest.raises(CommandError, match="leave --tenant out"):
        call_command("keys", "rewrap", "--tenant", str(tenant.pk))
    with pytest.raises(CommandError, match="comes from the settings"):
        call_command("keys", "exchange")
