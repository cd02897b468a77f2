"""Real documents, where a checkout has them beside it."""

from pathlib import Path

import pytest
from django.conf import settings

from research.db.tenancy import tenant_context
from research.library.import_library_folder import import_folder
from research.models import LibraryDocument

LIBRARY = Path(settings.BASE_DIR).parent / "shared" / "data" / "library-passwords"
FILES = (
    "html/nist-sp-800-63b-rev3.html",
    "pdf/argon2-specs-v1.3.pdf",
    "md/cisa-google-workspace-common-controls-v1.0.1.md",
)

pytestmark = pytest.mark.skipif(not LIBRARY.is_dir(), reason="../shared/data is not here")


@pytest.fixture
def some_of_it(tmp_path):
    for name in (*FILES, "manifest.csv"):
        copy = tmp_path / "passwords" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((LIBRARY / name).read_bytes())
    return tmp_path / "passwords"


def test_real_documents_are_imported_with_what_their_manifest_says(tenant, some_of_it):
    report = import_folder(tenant, some_of_it)
    assert (len(report.imported), report.failed) == (len(FILES), ())
    with tenant_context(tenant):
        for row in LibraryDocument.objects.select_related("content"):
            assert row.title
            assert row.published_date
            assert row.url.startswith("https://")
            chunks = list(row.chunks.all())
            assert chunks
            assert all(each.text == row.text[each.start_offset : each.end_offset] for each in chunks)
