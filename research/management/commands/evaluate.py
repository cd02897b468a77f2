"""`manage.py evaluate`: score the product on labelled data with the code that serves readers."""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, TextIO

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from pydantic import ValidationError

from research.accounts.people import PersonalAccount
from research.evaluation import (
    evaluation_of_anchoring,
    evaluation_of_digests,
    evaluation_of_model_tasks,
    evaluation_of_natural_questions,
    evaluation_of_similarity,
    evaluation_of_tables,
    evaluation_of_verification,
)
from research.evaluation.baseline_comparison import GoldComparison, compare, summarize_comparisons
from research.evaluation.evaluation_of_reports import GoldFile, ReportJudgment
from research.evaluation.evaluation_proxy import CountingProxy, NoServer, refuse_nothing, refuse_schemas
from research.evaluation.gold_questions import read_gold
from research.evaluation.labelled_cases import BadLine
from research.evaluation.prediction_summary import summary
from research.llm.model_settings import environment_models
from research.management.command_options import whole
from research.pipelines.pipeline_in_foreground import NoSuchLibrary, open_library, workplace

LOCAL_SERVER = "http://127.0.0.1:8151/v1"  # the one that `make model-server` starts
PREDICTORS: dict[str, Callable[[Iterable[str]], Iterator[str]]] = {
    "verification": evaluation_of_verification.run,
    "similarity": evaluation_of_similarity.run,
    "anchoring": evaluation_of_anchoring.run,
    "digest": evaluation_of_digests.run,
}


