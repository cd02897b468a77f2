"""A small library with a page for each item, and an account to ask it with."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from research.accounts.people import PersonalAccount, ensure_local_account
from research.library.import_library_folder import import_folder
from tests import databases
from tests.conftest import DATABASE

PAGES = {
    "arden.md": """# Arden

| Property | Value |
|---|---|
| Capital | Port Arden |
| Area | 41,285 km² |
| Founded | 1848 |
| Currency | florin |
""",
    "brightsea.md": """# Brightsea

Brightsea was founded in 1905. The capital is Lanthorn. The total area is 920 square kilometres.
""",
    "calder.md": """# Calder

Capital: Weir. Area: 12,400 km². Currency: florin.
""",
}


@pytest.fixture(scope="module")
def module_database(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, database_cluster: Path
) -> Iterator[None]:
    """One committed database for the module: runs are served by threads, and importing takes seconds."""
    with django_db_blocker.unblock():
        yield
        databases.renew(database_cluster, DATABASE)


@pytest.fixture(scope="module")
def account(module_database: None) -> PersonalAccount:
    return ensure_local_account()


@pytest.fixture(scope="module")
def library(account: PersonalAccount, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Key of the imported folder."""
    folder = tmp_path_factory.mktemp("lands")
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return import_folder(account.tenant_id, folder).folder
