"""`healthy`: check whether a process, or the workers of a queue, can work; for the health checks of containers."""

from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.services.service_address import answers
from research.models import Queue
from research.ops.health import complaints
from research.ops.queue_heartbeat import SILENT_AFTER_S, silence_s

SITE_S = 10.0  # a healthy site answers within this time
LIVE = "/health/live/"


class Command(BaseCommand):
    """Exits with status 1 and a reason if something is wrong."""

    help = "Check that the database, its tables and the key exist, and that the queues are served."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--queue",
            action="append",
            choices=[queue.value for queue in Queue],
            default=[],
            help="a queue that must have been served within the last minute (repeatable)",
        )
        parser.add_argument("--site", action="store_true", help="also check that the site answers")

    def handle(self, *args: object, queue: list[str], site: bool, **options: object) -> None:
        missing = complaints()
        if missing:
            raise CommandError(f"Not ready: {', '.join(missing)}.")
        for name in queue:
            silence = silence_s(Queue(name))
            if silence is None or silence > SILENT_AFTER_S:
                raise CommandError(f"Nobody has answered on the queue {name} for {SILENT_AFTER_S} s.")
        if site and not answers(
            settings.PLUMBLINE_HOST, settings.PLUMBLINE_PORT, SITE_S, name=_find_known_host(), path=LIVE
        ):
            raise CommandError(f"The site does not answer at port {settings.PLUMBLINE_PORT}.")
        self.stdout.write("All is well.")


def _find_known_host() -> str:
    """Return a host that the site answers for; it would reject and log any other."""
    return next((host.lstrip(".") for host in settings.ALLOWED_HOSTS if host != "*"), "localhost")
