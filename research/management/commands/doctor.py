"""`doctor`: says what is missing on this machine and how to get it."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.services.doctor import Finding, Question, Verdict, examine
from research.acquisition.browsing.shutting_in import is_walled
from research.llm.settings import engine, model_endpoint

MARKS = {Verdict.GOOD: "✓", Verdict.OPTIONAL: "–", Verdict.BAD: "✗"}


class Command(BaseCommand):
    help = "Says what is missing on this machine and how to get it; fails when something needed is."
    requires_system_checks = ()

    def handle(self, *args: object, **options: object) -> None:
        findings = list(examine(_question()))
        for finding in findings:
            self._show(finding)
        missing = [finding.subject for finding in findings if finding.verdict is Verdict.BAD]
        if missing:
            raise CommandError(f"Not ready: {', '.join(missing)}.")
        self.stdout.write("Ready: make run starts Plumbline.")

    def _show(self, finding: Finding) -> None:
        self.stdout.write(f"{MARKS[finding.verdict]} {finding.subject:<12} {finding.detail}")
        if finding.remedy:
            self.stdout.write(f"  {'':<12} {finding.remedy}")


def _question() -> Question:
    return Question(
        paths=settings.PATHS,
        lock=settings.BASE_DIR / "requirements.lock",
        embedded_postgres=settings.EMBEDDED_POSTGRES,
        embedded_valkey=settings.EMBEDDED_VALKEY,
        host=settings.PLUMBLINE_HOST,
        port=settings.PLUMBLINE_PORT,
        model=_model(),
        browser=settings.PLUMBLINE_BROWSER,
        is_walled=is_walled,
    )


def _model() -> str:
    if engine() == "extractive":
        return ""
    return f"{settings.PLUMBLINE_MODEL} at {model_endpoint().base_url}"
