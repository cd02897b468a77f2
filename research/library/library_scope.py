"""The part of the library that a question searches: folders and their documents."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from exports.labels.document_labels import folder_name
from research.library.library_folders import SAMPLE, WEB, Folder, library_folders
from research.models.schemas import SearchedFolder, SearchedLibrary

SOURCE_LANGUAGE = "en"  # folder names are also accepted in this language


@dataclass(frozen=True, slots=True)
class LibraryScope:
    """The documents that may be searched. Empty fields do not restrict; dates are ISO 8601 of any precision."""

    folders: tuple[str, ...] = ()
    source_types: tuple[str, ...] = ()
    published_from: str = ""
    published_to: str = ""
    run: UUID | None = None  # only the documents of this run's sources, web pages included


class FolderUnusable(ValueError):
    """A folder that a question names does not exist or has no readable document; str() is for the user."""


def folder_keys(names: Iterable[str]) -> list[str]:
    """Return the keys of folders given by key or by name, ignoring case, each once.

    Raises FolderUnusable. Needs the tenant set.
    """
    wanted = list(names)
    return (
        list(dict.fromkeys(folder.key for folder in _select_folders(wanted, library_folders())))
        if wanted
        else []
    )


def resolve_searched_library(folders: Sequence[str]) -> SearchedLibrary:
    """Return what a question searches: the folders with these keys, or the whole library for none.

    Pages that runs saved are searched only if their folder is named. Raises FolderUnusable. Needs the tenant set.
    """
    there = library_folders()
    found = (
        _select_folders(folders, there)
        if folders
        else [folder for folder in there if folder.ready and folder.key != WEB]
    )
    rows = [SearchedFolder(key=folder.key, documents=folder.ready) for folder in found]
    return SearchedLibrary(folders=rows, is_whole=not folders)


def usual_folders(there: Iterable[Folder]) -> list[str]:
    """Return the folders that a question searches by default: the user's own or, without any, the sample library."""
    ready = [folder.key for folder in there if folder.ready and folder.key != WEB]
    return [key for key in ready if key != SAMPLE] or ready


def _select_folders(names: Iterable[str], there: Sequence[Folder]) -> list[Folder]:
    return [_readable(_folder_named(name, there)) for name in names]


def _folder_named(name: str, there: Sequence[Folder]) -> Folder:
    by_key = [folder for folder in there if folder.key == name]
    found = by_key or [folder for folder in there if name.strip().casefold() in _names_of(folder)]
    if len(found) == 1:
        return found[0]
    if found:
        keys = "; ".join(folder.key for folder in found)
        raise FolderUnusable(
            _("“%(name)s” matches several folders: %(keys)s.") % {"name": name, "keys": keys}
        )
    if not there:
        raise FolderUnusable(_("There is no folder “%(name)s”: the library is empty.") % {"name": name})
    names = ", ".join(folder.name for folder in there)
    message = _("The library has no folder “%(name)s”. Available folders: %(names)s.")
    raise FolderUnusable(message % {"name": name, "names": names})


def _names_of(folder: Folder) -> set[str]:
    with override(SOURCE_LANGUAGE):
        untranslated = folder_name(folder.key)
    return {folder.key.casefold(), folder.name.casefold(), untranslated.casefold()}


def _readable(folder: Folder) -> Folder:
    if folder.ready:
        return folder
    if folder.pending:
        message = ngettext(
            "The folder “%(name)s” is still being read: %(count)d document to go, and none is ready. Ask again in a"
            " moment.",
            "The folder “%(name)s” is still being read: %(count)d documents to go, and none is ready. Ask again in a"
            " moment.",
            folder.pending,
        )
        raise FolderUnusable(message % {"name": folder.name, "count": folder.pending})
    raise FolderUnusable(
        _("The folder “%(name)s” has no document that could be read.") % {"name": folder.name}
    )
