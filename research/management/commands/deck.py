"""`manage.py deck RUN --mode pptx --theme zurich`: write a report's slides to a file, made in this process."""

from argparse import ArgumentParser
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from research.accounts.people import NoAccount, PersonalAccount
from research.db.tenancy import tenant_context
from research.models import Run
from research.pipelines.pipeline_in_foreground import workplace
from research.storage.object_store import get_object
from slides.decks.available_deck_themes import theme_called, themes
from slides.decks.deck_versions import newest
from slides.decks.make_deck import make_deck
from slides.decks.request_deck import DeckRefused, DeckRequest, request_deck, request_file
from slides.decks.write_deck_file import make_deck_file
from slides.models import Deck, DeckFile, Length, Mode, Outline


class Command(BaseCommand):
    help = (
        "Make slides of a run's report, store them as a deck, and write one file of it. Exit status: 0 there, "
        "1 it could not be made."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("run", type=UUID)
        parser.add_argument("--mode", choices=Mode.values, default=Mode.HTML)
        parser.add_argument(
            "--theme", default="zurich", help="the id of a built-in theme or the key of one of yours"
        )
        parser.add_argument(
            "--output", type=Path, metavar="F", help="output file; by default its own name in this folder"
        )
        parser.add_argument("--outline", choices=Outline.values, default=Outline.RULES)
        parser.add_argument("--length", choices=Length.values, default=Length.STANDARD)
        parser.add_argument("--language", choices=[code for code, _name in settings.LANGUAGES], default="en")
        parser.add_argument("--user", help="user in whose workspace to work; the local account by default")

    def handle(self, *args: object, **options: object) -> None:
        output = options["output"]
        if isinstance(output, Path) and not output.parent.is_dir():
            raise CommandError(f"There is no folder “{output.parent}”.")
        try:
            with workplace(str(options["user"] or "") or None) as account:
                deck = _create_deck(account, options)
                file = _create_file(account, deck, Mode(str(options["mode"])))
                self._put(account, deck, file, output if isinstance(output, Path) else Path(file.filename))
        except (NoAccount, DeckRefused) as error:
            raise CommandError(str(error)) from error

    def _put(self, account: PersonalAccount, deck: Deck, file: DeckFile, path: Path) -> None:
        with tenant_context(account.tenant_id):
            path.write_bytes(get_object(file.object_key))
        self.stdout.write(
            f"{path}  {file.version.slide_count} slides  {file.file_size} bytes  "
            f"{(deck.duration_ms or 0) + (file.duration_ms or 0)} ms"
        )


def _create_deck(account: PersonalAccount, options: dict[str, object]) -> Deck:
    """Create the deck of a report in this process. Raises CommandError and DeckRefused."""
    run_id = UUID(str(options["run"]))
    with tenant_context(account.tenant_id):
        run = Run.objects.filter(pk=run_id).first()
        theme = theme_called(str(options["theme"]))
        if run is None:
            raise CommandError(f"There is no run {run_id}.")
        if theme is None:
            theme_ids = ", ".join(choice.id for choice in themes())
            raise CommandError(f"There is no theme “{options['theme']}”. There are: {theme_ids}.")
        wish = DeckRequest(
            theme,
            Outline(str(options["outline"])),
            Length(str(options["length"])),
            str(options["language"]),
        )
        deck = request_deck(run, wish, account.user, wakes_worker=False)
    make_deck(account.tenant_id, deck.pk)
    with tenant_context(account.tenant_id):
        deck.refresh_from_db()
    if not deck.outlined_by:
        raise CommandError(f"{deck.error} ({deck.error_code})")
    return deck


def _create_file(account: PersonalAccount, deck: Deck, mode: Mode) -> DeckFile:
    """Create a file of a deck in this process. Raises CommandError and DeckRefused."""
    with tenant_context(account.tenant_id):
        file = request_file(newest(deck), mode, account.user, wakes_worker=False)
    make_deck_file(account.tenant_id, file.pk)
    with tenant_context(account.tenant_id):
        file = DeckFile.objects.select_related("version").get(pk=file.pk)
    if not file.is_there:
        raise CommandError(f"{mode}: {file.error} ({file.error_code})")
    return file
