"""`compilemessages` without gettext's tools: `up` does it by itself, other installations after each update."""

from django.conf import settings
from django.core.management.base import BaseCommand

from config.catalogues import compile_catalogues


class Command(BaseCommand):
    help = "Compiles the translations that changed."
    requires_system_checks = ()

    def handle(self, *args: object, verbosity: int, **options: object) -> None:
        for folder in settings.LOCALE_PATHS:
            for written in compile_catalogues(folder):
                if verbosity:
                    self.stdout.write(f"{written.relative_to(folder)} written")
