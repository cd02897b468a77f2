"""`prepare`: bring the database, the translations and the local account up to date."""

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from research.accounts.people import ensure_local_account


class Command(BaseCommand):
    help = "Updates the database and the translations, and creates the local account. “up” does this at each start."
    requires_system_checks = ()

    def handle(self, *args: object, **options: object) -> None:
        call_command("compilemessages", verbosity=0)
        call_command("migrate", verbosity=0, interactive=False)
        if settings.EMBEDDED_POSTGRES:
            ensure_local_account()
