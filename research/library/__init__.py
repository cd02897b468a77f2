"""A tenant's own documents: folders, uploads, the sample library."""

from research.library.addresses import canonical_url, find_by_url
from research.library.copies import text_groups
from research.library.folders import SAMPLE, UPLOADS, Folder, library_folders, sample_path
from research.library.importing import ImportReport, Progress, ensure_folder_imported, import_folder
from research.library.reading import read_document
from research.library.scanning import FolderError
from research.library.uploads import UploadRefused, add_upload, store_upload

__all__ = [
    "SAMPLE",
    "UPLOADS",
    "Folder",
    "FolderError",
    "ImportReport",
    "Progress",
    "UploadRefused",
    "add_upload",
    "canonical_url",
    "ensure_folder_imported",
    "find_by_url",
    "import_folder",
    "library_folders",
    "read_document",
    "sample_path",
    "store_upload",
    "text_groups",
]
