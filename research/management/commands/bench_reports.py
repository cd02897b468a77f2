"""`bench_reports`: measure reports from question to finished run, in this process or by a site's workers."""

import json
import statistics
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from django.core.management.base import BaseCommand, CommandError

from citations.models import Claim
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import Json
from research.engine.step_runner import drive
from research.library.sample.sample_library_listing import load_suggested_questions
from research.management.bench_process_costs import NoSite, costs_of_site
from research.management.bench_viewer import duration_of, wait_for_end
from research.management.command_options import settings_of, whole
from research.models import Kind, State
from research.pipelines.pipeline_in_foreground import NoSuchLibrary, open_library, workplace
from research.pipelines.report.report_config import ConfigError, parse_config
from research.runs.start_and_cancel import start_run


class Command(BaseCommand):
    """Imports the library, if one is given, and asks its suggested questions in turn, or the given
    question.
    """

    help = "Measure reports over a library: seconds from question to finished report."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "library",
            metavar="DIR",
            nargs="?",
            help="with --ask it may be omitted: the sources are those of --set",
        )
        parser.add_argument("--ask", metavar="QUESTION", help="one question instead of the suggested ones")
        parser.add_argument("--repeat", type=whole(), default=1, help="number of repetitions; 1 by default")
        parser.add_argument(
            "--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of the runs"
        )
        parser.add_argument("--limit", type=whole(), default=120, help="maximum seconds to wait")
        parser.add_argument(
            "--costs", action="store_true", help="also print CPU seconds by process and commits"
        )
        parser.add_argument(
            "--by-workers", action="store_true", help="leave the work to a running site's workers"
        )

    def handle(self, *args: object, **options: str) -> None:
        try:
            with workplace() as account:
                question_set, limit_s = (
                    _parse_options(account, options),
                    int(options["limit"]) if options["by_workers"] else None,
                )
                with costs_of_site() if options["costs"] else nullcontext() as costs:
                    done = list(_reports(account, question_set, limit_s))
        except (ConfigError, NoSite, NoSuchLibrary) as error:
            raise CommandError(str(error)) from error
        seconds = [report.seconds for report in done]
        figures = {"reports": len(done), "median_s": statistics.median(seconds), "max_s": max(seconds)}
        figures["claims"] = sum(report.claims for report in done)
        cost_figures = {"cpu_s": costs.as_json(0)["cpu_s"], "commits": costs.commits} if costs else {}
        self.stdout.write(
            json.dumps({name: round(value, 2) for name, value in figures.items()} | cost_figures)
        )


@dataclass(frozen=True, slots=True)
class _ReportTiming:
    """The duration of a report and its number of claims: 0 if it abstained, so that nothing was written or
    checked.
    """

    seconds: float
    claims: int


@dataclass(frozen=True, slots=True)
class _QuestionSet:
    questions: Sequence[str]
    config: Mapping[str, Json]


def _parse_options(account: PersonalAccount, options: Mapping[str, str]) -> _QuestionSet:
    """Return the questions and the configuration. Raises CommandError, ConfigError and NoSuchLibrary."""
    if not options["library"] and not options["ask"]:
        raise CommandError("Name a library or, with --ask, a question.")
    given = settings_of(options["set"])
    if options["library"]:
        given["folders"] = [open_library(account, options["library"])]
    suggested = [question.question for question in load_suggested_questions()]
    questions = [options["ask"]] if options["ask"] else suggested
    config = parse_config({"reviews": "never", **given}).model_dump(mode="json", exclude_defaults=True)
    return _QuestionSet(questions * int(options["repeat"]), config)


def _reports(account: PersonalAccount, asked: _QuestionSet, limit_s: int | None) -> Iterator[_ReportTiming]:
    """Run the reports and yield their timings. `limit_s` is the workers' time limit; None runs them in this
    process.
    """
    for question in asked.questions:
        with tenant_context(account.tenant_id):
            run = start_run(owner=account.user, kind=Kind.REPORT, topic=question, config=asked.config)
        state = (
            drive(account.tenant_id, run.pk) if limit_s is None else wait_for_end(account, run.pk, limit_s)
        )
        if state != State.COMPLETED:
            raise CommandError(f"The report on “{question}” ended as {state}.")
        seconds = duration_of(account, run.pk)
        with tenant_context(account.tenant_id):
            yield _ReportTiming(seconds, Claim.objects.filter(run=run, section__isnull=False).count())
