"""The frozen text of some bytes is kept once, whoever reads them, and at the same moment too."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from uuid import UUID

import pytest
from django.db import connections

from research.db.tenancy import create_tenant, tenant_context
from research.library.prepare_library_documents import PreparedDocument
from research.library.store_library_documents import EXTRACTOR, keep_content
from research.models import Content
from research.parsing.parsed_document import ReadDocument

READ = PreparedDocument("raw", "key", 3, ReadDocument("A text.", "text/plain"), "one", b"", (), 2)


def test_the_same_bytes_with_the_same_text_are_one_row(tenant):
    with tenant_context(tenant):
        assert keep_content(READ).pk == keep_content(READ).pk
        assert Content.objects.get().extractor == EXTRACTOR


def test_the_same_bytes_read_otherwise_are_another_row(tenant):
    with tenant_context(tenant):
        first, second = keep_content(READ), keep_content(replace(READ, sha256="another"))
        assert first.pk != second.pk
        assert second.extractor == f"{EXTRACTOR}~another"
        assert keep_content(replace(READ, sha256="another")).pk == second.pk


def keep_elsewhere(tenant: UUID, read: PreparedDocument) -> UUID:
    try:
        with tenant_context(tenant):
            return keep_content(read).pk
    finally:
        connections.close_all()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("sha256", "rows"), [("one", 1), ("another", 2)])
def test_two_who_keep_the_same_bytes_at_once_both_succeed(sha256, rows):
    tenant = create_tenant("readers").pk
    with ThreadPoolExecutor(1) as pool:
        with tenant_context(tenant):
            first = keep_content(READ)
            waiting = pool.submit(keep_elsewhere, tenant, replace(READ, sha256=sha256))
        second = waiting.result(30)
    with tenant_context(tenant):
        assert Content.objects.count() == rows
        assert (first.pk == second) is (rows == 1)
