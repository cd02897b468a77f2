"""Files of the server, asked for by who may look after rows but not after the machine."""

import pytest
from django.urls import reverse

from research.db.tenancy import tenant_context
from research.models import LibraryDocument
from tests.people import join

pytestmark = pytest.mark.django_db


def test_no_row_of_the_admin_becomes_a_way_to_a_file_of_the_server():
    root = join("root", is_staff=True, is_superuser=True)
    client = root.sign_in()
    with tenant_context(root.tenant.pk):
        row = LibraryDocument.objects.create(folder="uploads", path="a.txt", raw_sha256="0" * 64)
    stolen = {"folder": "/etc", "path": "passwd", "status": "reading", "title": "Mine"}
    page = reverse("admin:research_librarydocument_change", args=[row.pk])
    assert not {"folder", "path"} & set(client.get(page).context["adminform"].form.fields)
    client.post(page, stolen)
    assert client.post(reverse("admin:research_librarydocument_add"), stolen).status_code == 403
    with tenant_context(root.tenant.pk):
        assert list(LibraryDocument.objects.values_list("folder", "path")) == [("uploads", "a.txt")]
