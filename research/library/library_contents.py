"""Counts the documents of a library that can be searched, and those that are still to be read."""

from collections.abc import Iterable
from dataclasses import dataclass

from research.library.library_folders import WEB, Folder, library_folders


@dataclass(frozen=True, slots=True)
class Stock:
    """Numbers of documents: `ready` ones can be searched, `waiting` ones are still to be read."""

    ready: int
    waiting: int

    @property
    def total(self) -> int:
        return self.ready + self.waiting


def stock_of(folders: Iterable[Folder]) -> Stock:
    """Count the documents of these folders, without pages that runs saved, which a question finds by its own search."""
    own = [folder for folder in folders if folder.key != WEB]
    return Stock(sum(folder.ready for folder in own), sum(folder.pending for folder in own))


def stock() -> Stock:
    """Count the documents of the current tenant's library."""
    return stock_of(library_folders())
