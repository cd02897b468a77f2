"""`manage.py digest_preview RUN …`: print digests and their discussions as JSON lines for `evaluate digest`."""

import json
from argparse import ArgumentParser
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from research.accounts.people import NoAccount
from research.db.tenancy import tenant_context
from research.models import Kind, Run
from research.pipelines.digest.digest_config import DigestConfig
from research.pipelines.pipeline_in_foreground import workplace


class Command(BaseCommand):
    help = "Print finished digests as previews, one JSON line each; --variant names what made them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("runs", nargs="+", type=UUID, metavar="RUN")
        parser.add_argument("--variant", default="")
        parser.add_argument("--user", help="user in whose workspace to work; the local account by default")

    def handle(self, *args: str, runs: list[UUID], variant: str, user: str | None, **options: object) -> None:
        try:
            with workplace(user) as account, tenant_context(account.tenant_id):
                for run in runs:
                    self.stdout.write(json.dumps(preview_of(run, variant), ensure_ascii=False))
        except NoAccount as error:
            raise CommandError(str(error)) from error


def preview_of(run_id: UUID, variant: str) -> dict[str, object]:
    """Return a finished digest as a preview. Raises CommandError if there is none. Needs the tenant set."""
    run = Run.objects.filter(pk=run_id, kind=Kind.DIGEST).first()
    if run is None:
        raise CommandError(f"There is no digest {run_id}.")
    config = DigestConfig.model_validate(run.config)
    return {
        "id": str(run.pk),
        "variant": variant,
        "limits": config.limits.model_dump(),
        "fetch": {
            "query": run.topic,
            "plan_id": config.plan_id,
            "posts": [post.model_dump(mode="json") for post in config.posts],
            "errors": [error.model_dump(mode="json") for error in config.fetch_errors],
        },
        "digest": run.outcome.get("own"),
    }
