"""The stock of a library: documents that can answer by now, and documents still on their way into it."""

from collections.abc import Iterable
from dataclasses import dataclass

from research.library.folders import WEB, Folder, library_folders


@dataclass(frozen=True, slots=True)
class Stock:
    """Documents in figures: `ready` ones answer, `waiting` ones are still to be read."""

    ready: int
    waiting: int

    @property
    def known(self) -> int:
        return self.ready + self.waiting


def stock_of(folders: Iterable[Folder]) -> Stock:
    """Pages that runs have read are no part of it: a question finds those by its own search."""
    own = [folder for folder in folders if folder.key != WEB]
    return Stock(sum(folder.ready for folder in own), sum(folder.pending for folder in own))


def stock() -> Stock:
    """Return the stock of the current tenant's library."""
    return stock_of(library_folders())
