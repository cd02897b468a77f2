"""`doctor`: report what is missing on this machine and how to get it."""

from collections.abc import Iterator
from functools import partial

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.services import check_own_servers
from config.services.doctor import Finding, FindingStatus, InstallationFacts, examine
from research.fetching.browser.browser_sandbox import is_sandboxed
from research.fetching.browser.browser_trial import why_not
from research.llm.model_settings import environment_models
from research.management.commands.serve import is_collected
from research.ops.health import migrations_are_open
from research.parsing.parsing_child import build_sandbox, stop_child
from research.runtime.sandbox.sandbox_worker import ReaderStartError
from research.runtime.sandbox.seccomp import SandboxLayer

LAYERS = {
    SandboxLayer.CALLS: "its system calls are not filtered (no seccomp here)",
    SandboxLayer.USER: "as the user who runs Plumbline, not one of its own (only root can give it one)",
}
MARKS = {FindingStatus.GOOD: "✓", FindingStatus.OPTIONAL: "–", FindingStatus.BAD: "✗"}


class Command(BaseCommand):
    help = "Print what is missing on this machine and how to get it. Fails if something required is missing."
    requires_system_checks = ()

    def handle(self, *args: object, **options: object) -> None:
        findings = [*examine(_question()), *_check_preparation(), _reader()]
        for finding in findings:
            self._show(finding)
        missing = [finding.subject for finding in findings if finding.verdict is FindingStatus.BAD]
        if missing:
            raise CommandError(f"Not ready: {', '.join(missing)}.")
        started = "make run" if settings.EMBEDDED_POSTGRES else "plumbline.target, or docker compose up -d,"
        self.stdout.write(f"Ready: {started} starts Plumbline.")

    def _show(self, finding: Finding) -> None:
        self.stdout.write(f"{MARKS[finding.verdict]} {finding.subject:<12} {finding.detail}")
        if finding.remedy:
            self.stdout.write(f"  {'':<12} {finding.remedy}")


def _check_preparation() -> Iterator[Finding]:
    """Check what `make run` prepares by itself and the operator of a server prepares by hand."""
    if not settings.EMBEDDED_POSTGRES:
        behind = migrations_are_open()
        verdict, words = (
            (FindingStatus.BAD, "not those of this release") if behind else (FindingStatus.GOOD, "up to date")
        )
        yield Finding("Tables", verdict, words, "Run: manage.py migrate" if behind else "")
    if settings.PLUMBLINE_STATIC_COLLECTED:
        lacks = not is_collected()
        verdict, words = (FindingStatus.BAD, "not collected in") if lacks else (FindingStatus.GOOD, "in")
        remedy = "Run: manage.py collectstatic --no-input" if lacks else ""
        yield Finding("Static files", verdict, f"{words} {settings.STATIC_ROOT}", remedy)


def _reader() -> Finding:
    """Check the sandbox that protects this machine from a hostile document."""
    try:
        layers = build_sandbox()
    except ReaderStartError as error:
        return Finding("reader", FindingStatus.BAD, str(error))
    finally:
        stop_child()
    missing = [words for layer, words in LAYERS.items() if layer not in layers]
    if not missing:
        return Finding("reader", FindingStatus.GOOD, "parses documents without files, network or rights")
    return Finding(
        "reader", FindingStatus.OPTIONAL, f"parses documents within limits, but {'; '.join(missing)}"
    )


def _question() -> InstallationFacts:
    return InstallationFacts(
        paths=settings.PATHS,
        lock=settings.BASE_DIR / "requirements.lock",
        host=settings.PLUMBLINE_HOST,
        port=settings.PLUMBLINE_PORT,
        own_database=None if settings.EMBEDDED_POSTGRES else check_own_servers.database,
        own_queue=None
        if settings.EMBEDDED_VALKEY
        else partial(check_own_servers.queue, settings.REDIS_LOCATION),
        model=_model(),
        backup_keys=settings.PLUMBLINE_BACKUP_KEYS,
        is_shared=bool(settings.PLUMBLINE_S3_BUCKET),
        browser=settings.PLUMBLINE_BROWSER,
        is_walled=is_sandboxed,
        browser_lacks=why_not,
    )


def _model() -> str:
    models = environment_models()
    return f"{models.model} at {models.endpoint.base_url}" if models else ""
