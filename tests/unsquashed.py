"""The migrations as an installation has them that is older than those that replace them."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db.migrations.loader import MigrationLoader

APPS = ("citations", "exports", "research", "slides")


@contextmanager
def ignore_squashes() -> Iterator[None]:
    """Only the replaced migrations of our own are found, not those that replace them."""
    load = MigrationLoader.load_disk

    def load_unsquashed(loader: MigrationLoader) -> None:
        load(loader)
        for key in [key for key, migration in loader.disk_migrations.items() if migration.replaces]:
            if key[0] in APPS:
                del loader.disk_migrations[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MigrationLoader, "load_disk", load_unsquashed)
        yield
