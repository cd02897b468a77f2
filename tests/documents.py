"""Documents in a tenant's library, as a worker leaves them."""

from research.library.read_library_documents import read_document
from research.library.store_uploads import store_upload
from research.models import DocumentStatus, LibraryDocument


def add_upload(name: str, data: bytes) -> LibraryDocument:
    """Store an upload in the current tenant and read it at once, as the reading worker would."""
    row = store_upload(name, data)
    if row.status != DocumentStatus.READY:
        read_document(row.tenant_id, row.pk)
        row.refresh_from_db()
    return row
