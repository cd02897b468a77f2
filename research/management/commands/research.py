"""`manage.py research "question"`: one question, answered in this process."""

import json
import sys
from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from exports.answer import answer
from exports.document import Document
from research.accounts import NoAccount
from research.foreground import NoSuchLibrary, ask, open_library, workplace
from research.management.progress import progress_bar
from research.models import Kind
from research.reading.minilm import ModelFilesError
from research.recipes.report.config import ConfigError
from research.runs import InvalidTopic, StartRefused

EXIT_CODES = {"done": 0, "insufficient_evidence": 3}  # anything else: 1


class Command(BaseCommand):
    help = "Answer a question from a library. Exit status: 0 done, 3 insufficient evidence, 1 failed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("question")
        parser.add_argument(
            "--library", metavar="DIR", help="a folder of documents, or the name of an imported one"
        )
        parser.add_argument("--kind", choices=Kind.values, default=Kind.REPORT)
        parser.add_argument(
            "--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of the run"
        )
        parser.add_argument("--user", help="whose tenant to work in; the local account by default")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: str, **options: str) -> None:
        try:
            document = self._answer(options)
        except (ConfigError, InvalidTopic, ModelFilesError, NoAccount, NoSuchLibrary, StartRefused) as error:
            raise CommandError(str(error), returncode=1) from error
        if options["json"]:
            self.stdout.write(json.dumps(answer(document), ensure_ascii=False))
        else:
            self.stdout.write("\n".join(readable(document)))
        sys.exit(EXIT_CODES.get(document.status, 1))

    def _answer(self, options: dict[str, str]) -> Document:
        config: dict[str, object] = dict(_setting(text) for text in options["set"])
        with workplace(options["user"]) as account:
            if options["library"]:
                config["folders"] = [open_library(account, options["library"])]
            with progress_bar(account.tenant_id, self.stderr):
                return ask(account, options["kind"], options["question"], config)


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise ConfigError(f"--set takes KEY=VALUE, not “{text}”")
    return key.strip(), value.strip()


def readable(document: Document) -> list[str]:
    """The report for a terminal: claims with their numbered sources, then the sources."""
    lines = [document.title, ""]
    lines += [f"  {reason}" for reason in document.reasons]
    for section in document.sections:
        lines += ["", section.heading, ""]
        for claim in section.claims:
            labels = "".join(dict.fromkeys(citation.label for citation in claim.citations))
            lines.append(f"  {claim.text} {labels} ({claim.strength})")
    lines += ["", *(f"! {one.reason}" for one in document.degradations)] if document.degradations else []
    cited = sorted((s for s in document.sources if s.number), key=lambda source: source.number or 0)
    lines += [
        "",
        *(f"[{one.number}] {one.title} {one.published} {one.url or one.file}".rstrip() for one in cited),
    ]
    return lines
