"""`manage.py mcp`: serve research as tools for an agent on this machine, over standard input and output."""

import asyncio
import os
import threading
from argparse import ArgumentParser
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from config.services.embedded import run_services
from research.accounts.api_tokens import find_caller
from research.engine.step_runner import drive
from research.pipelines.pipeline_in_foreground import migrate_if_needed

VARIABLE = "PLUMBLINE_TOKEN"


class Command(BaseCommand):
    help = (
        "Speak the Model Context Protocol on standard input and output. The token of the account page comes from the"
        f" environment ({VARIABLE}). Runs are worked on in this process, and by workers where there are any."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--no-work", action="store_true", help="leave runs to the workers of a running site"
        )

    def handle(self, *args: str, **options: str) -> None:
        token = os.environ.get(VARIABLE, "")
        with run_services():
            migrate_if_needed()
            caller = find_caller(token)
            if caller is None:
                raise CommandError(
                    f"{VARIABLE} holds no token that is good now: make one on the account page."
                )
            _serve(token, caller.tenant_id, is_working=not options["no_work"])


def _serve(token: str, tenant_id: UUID, *, is_working: bool) -> None:
    from research.integrations.mcp import mcp_tools
    from research.integrations.mcp.mcp_caller import token_in_use
    from research.integrations.mcp.mcp_server import make_server

    token_in_use.set(token)
    if is_working:
        mcp_tools.started.append(lambda run_id: _work_on(tenant_id, run_id))
    asyncio.run(make_server().run_stdio_async())


def _work_on(tenant_id: UUID, run_id: UUID) -> None:
    """Work on the run in a thread beside the conversation; if that ends first, the next worker continues
    the run.
    """
    threading.Thread(target=_drive, args=(tenant_id, run_id), name=f"run-{run_id}", daemon=True).start()


def _drive(tenant_id: UUID, run_id: UUID) -> None:
    try:
        drive(tenant_id, run_id)
    finally:
        connections.close_all()  # of this thread
