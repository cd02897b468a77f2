"""`manage.py keys`: list, rotate and rewrap the encryption keys."""

from argparse import ArgumentParser
from collections.abc import Iterator
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Count, Q

from config.services.embedded import run_services
from research.accounts.audit.write_audit_trail import On, record
from research.db.tenancy import tenant_context, tenant_ids
from research.models import Act, DataKey, Tenant
from research.storage.keys import key_encryption
from research.storage.keys.backup_keys import NoBackupKey
from research.storage.keys.data_encryption_keys import CannotOpen
from research.storage.keys.key_rotation import RETIRED_FOR, reseal, rewrap, rotate

ACTS = {
    "show": "which keys there are (the default)",
    "rotate": "a new data key for each workspace; what the old one sealed still opens",
    "reseal": "seal what retired data keys sealed by the one in use, and destroy those retired for a day",
    "rewrap": "wrap all data keys by the key-encryption key of the settings; the previous one is then needed no more",
    "exchange": "make a new key-encryption key in the data folder, and wrap all data keys by it",
}


class Command(BaseCommand):
    help = (
        "Shows and exchanges the keys that encrypt. Each act may be killed and begun again. See docs/keys.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        told = "; ".join(f"{name}: {words}" for name, words in ACTS.items())
        parser.add_argument("act", nargs="?", choices=ACTS, default="show", help=told)
        parser.add_argument("--tenant", type=UUID, help="only this workspace (rotate, reseal)")

    def handle(self, *args: object, **options: object) -> None:
        tenant = options["tenant"]
        act, only = str(options["act"]), tenant if isinstance(tenant, UUID) else None
        if only is not None and act in ("rewrap", "exchange"):
            raise CommandError("There is one key-encryption key for all workspaces: leave --tenant out.")
        with run_services():
            chosen = _select_tenants(only)
            if act != "show":
                record(Act.KEY_ROTATE, on=On("keys", "" if only is None else str(only), act))
            try:
                for line in _lines(act, chosen):
                    self.stdout.write(line)
            except (CannotOpen, NoBackupKey, OSError) as error:
                raise CommandError(f"Stopped: {error}. What was done is done; begin again.") from error


def _select_tenants(only: UUID | None) -> list[UUID]:
    known = tenant_ids()
    if only is not None and only not in known:
        raise CommandError(f"There is no workspace {only}.")
    return known if only is None else [only]


def _lines(act: str, tenants: list[UUID]) -> Iterator[str]:
    if act == "show":
        yield from _describe_keys(tenants)
    elif act == "rotate":
        for tenant_id in tenants:
            yield f"{tenant_id}  new data key {rotate(tenant_id).pk}"
    elif act == "reseal":
        for tenant_id in tenants:
            yield from _reseal_tenant(tenant_id)
    else:
        if act == "exchange":
            _exchange()
        yield from _rewrap_keys()


def _describe_keys(tenants: list[UUID]) -> Iterator[str]:
    own = key_encryption.in_use()
    where = (
        "PLUMBLINE_KEY_ENCRYPTION_KEY" if settings.PLUMBLINE_KEY_ENCRYPTION_KEY else key_encryption.key_file()
    )
    yield f"key-encryption key {own.id}, from {where}"
    for wrapper in key_encryption.beside():
        yield f"  beside it {wrapper.id}, which only opens"
    for tenant_id in tenants:
        with tenant_context(tenant_id):
            counts = DataKey.objects.aggregate(
                used=Count("pk", filter=Q(retired_at=None)),
                retired=Count("pk", filter=~Q(retired_at=None)),
                other=Count("pk", filter=~Q(kek_id=own.id)),
            )
            name = Tenant.objects.get(pk=tenant_id).name
        other = f", {counts['other']} wrapped by another key-encryption key" if counts["other"] else ""
        yield f"{tenant_id}  {counts['used']} in use, {counts['retired']} retired{other}  {name}"


def _reseal_tenant(tenant_id: UUID) -> Iterator[str]:
    done = reseal(tenant_id)
    yield f"{tenant_id}  {done.values} values and {done.objects} files sealed anew, {done.destroyed} keys destroyed"
    if done.kept:
        hours = int(RETIRED_FOR.total_seconds() // 3600)
        yield f"  {done.kept} kept: in use until less than {hours} hours ago. Reseal again after that."


def _exchange() -> None:
    if settings.PLUMBLINE_KEY_ENCRYPTION_KEY:
        raise CommandError(
            "The key-encryption key comes from the settings: put a new one there, the old one into"
            " PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY, start all processes again, then “keys rewrap”."
        )
    key_encryption.exchange_file()


def _rewrap_keys() -> Iterator[str]:
    done = rewrap()
    key_encryption.previous_file().unlink(missing_ok=True)
    told = f"{done.data_keys} data keys, {done.backup_keys} backup keys and {done.secrets} second factors"
    yield f"{told} wrapped by {key_encryption.in_use().id}."
    if settings.PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY:
        yield "PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY is needed no more."
