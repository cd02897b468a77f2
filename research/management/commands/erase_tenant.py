"""`manage.py erase_tenant ID`: erase a workspace and everything in it permanently."""

from argparse import ArgumentParser
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from redis.exceptions import RedisError

from config.services.embedded import run_services
from research.db.tenancy import tenant_context, tenant_ids
from research.models import Erasure, Tenant
from research.ops.retention.delete_workspace import NotErased, begin, carry_on, carry_on_all


class Command(BaseCommand):
    help = (
        "Erases a workspace: its rows, files, caches, keys, and the accounts that belong to no other. Nothing brings it"
        " back, no backup either. Without an ID, goes on with what was begun. Safe to kill and to begin again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("tenant", nargs="?", type=UUID, help="`manage.py keys` lists them")
        parser.add_argument("--name", help="the workspace's name, instead of being asked for it")

    def handle(self, *args: object, **options: object) -> None:
        tenant, name = options["tenant"], options["name"]
        with run_services():
            try:
                if isinstance(tenant, UUID):
                    self._erase(tenant, name if isinstance(name, str) else None)
                else:
                    carry_on_all()
            except NotErased as error:
                raise CommandError(str(error)) from error
            except (OSError, RedisError) as error:
                raise CommandError(
                    f"Not finished: {error}. Nobody gets in any more; the rest follows by itself."
                ) from error
            waiting = Erasure.objects.filter(done_at=None).count()
        if waiting:
            raise CommandError(f"{waiting} workspaces are still being erased.")
        self.stdout.write("Erased.")

    def _erase(self, tenant_id: UUID, name: str | None) -> None:
        if tenant_id in tenant_ids():
            begin(tenant_id, _prompt_for_name(tenant_id) if name is None else name)
        elif not Erasure.objects.filter(pk=tenant_id).exists():
            raise NotErased(f"There is no workspace {tenant_id}.")
        carry_on(tenant_id)


def _prompt_for_name(tenant_id: UUID) -> str:
    with tenant_context(tenant_id):
        name = Tenant.objects.get(pk=tenant_id).name
    try:
        return input(f"Everything of “{name}” will be lost for good. Type its name to go on: ")
    except EOFError:
        raise NotErased("Nobody is there to type the workspace's name: give it with --name.") from None
