"""`manage.py knowledge`: print what is known of an entity as JSON, and rebuild the graph."""

import json
from argparse import ArgumentParser
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from config.services.embedded import run_services
from research.db.tenancy import tenant_context, tenant_ids
from research.library.knowledge.build_knowledge_graph import rebuild_all
from research.library.knowledge.read_knowledge_graph import list_entities, read_entity


class Command(BaseCommand):
    help = (
        "Prints what the finished runs of each workspace say of a thing, as JSON; without words, of what they speak."
        " --rebuild makes the graph anew first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("words", nargs="?", default="", help="part of the name of an entity")
        parser.add_argument("--workspace", type=UUID, metavar="ID", help="only this workspace")
        parser.add_argument("--rebuild", action="store_true", help="rebuild the graph, oldest run first")

    def handle(self, *args: object, **options: object) -> None:
        with run_services():
            wanted = options["workspace"]
            tenants = [tenant for tenant in tenant_ids() if wanted in (None, tenant)]
            if not tenants:
                raise CommandError(f"There is no workspace {wanted}.")
            if options["rebuild"]:
                runs = sum(map(rebuild_all, tenants))
                self.stderr.write(f"{runs} runs are in the graph.")
            self.stdout.write(
                json.dumps([_read(tenant, str(options["words"])) for tenant in tenants], indent=2)
            )


def _read(tenant_id: UUID, words: str) -> dict[str, object]:
    with tenant_context(tenant_id):
        listed = list_entities(words)
        entries = [read_entity(entity.key) for entity in listed.entities] if words else []
    return {
        "workspace": str(tenant_id),
        **listed.model_dump(mode="json"),
        "known": [entry.model_dump(mode="json") for entry in entries if entry is not None],
    }
