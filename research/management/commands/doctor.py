"""`doctor`: says what is missing on this machine and how to get it."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.services.doctor import Finding, Question, Verdict, examine
from research.acquisition.browsing.shutting_in import is_walled
from research.llm.settings import engine, model_endpoint
from research.reading.child import ReaderStartError, child_walls, stop_child
from research.reading.walls import Wall

WALLS = {
    Wall.CALLS: "its system calls are not filtered (no seccomp here)",
    Wall.USER: "as the user who runs Plumbline, not one of its own (only root can give it one)",
}
MARKS = {Verdict.GOOD: "✓", Verdict.OPTIONAL: "–", Verdict.BAD: "✗"}


class Command(BaseCommand):
    help = "Says what is missing on this machine and how to get it; fails when something needed is."
    requires_system_checks = ()

    def handle(self, *args: object, **options: object) -> None:
        findings = [*examine(_question()), _reader()]
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


def _reader() -> Finding:
    """What stands between a hostile document and this machine."""
    try:
        walls = child_walls()
    except ReaderStartError as error:
        return Finding("reader", Verdict.BAD, str(error))
    finally:
        stop_child()
    missing = [words for wall, words in WALLS.items() if wall not in walls]
    if not missing:
        return Finding("reader", Verdict.GOOD, "parses documents without files, network or rights")
    return Finding("reader", Verdict.OPTIONAL, f"parses documents within limits, but {'; '.join(missing)}")


def _question() -> Question:
    return Question(
        paths=settings.PATHS,
        lock=settings.BASE_DIR / "requirements.lock",
        embedded_postgres=settings.EMBEDDED_POSTGRES,
        embedded_valkey=settings.EMBEDDED_VALKEY,
        host=settings.PLUMBLINE_HOST,
        port=settings.PLUMBLINE_PORT,
        model=_model(),
        backup_keys=settings.PLUMBLINE_BACKUP_KEYS,
        is_shared=bool(settings.PLUMBLINE_S3_BUCKET),
        browser=settings.PLUMBLINE_BROWSER,
        is_walled=is_walled,
    )


def _model() -> str:
    if engine() == "extractive":
        return ""
    return f"{settings.PLUMBLINE_MODEL} at {model_endpoint().base_url}"
