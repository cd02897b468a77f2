"""`compilemessages`: compile changed translations without the gettext tools.

`up` runs it itself; other installations run it after each update.
"""

from django.conf import settings
from django.core.management.base import BaseCommand

from config.catalogues import compile_catalogues


class Command(BaseCommand):
    help = "Compile changed translations."
    requires_system_checks = ()

    def handle(self, *args: object, verbosity: int, **options: object) -> None:
        for folder in settings.LOCALE_PATHS:
            try:
                written = compile_catalogues(folder)
            except PermissionError as error:  # a site without its latest translations is better than none
                self.stderr.write(f"Translations stay as they are: {error.filename}: {error.strerror}.")
                continue
            for path in written if verbosity else ():
                self.stdout.write(f"{path.relative_to(folder)} written")
