"""`manage.py model`: list the models of a server, or test what it can do."""

import asyncio
import os
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from config.services.embedded import run_services
from research.accounts.people import LOCAL_USER, NoAccount, account_of
from research.db.tenancy import tenant_context, tenant_ids
from research.llm.model_check import check, list_models
from research.llm.model_check_results import (
    NotListed,
    Probe,
    ProbeResult,
    ProbeVerdict,
    can_write,
    tokens_a_second,
)
from research.llm.model_errors import ModelError
from research.llm.model_prices import facts_of
from research.llm.model_settings import Endpoint, Models, environment_models, models_of
from research.llm.save_model_connection import normal_url
from research.models import Tenant
from research.ops.health_model_check_text import NAMES, verdict_of, words_of
from research.pipelines.pipeline_in_foreground import migrate_if_needed
from research.pipelines.report.report_config import DEPTHS
from research.runs.run_estimate import DepthCost, depth_costs

MARKS: Mapping[ProbeVerdict, str] = {
    ProbeVerdict.WORKS: "✓",
    ProbeVerdict.MISSING: "–",
    ProbeVerdict.FAILED: "✗",
}
ACTS = {
    "check": "test the server: chat, JSON, tools, embeddings, pictures, speed, context length, costs",
    "list": "the models that it lists",
}


class Command(BaseCommand):
    help = (
        "Tests a model server: the one of a workspace, the one that the environment names, or the one at --url."
        " Exit status 0: reports can be written by it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        told = "; ".join(f"{name}: {words}" for name, words in ACTS.items())
        parser.add_argument("act", choices=ACTS, help=told)
        parser.add_argument("--url", default="", help="the server's address, as http://localhost:11434/v1")
        parser.add_argument(
            "--key-from-env", default="", metavar="NAME", help="the environment variable with its key"
        )
        parser.add_argument("--model", default="", help="the model's name; the connected one by default")
        parser.add_argument("--workspace", default="", help="its name or id; the local account's by default")

    def handle(self, *args: object, **options: str) -> None:
        named = _parse_server(options) if options["url"] else None
        if named is None and options["key_from_env"]:
            raise CommandError("--key-from-env belongs to --url: a connected server has its key already.")
        with run_services():
            migrate_if_needed()
            self._act(options["act"], named or _load_models(options))

    def _act(self, act: str, models: Models) -> None:
        if act == "list":
            self._list(models.endpoint)
            return
        if not models.model:
            raise CommandError(
                "Name the model by --model; manage.py model list --url … shows which there are."
            )
        self._check(models)

    def _list(self, endpoint: Endpoint) -> None:
        try:
            found = asyncio.run(list_models(endpoint))
        except NotListed as error:
            words = words_of(ProbeResult(Probe.MODELS, ProbeVerdict.MISSING, error.reason, error.values))
            raise CommandError(f"{endpoint.base_url}: {words}") from error
        for model in found:
            self.stdout.write(f"{model.id}  {model.context:,} tokens" if model.context else model.id)

    def _check(self, models: Models) -> None:
        self.stdout.write(f"{models.model} at {models.endpoint.base_url}")
        known = facts_of(models.endpoint, models.model).context_window
        findings = asyncio.run(self._show_findings(models, known))
        self.stdout.write(verdict_of(findings))
        if not can_write(findings):
            raise CommandError("Not ready.", returncode=1)
        self.stdout.write("A report will take:")
        self._show_costs(models, tokens_a_second(findings))

    async def _show_findings(self, models: Models, known_context: int | None) -> list[ProbeResult]:
        findings = []
        async for finding in check(models, known_context):
            findings.append(finding)
            self.stdout.write(f"{MARKS[finding.verdict]} {NAMES[finding.probe]!s:<16} {words_of(finding)}")
        return findings

    def _show_costs(self, models: Models, speed: float | None) -> None:
        for cost in depth_costs(models, DEPTHS, speed):
            self.stdout.write(
                f"  {cost.depth:<14} {cost.sources:>3} sources, {_usd_in_words(cost)}, about {cost.tokens:,} tokens,"
                f" {_minutes_in_words(cost.minutes)}"
            )


def _usd_in_words(cost: DepthCost) -> str:
    if cost.is_local:
        return "no dollars"
    return "price unknown" if cost.usd is None else f"about ${cost.usd:.2f}"


def _minutes_in_words(minutes: int) -> str:
    return f"about {minutes:,} min at this speed" if minutes else "less than a minute"


def _parse_server(options: Mapping[str, str]) -> Models:
    """Return the server given on the command line. Raises CommandError."""
    url = options["url"]
    if not url.startswith(("http://", "https://")):
        raise CommandError(
            f"--url begins with http:// or https://, as http://localhost:11434/v1; it is {url!r}."
        )
    if options["workspace"]:
        raise CommandError("Give --url or --workspace, not both.")
    name, key = options["key_from_env"], ""
    if name:
        key = os.environ.get(name, "").strip()
        if not key:
            raise CommandError(f"The environment has no {name}.")
    return Models(Endpoint(normal_url(url), key), options["model"])


def _load_models(options: Mapping[str, str]) -> Models:
    """Return the models of the workspace, with the model replaced if one is named. Raises CommandError."""
    tenant_id = _workspace(options["workspace"])
    try:
        models = models_of(tenant_id) if tenant_id else environment_models()
    except ModelError as error:
        raise CommandError(error.message) from error
    if models is None:
        raise CommandError(
            "No model is connected: an owner connects one on the page Account, Model; or give --url and --model."
        )
    if not options["model"]:
        return models
    return Models(
        models.endpoint, options["model"], models.role_models, models.fallback, models.context_length
    )


def _workspace(wanted: str) -> UUID | None:
    """Return the wanted workspace, or None for the environment's models. Raises CommandError."""
    known = tenant_ids()
    if not wanted:
        return _local(known)
    found = [tenant_id for tenant_id in known if wanted in (str(tenant_id), _name_of(tenant_id))]
    if len(found) > 1:
        raise CommandError(f"{len(found)} workspaces are called “{wanted}”: give the id of one.")
    if not found:
        raise CommandError(f"There is no workspace “{wanted}”.")
    return found[0]


def _local(known: Sequence[UUID]) -> UUID | None:
    """Return the only workspace, or the local account's if there are several."""
    if len(known) == 1:
        return known[0]
    try:
        return account_of(LOCAL_USER).tenant_id
    except NoAccount:
        return None


def _name_of(tenant_id: UUID) -> str:
    with tenant_context(tenant_id):
        return Tenant.objects.get(pk=tenant_id).name