class Command(BaseCommand):
    help = "Measure the product on labelled data: read JSON lines, write predictions and a summary."

    def add_arguments(self, parser: ArgumentParser) -> None:
        kinds = parser.add_subparsers(dest="what", required=True)
        report = kinds.add_parser("report", help="ask the questions of a gold file")
        report.add_argument("--library", required=True, metavar="DIR")
        report.add_argument("--gold", metavar="FILE", help="gold.json of the library by default")
        report.add_argument("--output", metavar="FILE", help="write each question's outcome here")
        report.add_argument(
            "--engine", choices=("auto", "model", "extractive"), default="auto",
            help="engine that writes: a model if one is configured (auto), only a model, or rules",
        )  # fmt: skip
        report.add_argument(
            "--baseline", action="store_true", help="also ask a model the same in one call with all sources"
        )
        table = kinds.add_parser(
            "table", help="fill a table from known pages, by rules, and compare it with gold values"
        )
        table.add_argument(
            "--folder", required=True, metavar="DIR", help="with gold.json, output-schema.json and pages/"
        )
        table.add_argument("--items", type=whole(), metavar="N", help="only the first N")
        table.add_argument("--output", metavar="FILE", help="write each cell's outcome here")
        model = kinds.add_parser(
            "model", help="request reports, a table, a brief and a tool loop from a model server, and count"
        )
        model.add_argument("--server", metavar="URL", help=f"as set, or {LOCAL_SERVER}")
        model.add_argument(
            "--model",
            metavar="NAME",
            help="the configured one by default, else the first that the server lists",
        )
        model.add_argument(
            "--only", choices=evaluation_of_model_tasks.TASKS, default="", help="one kind of task"
        )
        model.add_argument(
            "--refuse-schemas", action="store_true", help="put a proxy in front that refuses JSON schemas"
        )
        model.add_argument(
            "--questions", nargs=2, metavar=("FILE", "N"),
            help="then ask the first N natural questions of a file, with and without the model, and score both",
        )  # fmt: skip
        model.add_argument(
            "--saved",
            metavar="DIR",
            default="build/questions",
            help="folder for the reports",
        )
        model.add_argument("--output", metavar="FILE", help="write all figures here")
        for name in PREDICTORS:
            cases = kinds.add_parser(name, help=f"predict the {name} of labelled cases")
            cases.add_argument("--input", metavar="FILE", help="JSON lines; standard input by default")
            cases.add_argument("--output", metavar="FILE", help="JSON lines; standard output by default")

    def handle(self, *args: str, **options: str) -> None:
        if (output := options["output"]) and not Path(output).parent.is_dir():
            raise CommandError(f"There is no folder “{Path(output).parent}”.")
        if options["what"] == "report":
            self._report(options)
        elif options["what"] == "table":
            self._table(Path(options["folder"]), options["items"], options["output"])
        elif options["what"] == "model":
            self._model(options)
        else:
            self._predict(options)

    def _predict(self, options: dict[str, str]) -> None:
        with ExitStack() as files:
            source = _open_file(files, options["input"], "r") or sys.stdin
            target = _open_file(files, options["output"], "w") or self.stdout
            lines = list(source)
            predictions: list[str] = []
            try:
                for prediction in PREDICTORS[options["what"]](lines):
                    target.write(prediction + "\n")
                    predictions.append(prediction)
            except BadLine as error:
                raise CommandError(str(error)) from error
        if found := summary(options["what"], lines, predictions):
            self.stderr.write(json.dumps(found))

    def _table(self, folder: Path, most: int | str | None, output: str | None) -> None:
        try:
            task = evaluation_of_tables.read_task(folder, int(most) if most else None)
            with workplace() as account:
                judged, seconds = evaluation_of_tables.evaluate(task, account)
        except (evaluation_of_tables.NoTable, NoSuchLibrary) as error:
            raise CommandError(str(error)) from error
        figures = evaluation_of_tables.figures(judged, seconds)
        if output:
            rows = {"figures": figures, "cells": [asdict(cell) for cell in judged]}
            Path(output).write_text(json.dumps(rows, indent=1, ensure_ascii=False))
        self.stdout.write(json.dumps(figures))

    def _model(self, options: Mapping[str, Any]) -> None:
        server = options["server"] or settings.PLUMBLINE_MODEL_BASE_URL or LOCAL_SERVER
        with CountingProxy(server, refuse_schemas if options["refuse_schemas"] else refuse_nothing) as proxy:
            try:
                listed = proxy.models(settings.PLUMBLINE_MODEL_API_KEY)
            except NoServer as error:
                raise CommandError(
                    f"No model answers at {server} ({error}). Start one, such as `make model-server`, or name"
                    " another: --server URL. docs/models.md."
                ) from error
            if options["model"] or (listed and settings.PLUMBLINE_MODEL not in listed):
                settings.PLUMBLINE_MODEL = options["model"] or listed[0]
            self.stderr.write(f"{settings.PLUMBLINE_MODEL} at {server}")
            settings.PLUMBLINE_MODEL_BASE_URL = proxy.base_url
            with workplace() as account:
                folder = settings.PLUMBLINE_DATA / "evaluation" / "heat-pumps"
                evaluation = evaluation_of_model_tasks.Evaluation(account, proxy, folder, options["only"])
                try:
                    for outcome in evaluation.run():
                        took = f"{outcome.requests} requests, {outcome.seconds} s"
                        self.stderr.write(f"{outcome.task}: {outcome.ended} ({took})")
                except evaluation_of_model_tasks.OtherModelConnected as error:
                    raise CommandError(str(error)) from error
                figures = evaluation.figures()
                found = evaluation_of_model_tasks.as_json(evaluation.outcomes, figures)
                self.stdout.write("\n".join(evaluation_of_model_tasks.format_figures(figures)))
                if options["questions"]:
                    found["questions"] = self._questions(account, options)
        if options["output"]:
            Path(options["output"]).write_text(json.dumps(found, indent=1, ensure_ascii=False))

    def _questions(
        self, account: PersonalAccount, options: Mapping[str, Any]
    ) -> dict[str, dict[str, object]]:
        """Return the scores of the natural questions; skip them with a message if the scorer is not
        installed.
        """
        if not evaluation_of_natural_questions.SCORER.is_file():
            self.stderr.write(
                f"SKIPPED the questions: there is no scorer {evaluation_of_natural_questions.SCORER}."
            )
            return {}
        file, most = options["questions"]
        path, saved = Path(file).expanduser(), Path(options["saved"]).expanduser()
        try:
            questions = evaluation_of_natural_questions.read_questions(path, whole()(most))
            evaluation_of_natural_questions.ask_all(account, path, questions, saved, self.stderr.write)
            scores = evaluation_of_natural_questions.score(path, saved, questions)
        except (evaluation_of_natural_questions.NoQuestions, NoSuchLibrary, ArgumentTypeError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write("\n".join(evaluation_of_natural_questions.table(scores)))
        return scores

    def _report(self, options: dict[str, str]) -> None:
        gold = _gold(Path(options["gold"] or Path(options["library"]) / "gold.json"))
        is_asking = bool(options["baseline"]) or options["engine"] == "model"
        if is_asking and environment_models() is None:
            raise CommandError("No model is configured: see docs/settings.md.")
        compared = []
        for answer in _compare_answers(gold, options):
            compared.append(answer)
            self.stderr.write(_line(answer.judged))
        found = summarize_comparisons(compared)
        if options["output"]:
            rows = {"figures": found, "questions": [asdict(each.judged) for each in compared]}
            Path(options["output"]).write_text(json.dumps(rows, indent=1))
        self.stdout.write(json.dumps(found))


def _gold(path: Path) -> GoldFile:
    try:
        return read_gold(path)
    except (OSError, ValidationError) as error:
        raise CommandError(f"{path} cannot be read as a gold file: {error}") from error


def _compare_answers(gold: GoldFile, options: dict[str, str]) -> Iterator[GoldComparison]:
    engine = "extractive" if options["engine"] == "extractive" else "auto"
    try:
        with workplace() as account:
            folder = open_library(account, options["library"])
            yield from compare(gold, account, folder, engine=engine, with_baseline=bool(options["baseline"]))
    except NoSuchLibrary as error:
        raise CommandError(str(error)) from error


def _line(judged: ReportJudgment) -> str:
    outcome = f"{'hit' if judged.hit else '-'} rank={judged.rank} insufficient={judged.insufficient}"
    return f"{judged.id} {outcome} {judged.seconds:.1f} s"


def _open_file(files: ExitStack, name: str | None, mode: Literal["r", "w"]) -> TextIO | None:
    """Open the named file until the command ends; None for no name. Raises CommandError."""
    if not name:
        return None
    try:
        return files.enter_context(Path(name).open(mode, encoding="utf-8"))
    except OSError as error:
        raise CommandError(f"{name} cannot be opened: {error.strerror}") from error
