"""`serve`: become one process of an installation on servers, replacing this one so that signals reach it."""

import os
import socket
from collections.abc import Mapping
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.services import process_roles
from config.services.service_paths import UnsafeFolder, private_folder
from research.management.command_options import whole
from research.management.commands.up import explain

ROLES = ("web", "agents", "reading", "beat")


class Command(BaseCommand):
    help = "Run one process of an installation: web, agents, reading or beat (docs/operating.md)."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("role", choices=ROLES)
        parser.add_argument("--host", default=settings.PLUMBLINE_HOST, help="web: address to listen on")
        parser.add_argument(
            "--port", type=whole(1, 65535), default=settings.PLUMBLINE_PORT, help="web: port to listen on"
        )
        parser.add_argument(
            "--queues",
            default="",
            help="agents and reading: queues to serve, separated by commas; each queue must be served by some process",
        )

    def handle(self, *args: object, role: str, host: str, port: int, queues: str, **options: object) -> None:
        if settings.EMBEDDED_POSTGRES or settings.EMBEDDED_VALKEY:
            raise CommandError(
                "Set DATABASE_URL and REDIS_URL first. On one machine alone, “up” starts everything."
            )
        try:
            private_folder(settings.PATHS.data)
        except UnsafeFolder as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(explain(error)) from error
        if role == "web" and settings.PLUMBLINE_STATIC_COLLECTED and not is_collected():
            raise CommandError(
                f"There are no collected files in {settings.STATIC_ROOT}. Run “manage.py collectstatic --no-input” "
                "with the same settings, or leave PLUMBLINE_STATIC_COLLECTED out."
            )
        extra = _of_site(port) if role == "web" else {}
        become(_arguments(role, host, port, queues), {**os.environ, **process_roles.environment(), **extra})


def _of_site(port: int) -> Mapping[str, str]:
    """Return the environment for metrics of one machine and port, because several may share the data
    folder.
    """
    private_folder(settings.PATHS.run)
    figures = settings.PATHS.run / f"figures-{socket.gethostname()}-{port}"
    return process_roles.web_environment(process_roles.recreate_folder(figures))


def is_collected() -> bool:
    """Return True if `collectstatic` has run: without its manifest no page can be rendered."""
    return (Path(settings.STATIC_ROOT) / "staticfiles.json").is_file()


def become(arguments: process_roles.Arguments, environment: Mapping[str, str]) -> None:
    """Replace this process with the command; does not return."""
    os.chdir(settings.BASE_DIR)
    os.execve(arguments[0], arguments, dict(environment))  # noqa: S606  # our own interpreter, no shell


def _arguments(role: str, host: str, port: int, queues: str) -> process_roles.Arguments:
    if role == "web":
        where = ("--host", host, "--port", str(port))
        return process_roles.web(*where, processes=settings.PLUMBLINE_WEB_PROCESSES)
    if role == "beat":
        return process_roles.beat()
    if role == "agents":
        return process_roles.agents(_parse_queues(queues, process_roles.AGENT_QUEUES))
    return process_roles.reading(_parse_queues(queues, process_roles.READING_QUEUES))


def _parse_queues(text: str, there_are: tuple[str, ...]) -> tuple[str, ...]:
    """Return the queues to serve. Raises CommandError for a queue of the other role.

    The agents' threads are for waiting and the readers' processes for computing.
    """
    names = tuple(name.strip() for name in text.split(",") if name.strip()) or there_are
    if not set(names) <= set(there_are):
        raise CommandError(f"Of these queues: {', '.join(there_are)}.")
    return names
