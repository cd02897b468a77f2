"""The form field for the library folders that a question searches, and its initial value."""

from collections.abc import Iterable, Sequence

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from exports.labels.document_labels import folder_name
from exports.labels.format_document_values import documents
from research.library.library_folders import SAMPLE, WEB, Folder
from research.library.library_scope import usual_folders
from research.library.sample.sample_library_listing import load_suggested_questions
from research.models import LibraryDocument, Run

# The choice for the whole library. No folder has this key: keys are "sample", "uploads", "web" or begin with these or
# a slash.
ALL = "all"
NO_BREAK = "\u00a0"


class ScopeField(forms.MultipleChoiceField):
    """A field whose cleaned value is a list of folder keys; an empty list means the whole library."""

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Search in"),
            required=False,
            widget=forms.CheckboxSelectMultiple,
            error_messages={
                "invalid_choice": gettext_lazy(
                    "The library has no folder “%(value)s” with documents that can be searched."
                )
            },
        )
        self.labels: dict[str, str] = {}
        self.whole = ""  # describes what is searched if nothing is ticked

    def offer(self, there: Iterable[Folder]) -> bool:
        """Offer the folders that have documents; return False if there is none."""
        ready = [folder for folder in there if folder.ready]
        own = [folder for folder in ready if folder.key != WEB]
        names = [folder.name for folder in ready]
        self.labels = {folder.key: _label(folder, is_shared=names.count(folder.name) > 1) for folder in ready}
        self.whole = ", ".join(self.labels[folder.key] for folder in own)
        if len(own) > 1:
            whole = _append_count(_("The whole library"), sum(folder.ready for folder in own))
            self.whole = f"{whole}: {', '.join(folder.name for folder in own)}"
            self.labels = {ALL: whole, **self.labels}
        self.choices = list(self.labels.items())
        return bool(ready)

    def clean(self, value: object) -> list[str]:
        keys: list[str] = super().clean(value)
        return [] if ALL in keys else keys

    def in_words(self, chosen: Sequence[str]) -> str:
        """Return the chosen folders by name and number of documents; the whole library if none is chosen."""
        if ALL in chosen or self.labels.keys().isdisjoint(chosen):
            return self.whole
        return ", ".join(self.labels[key] for key in chosen if key in self.labels)

    def find_gone_folders(self, chosen: Sequence[str]) -> list[str]:
        """Return the names of chosen folders that have no documents any more."""
        return [folder_name(key) for key in chosen if key != ALL and key not in self.labels]


def _label(folder: Folder, *, is_shared: bool) -> str:
    """Return the folder's label, with its path if another folder has the same name."""
    return _append_count(folder.key if is_shared else folder.name, folder.ready)


def _append_count(name: str, count: int) -> str:
    """Append the count with a non-breaking space."""
    return f"{name} ({documents(count).replace(' ', NO_BREAK)})"


def as_choice(folders: Sequence[str], there: Sequence[Folder]) -> list[str]:
    """Return the choices to tick for the folders of a run; no folders means the whole library."""
    if folders:
        return list(folders)
    own = [folder.key for folder in there if folder.ready and folder.key != WEB]
    return [ALL] if len(own) > 1 else own


def first_choice(owner: User, there: Sequence[Folder]) -> list[str]:
    """Return the folders that are ticked at first: those of this person's last question that still exist.

    Without an earlier question, these are the person's own documents, or the sample library if there are none. The
    sample library is no longer ticked once the person has documents of their own. Needs the tenant set.
    """
    last = _last_asked(owner)
    if last is None or _is_outgrown(last):
        return usual_folders(there)
    before = last.config.get("folders", [])
    kept = [folder.key for folder in there if folder.ready and folder.key in before]
    return as_choice(kept, there) if kept or not before else usual_folders(there)


def _last_asked(owner: User) -> Run | None:
    """Return the newest run that searched the library and was neither suggested nor started by a schedule or from
    another run.
    """
    asked = Run.objects.filter(owner=owner, parent=None, schedule=None, searched__isnull=False)
    suggested = [suggestion.question for suggestion in load_suggested_questions()]
    return asked.exclude(topic__in=suggested).order_by("-created_at").only("config", "created_at").first()


def _is_outgrown(last: Run) -> bool:
    if last.config.get("folders") != [SAMPLE]:
        return False
    own = LibraryDocument.objects.exclude(folder__in=(SAMPLE, WEB))
    return own.exists() and not own.filter(created_at__lt=last.created_at).exists()
