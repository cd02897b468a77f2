"""`manage.py recheck_sources RUN`: are the report's quotes still in their sources?"""

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from research.accounts import Account, NoAccount
from research.foreground import workplace
from research.models import Run
from research.rechecking import Outcome, Rechecked, recheck
from research.tenancy import tenant_context

WIDTH = 60  # characters of a title or a quote in the table


class Command(BaseCommand):
    help = (
        "Read the cited files of a run again and say of each quote: still there, changed, gone or unreadable."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("run", type=UUID)
        parser.add_argument("--user", help="whose tenant to work in; the local account by default")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: object, **options: object) -> None:
        run_id = UUID(str(options["run"]))
        try:
            with workplace(str(options["user"] or "") or None) as account:
                found = _recheck(account, run_id)
        except NoAccount as error:
            raise CommandError(str(error)) from error
        lines = [as_json(run_id, found)] if options["json"] else list(table(found))
        self.stdout.write("\n".join(lines))


def _recheck(account: Account, run_id: UUID) -> list[Rechecked]:
    with tenant_context(account.tenant_id):
        if not Run.objects.filter(pk=run_id).exists():
            raise CommandError(f"There is no run {run_id}.")
    return list(recheck(account.tenant_id, run_id))


def as_json(run_id: UUID, found: Sequence[Rechecked]) -> str:
    rows = [asdict(one) for one in found]
    return json.dumps({"run": str(run_id), "counts": _counts(found), "citations": rows}, ensure_ascii=False)


def table(found: Sequence[Rechecked]) -> Iterator[str]:
    """A line for each citation, what stands there now below it, and the counts last."""
    for one in found:
        alike = "" if one.similarity is None else f"{int(one.similarity * 100)} %"
        source = _cut(one.source)
        yield f"{one.claim or '':>4}  {one.outcome:<11} {alike:>5}  {source}  “{_cut(one.quote)}”"
        if one.now or one.reason:
            yield f"{'':>25}{f'now: “{_cut(one.now)}”' if one.now else one.reason}"
    yield "  ".join(f"{name}: {count}" for name, count in _counts(found).items())


def _counts(found: Sequence[Rechecked]) -> dict[str, int]:
    counted = Counter(one.outcome for one in found)
    return {outcome.value: counted[outcome] for outcome in Outcome}


def _cut(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= WIDTH else words[: WIDTH - 1] + "…"
