"""Check that the library holds documents for a question asked on the command line.

A terminal can wait for the sample library to be imported; otherwise the command fails with what to do. The web
form has
the same check without the wait (`research.web.ask.ask_question_form`).
"""

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from exports.labels.document_labels import folder_name
from research.db.tenancy import tenant_context
from research.library.library_contents import Stock, stock
from research.library.library_folders import SAMPLE, library_folders
from research.library.library_scope import usual_folders
from research.library.sample import sample_library_progress as sample
from research.pipelines.pipeline_kinds import AnyKind
from research.search.chosen_search_services import list_configured_services

WAITING = (
    "The sample library is still being read: the question waits for it. Ctrl-C gives up; --library DIR asks a folder "
    "of your own at once."
)
EMPTY = (
    "The library is empty, so nothing could be answered. Name a folder of documents with --library DIR, read one in "
    "for good with “manage.py import_library DIR”, get the sample library with “manage.py sample_library”, or draw on "
    "the web with --sources both."
)
NOT_YET = (
    "The library is still being read, and nothing of it is ready yet ({waiting} to go). Ask again in a moment, while "
    "the workers run (“make run”, “manage.py serve reading”)."
)
NAMED = ("urls", "dois", "documents")  # settings that name particular sources


class NothingToRead(Exception):
    """The library holds nothing that could answer the question; str() is the message for the terminal."""


def wait_for_sample(
    tenant_id: UUID,
    kind: AnyKind,
    config: Mapping[str, object],
    libraries: Sequence[str],
    say: Callable[[str], object],
) -> None:
    """Wait until the sample library is imported if the question would use it and its import is under way."""
    if not _asks_library_alone(kind, config):
        return
    with tenant_context(tenant_id):
        is_empty = not stock().total
        wanted = libraries or usual_folders(library_folders())
    if wanted and not any(is_sample(name) for name in wanted):
        return
    if sample.is_under_way() or (is_empty and sample.may_begin()):
        say(WAITING)
        sample.wait()


def is_sample(name: str) -> bool:
    return name.strip().casefold() in (SAMPLE, folder_name(SAMPLE).casefold())


def check_stock(tenant_id: UUID, kind: AnyKind, config: Mapping[str, object]) -> None:
    """Raise NothingToRead if a run would find no source."""
    if not _asks_library_alone(kind, config) or any(config.get(name) for name in ("folders", *NAMED)):
        return
    with tenant_context(tenant_id):
        found = stock()
    if not found.ready:
        raise NothingToRead(_why(found))


def _why(found: Stock) -> str:
    return NOT_YET.format(waiting=found.waiting) if found.waiting else EMPTY


def _asks_library_alone(kind: AnyKind, config: Mapping[str, object]) -> bool:
    field = kind.config.model_fields.get("sources")
    return field is not None and (
        config.get("sources", field.default) == "library" or not list_configured_services()
    )
