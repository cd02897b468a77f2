"""`migrate` with the role that owns the tables; starts the embedded database if it is not running."""

from contextlib import AbstractContextManager, nullcontext

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.core.management.commands.migrate import Command as DjangoMigrate
from django.db import DEFAULT_DB_ALIAS, connections

from config.databases import grant_future_tables
from config.services.embedded import run_services


class Command(DjangoMigrate):
    """Django's command, with `owner` as its database."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(database="owner")

    def _services(self) -> AbstractContextManager[None]:
        """Start the embedded services, unless the alias points elsewhere (a test's own cluster)."""
        if connections["owner"].settings_dict["HOST"] == str(settings.PATHS.postgres_sockets):
            return run_services()
        return nullcontext()

    def handle(self, *args: object, **options: object) -> None:
        if "owner" not in connections:
            raise CommandError("DATABASE_OWNER_URL is not set; only the owner of the tables may change them.")
        with self._services():
            application = connections[DEFAULT_DB_ALIAS].settings_dict["USER"]
            with connections["owner"].cursor() as cursor:
                grant_future_tables(cursor, application)
            super().handle(*args, **options)
