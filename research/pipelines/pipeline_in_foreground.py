"""Run a question in this process, for the command line.

Steps are claimed in the database, so that running workers take their share of the same run.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from django.core.management import call_command
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from pydantic import BaseModel

from config.services.embedded import run_services
from exports.building.build_document import build_document
from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount, account_of, ensure_local_account
from research.db.tenancy import tenant_context
from research.engine.step_runner import drive
from research.library.import_library_folder import import_folder
from research.library.library_folders import library_folders
from research.library.library_scope import FolderUnusable, folder_keys
from research.models import Kind, Run
from research.pipelines.pipeline_kinds import kind_of
from research.pipelines.table.start_table import AskedTable

HERE: Mapping[str, object] = {"reviews": "never", "format": "text"}  # unless configured otherwise


class NoSuchLibrary(Exception):
    """Raised if the named library is neither imported nor a folder on disk with documents."""


@contextmanager
def workplace(username: str | None = None) -> Iterator[PersonalAccount]:
    """Start and migrate the services, and yield an account to work in. Stops what it started. Raises NoAccount."""
    logging.getLogger("research").setLevel(logging.WARNING)  # the user watches the progress bar, not the log
    with run_services():
        migrate_if_needed()
        yield account_of(username) if username else ensure_local_account()


def migrate_if_needed() -> None:
    """Migrate a new or older database; does nothing if this process may not (no owner alias)."""
    if "owner" not in connections:
        return
    executor = MigrationExecutor(connections["owner"])
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", verbosity=0)


def open_library(account: PersonalAccount, name: str) -> str:
    """Return the key of a library: a folder on disk, which is imported as needed, or an existing folder by the name
    that pages show. Raises NoSuchLibrary, which names the existing ones.
    """
    with tenant_context(account.tenant_id):
        if any(folder.key == name for folder in library_folders()):
            return name
    path = Path(name).expanduser().resolve()
    if not path.is_dir():
        return _find_library_key(account, name)
    read = import_folder(account.tenant_id, path)
    if not read.imported and not read.unchanged:
        raise NoSuchLibrary(f"The folder “{name}” has no document that could be read.")
    return read.folder


def _find_library_key(account: PersonalAccount, name: str) -> str:
    with tenant_context(account.tenant_id):
        try:
            return folder_keys([name])[0]
        except FolderUnusable as unusable:
            raise NoSuchLibrary(f"“{name}” is no folder on disk. {unusable}") from unusable


def ask_table(
    account: PersonalAccount, prompt: str, asked: AskedTable, config: Mapping[str, object] | None = None
) -> Document:
    """Start a table, run it to its end, and return the document. Raises the same as `ask_kind`."""
    return ask_kind(account, Kind.TABLE, asked.as_input(prompt), config or {})


def ask(account: PersonalAccount, kind: str, question: str, config: Mapping[str, object]) -> Document:
    """Start a run of a kind that needs only a question, and return the document. Raises the same as `ask_kind`."""
    entry = kind_of(kind)
    return ask_kind(
        account, kind, entry.input.model_construct(None, **{entry.question_field: question}), config
    )


def ask_kind(
    account: PersonalAccount,
    kind: str,
    asked: BaseModel,
    config: Mapping[str, object],
    on_start: Callable[[Run], object] = lambda run: None,
) -> Document:
    """Start a run of any kind, run it to its end, and return the document. Raises one of `REFUSALS`.

    Nobody is asked unless the configuration says so: then the run may wait for a person when this returns.
    """
    entry = kind_of(kind)
    usual = {name: value for name, value in HERE.items() if name in entry.config.model_fields}
    with tenant_context(account.tenant_id):
        run = entry.start(owner=account.user, asked=asked, config={**usual, **config})
    on_start(run)
    drive(account.tenant_id, run.pk)
    with tenant_context(account.tenant_id):
        return build_document(run.pk)
