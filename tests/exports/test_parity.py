"""The master check: who reads any file back finds the same claims citing the same sources as in the JSON file.

`make test` gives each document one kind in turn, leaves out the large ones of slow formats, and of the others writes a
third as PDF and another as DOCX; with PLUMBLINE_TEST_FULL each has all kinds and formats.
"""

from collections.abc import Sequence
from functools import cache
from itertools import cycle

import pytest

from exports.building.build_document import build_document
from exports.document.document_tree import Document
from exports.formats.export_formats import WRITERS, Format
from exports.formats.export_options import ExportOptions
from research.db.tenancy import tenant_context
from tests.exports.generated import KINDS, LONG, NAMES, document
from tests.exports.reading import Pair, reader_of
from tests.often import IS_FULL, one_in
from tests.people import join
from tests.worlds import make_report

SLOW = (Format.PDF, Format.DOCX)
TAKES_LONG = frozenset({Format.HTML, Format.MARKDOWN, Format.XLSX})
# A PDF of one of these takes longer than all the others together.
LARGE = LONG | {"sixty_claims", "table", "table_hostile"}
FORMATS = [form for form in Format if form is not Format.JSON]
ALL = [(name, kind) for name in NAMES for kind in KINDS]
DRAWN = ALL if IS_FULL else list(zip(NAMES, cycle(KINDS), strict=False))
EVERYTHING = ExportOptions()
SPARE = ExportOptions(include_appendix=False, include_sources=False)


def choose_documents(form: Format) -> Sequence[tuple[str, str]]:
    """Documents, and of which kind, that are written in a format."""
    if IS_FULL:
        return ALL
    if form in SLOW:
        return [one for one in DRAWN if one[0] not in LARGE][SLOW.index(form) :: 3]
    return [one for one in DRAWN if form not in TAKES_LONG or one[0] not in LONG]


WRITTEN = [(form, name, kind) for form in FORMATS for name, kind in choose_documents(form)]


@cache
def pairs_of(form: Format, name: str, kind: str, options: ExportOptions) -> frozenset[Pair]:
    return read(form, document(name, kind), options)


def read(form: Format, tree: Document, options: ExportOptions = EVERYTHING) -> frozenset[Pair]:
    """Read the citations in the file of the tree."""
    reader = reader_of(form)
    assert reader
    return reader(WRITERS[form].write(tree, options, lambda _share: None))


@pytest.mark.parametrize(("name", "kind"), DRAWN)
def test_the_json_file_has_every_citation_of_the_document(name, kind):
    stated = {
        (claim.number, citation.source.number)
        for claim in document(name, kind).claims
        for citation in claim.citations
    }
    assert pairs_of(Format.JSON, name, kind, EVERYTHING) == stated


@pytest.mark.parametrize(("form", "name", "kind"), WRITTEN)
def test_every_file_cites_what_the_json_file_cites(form, name, kind):
    assert pairs_of(form, name, kind, EVERYTHING) == pairs_of(Format.JSON, name, kind, EVERYTHING)


@pytest.mark.parametrize("form", [form for form in FORMATS if form not in SLOW])
@pytest.mark.parametrize("name", one_in(2, ["many_citations", "one_claim", "table_within", "table"]))
def test_no_option_takes_a_citation_away(form, name):
    assert pairs_of(form, name, "report", SPARE) == pairs_of(Format.JSON, name, "report", EVERYTHING)


@pytest.mark.parametrize("form", [form for form in FORMATS if form not in SLOW])
def test_a_report_of_the_database_keeps_its_citations_too(form, db):
    world = make_report(join("ada"))
    with tenant_context(world.person.tenant.pk):
        tree = build_document(world.run.pk)
    assert len(read(Format.JSON, tree)) == len(world.citations) == 4
    assert read(form, tree) == read(Format.JSON, tree)
