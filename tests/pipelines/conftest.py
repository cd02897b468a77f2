"""A small library of our own, and an account to ask it with."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from pytest_django import DjangoDbBlocker

from config.services.embedded_postgres import connect
from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount, ensure_local_account
from research.library.import_library_folder import import_folder
from research.models import Kind
from research.pipelines.pipeline_in_foreground import ask
from tests import databases
from tests.conftest import DATABASE
from tests.fresh import Fresh

T = TypeVar("T")
QUESTION = "What seasonal performance factor must a heat pump reach under Building Policy Guide 2.0?"

DOCUMENTS = {
    "field-trial-2024.md": """# Nordhaus field trial of heat pumps (2024)

The trial ran over two winters in eleven homes near Kiruna.

## Results

The seasonal performance factor stayed above 2.1 at nine of the eleven sites. Two sites fell below 1.9 because
their backup heaters ran for more than 400 hours. The coldest day of the trial reached -31 °C.

## Costs

Each installation cost 14,200 euros on average, drilling included.
""",
    "lab-limits-2022.md": """# Laboratory limits of air-source heat pumps (2022)

At -15 °C the tested units delivered 71 percent of their rated output. Defrosting took 6 percent of the running
time at 0 °C and none below -10 °C. The laboratory tested fourteen units from five makers.
""",
    "policy-guide-2.0.txt": """Building Policy Guide 2.0
=========================

Owners must replace oil boilers within 20 years. A heat pump shall reach a seasonal performance factor of at
least 3.0 to receive the subsidy. The subsidy covers 30 percent of the cost.
""",
    "policy-guide-1.0.txt": """Building Policy Guide 1.0
=========================

A heat pump shall reach a seasonal performance factor of at least 2.5 to receive the subsidy. The subsidy covers
20 percent of the cost.
""",
    "gardening.html": """<html lang="en"><head><title>Gardening notes</title></head><body><article>
<h1>Gardening notes</h1>
<p>Tomatoes need at least six hours of sun a day. Water them in the morning, never at noon.</p>
<p>Mulch keeps the soil moist and saves about a third of the water.</p></article></body></html>""",
}
MANIFEST = """file,title,url,author,published,licence
policy-guide-2.0.txt,Building Policy Guide 2.0,https://policy.example/guide/2.0,Ministry,2023-05-01,CC0-1.0
policy-guide-1.0.txt,Building Policy Guide 1.0,https://policy.example/guide/1.0,Ministry of Building,2019-03-01,CC0-1.0
field-trial-2024.md,Nordhaus field trial of heat pumps,https://nordhaus.example/trial,A. Lind,2024-06,CC0-1.0
"""


@pytest.fixture(scope="module")
def module_database(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, database_cluster: Path
) -> Iterator[None]:
    """One committed database for the module: runs are served by threads, and importing takes seconds."""
    with django_db_blocker.unblock():
        yield
        databases.renew(database_cluster, DATABASE)


@pytest.fixture(scope="module")
def driven_once(
    module_database: None, database_cluster: Path
) -> Iterator[Callable[[str, Callable[[], T]], T]]:
    """A run driven so far, once for the module: who asks for its name again has the database as it was then."""
    kept: dict[str, tuple[T, Fresh]] = {}

    def driven(name: str, drive: Callable[[], T]) -> T:
        copy = f"{DATABASE}_{name}"
        if name in kept:
            found, past = kept[name]
            past = databases.rewind(database_cluster, DATABASE, past, copy)
        else:
            found = drive()
            databases.copy(database_cluster, DATABASE, copy)
            past = Fresh.of(database_cluster, DATABASE)
        kept[name] = found, past
        return found

    yield driven
    with connect(database_cluster, "postgres") as server:
        for name in kept:
            databases.drop(server, f"{DATABASE}_{name}")


@pytest.fixture(scope="module")
def account(module_database: None) -> PersonalAccount:
    return ensure_local_account()


@pytest.fixture(scope="module")
def library(account: PersonalAccount, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Key of the imported folder."""
    folder = tmp_path_factory.mktemp("library")
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "manifest.csv").write_text(MANIFEST, encoding="utf-8")
    return import_folder(account.tenant_id, folder).folder


@pytest.fixture(scope="module")
def ask_in_library(account: PersonalAccount, library: str) -> Callable[..., Document]:
    def ask_library(question: str, **config: object) -> Document:
        return ask(account, Kind.REPORT, question, {"folders": [library], **config})

    return ask_library


@pytest.fixture(scope="module")
def report(ask_in_library: Callable[..., Document]) -> Document:
    """One report, looked at by many tests."""
    return ask_in_library(QUESTION)
