"""`lifecycle_picture`: print the state diagram of a run, or write it into docs/lifecycle.md."""

from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from research.engine.states.state_diagram import mermaid

PAGE = Path(settings.BASE_DIR) / "docs" / "lifecycle.md"
BEGIN, END = "```mermaid\n", "\n```"


class Command(BaseCommand):
    help = "Draw the states of a run and their exits from the state table."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--write", action="store_true", help=f"into {PAGE.name}, in place of the picture there"
        )

    def handle(self, *args: object, **options: object) -> None:
        if not options["write"]:
            self.stdout.write(mermaid())
            return
        PAGE.write_text(redrawn(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        self.stdout.write(f"{PAGE.name} has the picture of today.")


def redrawn(page: str) -> str:
    """Return the page with the current diagram. Raises CommandError if the page has none."""
    before, begin, rest = page.partition(BEGIN)
    _old, end, after = rest.partition(END)
    if not begin or not end:
        raise CommandError("The page has no picture to be replaced.")
    return f"{before}{begin}{mermaid()}{end}{after}"
