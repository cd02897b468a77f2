"""`manage.py recheck_sources RUN`: check whether the report's quotes are still in their sources."""

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from citations.models import Citation, Recheck, RecheckedCitation, RecheckOutcome
from research.accounts.people import NoAccount, PersonalAccount
from research.db.tenancy import tenant_context
from research.library.rechecks.recheck_library_sources import look_at_once
from research.library.rechecks.request_library_rechecks import find_source_citations, request_recheck
from research.models import Run, Source
from research.pipelines.pipeline_in_foreground import workplace

WIDTH = 60  # maximum length of a title or quote in the table


class Command(BaseCommand):
    help = (
        "Look at the cited sources of a run again, pages of the web fetched anew, and say of each quote: still there, "
        "changed, gone or unreadable. The outcome is kept and shown with the source."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("run", type=UUID)
        parser.add_argument("--user", help="user in whose workspace to work; the local account by default")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: object, **options: object) -> None:
        run_id = UUID(str(options["run"]))
        try:
            with workplace(str(options["user"] or "") or None) as account:
                found = list(recheck(account, run_id))
        except NoAccount as error:
            raise CommandError(str(error)) from error
        lines = [as_json(run_id, found)] if options["json"] else list(table(found))
        self.stdout.write("\n".join(lines))


@dataclass(frozen=True, slots=True)
class RecheckResult:
    """The state of one citation. `now` is the text found in place of the quote, `similarity` (0–1) how like
    it that is.
    """

    claim: int | None
    source: str
    quote: str
    outcome: RecheckOutcome
    similarity: float | None = None
    now: str = ""
    reason: str = ""


def recheck(account: PersonalAccount, run_id: UUID) -> Iterator[RecheckResult]:
    """Recheck the sources one by one in this process. Raises CommandError if there is no such run."""
    with tenant_context(account.tenant_id):
        if not Run.objects.filter(pk=run_id).exists():
            raise CommandError(f"There is no run {run_id}.")
        cited = Citation.objects.filter(claim__run_id=run_id, claim__section__isnull=False)
        sources = list(
            Source.objects.filter(pk__in=cited.values("source")).select_related("library_document")
        )
    for source in sources:
        yield from _of_source(account, source)


def _of_source(account: PersonalAccount, source: Source) -> Iterator[RecheckResult]:
    with tenant_context(account.tenant_id):
        asked = request_recheck(source, account.user, is_limited=False)
    seen = look_at_once(account.tenant_id, asked.pk)
    with tenant_context(account.tenant_id):
        yield from list(_outcomes(source, seen))


def _outcomes(source: Source, recheck: Recheck) -> Iterator[RecheckResult]:
    found = {row.citation_id: row for row in RecheckedCitation.objects.filter(recheck=recheck)}
    for citation in find_source_citations(source).select_related("claim"):
        row = found.get(citation.pk)
        known = citation.claim.number, str(source), citation.quote
        if row is None:
            yield RecheckResult(*known, RecheckOutcome.UNREADABLE, reason=recheck.reason)
        else:
            yield RecheckResult(*known, RecheckOutcome(row.outcome), row.similarity, row.now, recheck.reason)


def as_json(run_id: UUID, found: Sequence[RecheckResult]) -> str:
    rows = [asdict(result) for result in found]
    return json.dumps({"run": str(run_id), "counts": _counts(found), "citations": rows}, ensure_ascii=False)


def table(found: Sequence[RecheckResult]) -> Iterator[str]:
    """Yield a line for each citation, any changed text or reason below it, and finally the counts."""
    for result in found:
        alike = "" if result.similarity is None else f"{int(result.similarity * 100)} %"
        source = _cut(result.source)
        yield f"{result.claim or '':>4}  {result.outcome:<11} {alike:>5}  {source}  “{_cut(result.quote)}”"
        if result.now or result.reason:
            yield f"{'':>25}{f'now: “{_cut(result.now)}”' if result.now else result.reason}"
    yield "  ".join(f"{name}: {count}" for name, count in _counts(found).items())


def _counts(found: Sequence[RecheckResult]) -> dict[str, int]:
    counted = Counter(result.outcome for result in found)
    return {outcome.value: counted[outcome] for outcome in RecheckOutcome}


def _cut(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= WIDTH else words[: WIDTH - 1] + "…"
