"""`up`: start everything on this machine with one command.

It runs without Django's models (manage.py), since its process only watches others.
"""

import errno
import sys

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.services import installation_processes
from config.services.installation import AlreadyRunning, StartOptions, run
from config.services.service_console import Console
from config.services.service_paths import UnsafeFolder
from config.services.service_processes import ServiceError

SAMPLE_LIBRARY = "sample_library"


class Command(BaseCommand):
    help = "Start the database, the queue, the site and the workers; Ctrl-C stops them all."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default=settings.PLUMBLINE_HOST, help="address to listen on")
        parser.add_argument(
            "--port", type=int, default=settings.PLUMBLINE_PORT, help="port, or the next free one"
        )
        parser.add_argument("--no-samples", action="store_true", help="do not build the sample library")

    def handle(self, *args: object, host: str, port: int, no_samples: bool, **options: object) -> None:
        if not 1 <= port <= 65535:
            raise CommandError(f"A port is a number from 1 to 65535, not {port}.")
        errands = () if no_samples else (installation_processes.manage("library", SAMPLE_LIBRARY),)
        wish = StartOptions(host, port, errands)
        try:
            run(wish, Console.on(sys.stdout))
        except AlreadyRunning as running:
            where = f"at {running.address}" if running.address else "and still starting"
            self.stdout.write(f"Plumbline is already running {where}")
        except (ServiceError, UnsafeFolder) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(explain(error)) from error


def explain(error: OSError) -> str:
    """Return one sentence for the person at the terminal."""
    if error.errno == errno.ENOSPC:
        return f"The disk that holds {settings.PLUMBLINE_DATA} is full; make room, or set PLUMBLINE_DATA."
    place = error.filename or settings.PLUMBLINE_DATA
    return f"Cannot use {place}: {error.strerror}. Set PLUMBLINE_DATA to a folder of yours."
