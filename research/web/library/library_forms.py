"""The forms of the library's pages."""

from typing import TYPE_CHECKING, ClassVar

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _g
from django.utils.translation import gettext_lazy as _

from research.agents.tools.evidence.agent_named_sources import to_page_url
from research.fetching.strict_urls import UrlRefused
from research.library.add_pages_to_library import MAX_ADDRESSES
from research.library.library_folders import MAX_NAME, BadFolderName, upload_folder
from research.pipelines.report.report_required_sources import refusal_of, shorten_text
from research.web.site.line_list_form_field import LinesField
from research.web.site.value_labels import DOCUMENT_STATUSES

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

FOLDER_NAMES = "folder-names"  # id of the list of existing names


class FolderField(forms.CharField):
    """A field whose cleaned value is the key of an uploads folder; empty means the uploads folder itself."""

    attributes: ClassVar = {"list": FOLDER_NAMES, "autocomplete": "off"}

    def __init__(self, label: "_StrPromise", *, required: bool = False) -> None:
        super().__init__(
            label=label,
            required=required,
            max_length=2 * MAX_NAME,
            widget=forms.TextInput(attrs=self.attributes),
        )

    def clean(self, value: object) -> str:
        name = super().clean(value)
        try:
            return upload_folder(name)
        except BadFolderName as refusal:
            raise forms.ValidationError(str(refusal)) from refusal


class ManyFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """A field for several files, without checks.

    Each file is checked when it is stored, so that one bad file does not cause the others to be refused.
    """

    widget = ManyFiles(attrs={"multiple": True})

    def clean(self, data: object, initial: object = None) -> list["UploadedFile[bytes]"]:
        sent = [file for file in data if isinstance(file, UploadedFile)] if isinstance(data, list) else []
        if not sent:
            raise forms.ValidationError(_g("Choose at least one file."))
        return sent


class UploadForm(forms.Form):
    documents = FilesField(label=_("Files"))
    folder = FolderField(_("Into the folder"))


def page_address(line: str) -> str:
    """Return the normalized URL to fetch. Raises ValueError with a message for the user."""
    url = to_page_url(line)
    try:
        reason = refusal_of(url)
    except UrlRefused as refusal:
        reason = str(refusal)
    if reason:
        raise ValueError(
            _g("“%(url)s” can’t be read: %(reason)s.") % {"url": shorten_text(line), "reason": reason}
        )
    return url


class PagesForm(forms.Form):
    """The form for adding pages by URL. All URLs are checked before any is added; invalid ones are listed together."""

    addresses = LinesField(
        _("Web pages"),
        _("One address per line; each page is fetched once and stored."),
        MAX_ADDRESSES,
        page_address,
    )
    folder = FolderField(_("Into the folder"))

    def clean_addresses(self) -> list[str]:
        addresses: list[str] = self.cleaned_data["addresses"]
        if not addresses:
            raise forms.ValidationError(_g("Paste the address of a page."))
        return addresses


class FolderForm(forms.Form):
    """A folder to move a document to."""

    folder = FolderField(_("Folder"), required=True)


class FolderNameForm(forms.Form):
    """A new name for a folder; the renaming itself validates it."""

    name = forms.CharField(label=_("New name"), max_length=2 * MAX_NAME)


class LibraryFilterForm(forms.Form):
    q = forms.CharField(
        label=_("Search titles and files"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    folder = forms.CharField(required=False, max_length=4000, widget=forms.HiddenInput)
    status = forms.ChoiceField(
        label=_("State"), required=False, choices=[("", _("All")), *DOCUMENT_STATUSES.items()]
    )
