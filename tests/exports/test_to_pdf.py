"""PDF: what it promises to who cannot see it, to who follows a link, and to who checks it."""

import json
import re
from functools import cache
from io import BytesIO

import pikepdf
import pypdfium2
import pytest
from weasyprint import CSS, HTML
from weasyprint.text.fonts import FontConfiguration

from exports.document.document_tree import BlockEntry, CellEntry, ColumnEntry, RowEntry, TableEntry
from exports.formats.export_fonts import SERIF, faces_for, font_path
from exports.formats.export_formats import WRITERS, Format
from exports.formats.export_options import ExportOptions
from exports.formats.pdf.export_pdf_layout import lay_out_pages
from exports.formats.pdf.export_pdf_markup import markup
from exports.formats.pdf.export_pdf_url_fetcher import ClosedFetcher, PdfResource
from exports.formats.to_pdf import STYLE
from exports.paper.build_exported_paper import build_paper
from tests.exports.drafting import Draft, prose
from tests.exports.generated import document
from tests.exports.office import program, read_output, write_document
from tests.exports.reading.from_pdf import links, targets
from tests.exports.tabled import COLUMNS, rows_of
from tests.often import one_in

NAMES = (
    "empty",
    "one_claim",
    "insufficient",
    "right_to_left",
    "contradictions",
    "findings",
    "table_within",
    "charts",
)
SHOWN = "one_claim"


@cache
def write_pdf(name: str) -> bytes:
    return write_document(Format.PDF, name)


def open_pdf(name: str) -> pikepdf.Pdf:
    return pikepdf.open(BytesIO(write_pdf(name)))


def headings(name: str) -> list[tuple[int, str]]:
    """Those of the paper, under its title."""
    paper = build_paper(document(name), ExportOptions())
    return [(1, paper.title), *((heading.level + 1, heading.text) for heading in paper.headings)]


@pytest.mark.parametrize("name", one_in(3, NAMES))
def test_no_rule_of_pdf_ua_is_broken(name, tmp_path):
    page = pytest.importorskip("page", reason="page-validation has no wheel for this machine")
    path = tmp_path / "report.pdf"
    path.write_bytes(write_pdf(name))
    report = page.validate_pdf(path, profile=page.ValidationProfile.PDF_UA_1)
    assert [f"{failure.rule_id}: {failure.message}" for failure in report.failures] == []
    assert report.rules.total > 100


@pytest.mark.parametrize("name", one_in(3, NAMES))
def test_every_link_leads_somewhere(name):
    with open_pdf(name) as pdf:
        known = targets(pdf)
        within = [str(one.Dest) for _, one in links(pdf) if "/Dest" in one]
        outside = [str(one.A.URI) for _, one in links(pdf) if "/A" in one]
    assert within
    assert [target for target in within if target not in known] == []
    assert all(address.startswith(("http://", "https://")) for address in outside)


@pytest.mark.parametrize("name", ["findings", "insufficient", "right_to_left"])
def test_its_bookmarks_are_the_headings(name):
    with open_pdf(name) as pdf, pdf.open_outline() as outline:
        found = [(level, item.title) for level, item in _walk_outline(outline.root, 1)]
    assert found == headings(name)


def _walk_outline(items, level):
    for item in items:
        yield level, item
        yield from _walk_outline(item.children, level + 1)


@pytest.mark.parametrize("name", ["findings", "contradictions"])
def test_its_tags_are_the_headings(name, tmp_path):
    path = tmp_path / "report.pdf"
    path.write_bytes(write_pdf(name))
    tree = read_output(program("pdfinfo"), "-struct", path)
    levels = [int(level) for level in re.findall(r"^\s*H(\d)", tree, re.MULTILINE)]
    assert levels == [level for level, _ in headings(name)]


def test_only_the_pages_of_a_wide_table_lie_on_their_side():
    draft = Draft("wide")
    draft.section("Before", prose(draft.claim("Demand rose.", draft.source())))
    table = TableEntry(COLUMNS, rows_of(draft, ("Acme", "Globex"), COLUMNS))
    draft.section("Compared", BlockEntry("table", table=table))
    draft.section("After", prose(draft.claim("Supply fell.", draft.source())))
    data = WRITERS[Format.PDF].write(draft.document("What changed?"), ExportOptions(), lambda _share: None)
    with pikepdf.open(BytesIO(data)) as file:
        lying = [page.mediabox[2] > page.mediabox[3] for page in file.pages]
    assert lying.count(True) == 1
    assert lying.index(True) < len(lying) - 1


def test_a_short_report_begins_on_the_second_page_and_its_cover_has_the_contents():
    pdf = pypdfium2.PdfDocument(write_pdf("one_source"))
    cover, first = (pdf[number].get_textpage().get_text_range() for number in range(2))
    assert "Contents" in cover
    assert document("one_source").claims[0].plain_text.split()[0] not in cover
    assert cover.rstrip().endswith("Plumbline")
    assert "Contents" not in first


def test_what_stands_above_a_page_is_cut_between_words():
    draft = Draft("head")
    draft.section(
        "Which of the recommendations of authorities hold", prose(draft.claim("Demand rose.", draft.source()))
    )
    title = "Recommendations for the number of iterations that a function for passwords should take"
    data = WRITERS[Format.PDF].write(draft.document(title), ExportOptions(), lambda _share: None)
    with pypdfium2.PdfDocument(data) as file:
        text = file[1].get_textpage().get_text_range()
    assert "Recommendations for the number of iterations that a function for…" in text


def test_no_row_of_a_table_stands_alone_on_its_last_page():
    for count in (32, 33, 34):
        draft = Draft("rows")
        rows = tuple(
            RowEntry(n, f"Item {n}!", "done", "", (CellEntry("found", "1", 1.0),)) for n in range(count)
        )
        table = TableEntry((ColumnEntry("figure", "Figure", "number"),), rows)
        draft.section("Rows", BlockEntry("table", table=table))
        data = WRITERS[Format.PDF].write(draft.document("Rows?"), ExportOptions(), lambda _share: None)
        with pypdfium2.PdfDocument(data) as file:
            rows_of_page = [page.get_textpage().get_text_range().count("!") for page in file]
        assert [row for row in rows_of_page if row][-1] > 2


def test_no_source_stands_alone_on_its_last_page():
    for count in (37, 38):
        draft = Draft("sources")
        sources = [draft.source(f"A field study of heat pumps! {n}") for n in range(count)]
        draft.section("Found", prose(draft.claim("Demand rose.", *sources)))
        options = ExportOptions(include_appendix=False)
        data = WRITERS[Format.PDF].write(draft.document("What?"), options, lambda _share: None)
        with pypdfium2.PdfDocument(data) as file:
            pages = [page.get_textpage().get_text_range() for page in file]
        listed = [len(re.findall(r"^\[\d+\] Lind", page, re.MULTILINE)) for page in pages]
        assert sum(listed) == count
        assert [one for one in listed if one][-1] > 2


def test_the_file_is_sound_and_its_fonts_are_in_it(tmp_path):
    path = tmp_path / "report.pdf"
    path.write_bytes(write_pdf(SHOWN))
    assert "No syntax or stream encoding errors" in read_output(program("qpdf"), "--check", path)
    fonts = read_output(program("pdffonts"), path).splitlines()[2:]
    assert fonts
    assert all(line.split()[-5:-3] == ["yes", "yes"] for line in fonts)  # embedded, and only what is used


def test_it_says_its_title_its_language_and_when_it_was_made():
    with open_pdf(SHOWN) as pdf:
        assert str(pdf.docinfo.Title) == document(SHOWN).title
        assert str(pdf.Root.Lang) == "en"
        assert bool(pdf.Root.ViewerPreferences.DisplayDocTitle) or str(
            pdf.Root.ViewerPreferences.DisplayDocTitle
        )
        made_at = document(SHOWN).made_at
        assert str(pdf.docinfo.CreationDate).startswith(f"D:{made_at:%Y%m%d}")


def test_the_evidence_lies_in_it_as_json():
    with open_pdf(SHOWN) as pdf:
        held = json.loads(pdf.attachments["evidence.json"].get_file().read_bytes())
    assert held == json.loads(write_document(Format.JSON, SHOWN))


def test_the_same_report_gives_the_same_bytes():
    assert write_document(Format.PDF, SHOWN) == write_pdf(SHOWN)


def test_notes_laid_out_once_give_the_pages_that_weasyprint_gives():
    style = CSS(string=STYLE.read_text(encoding="utf-8"), url_fetcher=ClosedFetcher({}))
    said = "".join(_with_notes(number) for number in range(1, 90))
    html = HTML(string=f"<h2>Notes</h2>{said}", url_fetcher=ClosedFetcher({}))
    ours = lay_out_pages(html, style, FontConfiguration()).write_pdf(uncompressed_pdf=True)
    theirs = html.render(stylesheets=[style], font_config=FontConfiguration()).write_pdf(
        uncompressed_pdf=True
    )
    assert len(_read_page_contents(ours)) > 3
    assert _read_page_contents(ours) == _read_page_contents(theirs)


def _with_notes(number):
    """A passage with one or two notes, of one to three lines each."""
    notes = "".join(
        f'<a class="mark">{number}</a><span class="note" data-number="{number}">{"A source of it. " * length}</span>'
        for length in ((number * 7) % 13 + 1, number % 5)[: 1 + number % 2]
    )
    return f"<p>{'What is claimed. ' * (number % 11)}{notes}</p>"


def _read_page_contents(data):
    """Return the texts on each page, and where they stand."""
    with pikepdf.open(BytesIO(data)) as pdf:
        return [page.Contents.read_bytes() for page in pdf.pages]


def test_progress_only_rises_and_ends_at_one():
    told: list[float] = []
    WRITERS[Format.PDF].write(document("one_source"), ExportOptions(), told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len(told) > 3


def test_in_german_it_speaks_german():
    text = "".join(page.get_textpage().get_text_range() for page in _pages(ExportOptions(language="de")))
    assert "Inhalt" in text
    assert "So liest sich das" in text


def test_what_is_left_out_is_left_out():
    text = "".join(
        page.get_textpage().get_text_range() for page in _pages(ExportOptions(include_appendix=False))
    )
    claim = document(SHOWN).claims[0]
    assert "Back to the text" not in text
    assert claim.citations[0].quote[:30] in " ".join(text.split())  # at the foot of the page


def _pages(options):
    return pypdfium2.PdfDocument(write_document(Format.PDF, SHOWN, options))


def test_letters_of_two_scripts_are_those_of_the_text():
    """Two files of one font under one name gave wrong letters."""
    if font_path(SERIF, "greek", 400) is None:
        pytest.skip("the packages of @fontsource are not installed")
    names = {face.name for face in faces_for("aΔЖ") if face.family == SERIF}
    assert names == {SERIF, f"{SERIF} greek", f"{SERIF} cyrillic"}


# --- it reads no file and reaches no host -------------------------------------------------------------

ADDRESSES = (
    "file:///etc/passwd",
    "FILE:///etc/passwd",
    "file://localhost/etc/passwd",
    "/etc/passwd",
    "../../../../etc/passwd",
    "http://127.0.0.1/x",
    "http://169.254.169.254/latest/meta-data/",
    "https://attacker.example/x",
    "//attacker.example/x",
    "ftp://attacker.example/x",
    "data:text/html,x",
    "jar:file:///x!/y",
    "gopher://127.0.0.1:70/x",
    "font:../../etc/passwd",
    "chart:99",
)
PLACES = (
    '<img src="{}">',
    '<link rel="stylesheet" href="{}">',
    '<link rel="attachment" href="{}">',
    '<a rel="attachment" href="{}">x</a>',
    '<style>@import url("{}");</style>',
    '<style>@font-face {{ font-family: x; src: url("{}") }} p {{ font-family: x }}</style>',
    '<p style="background: url({})">x</p>',
    '<p style="content: url({}); list-style-image: url({})">x</p>',
    '<object data="{}"></object><embed src="{}">',
    '<svg xmlns="http://www.w3.org/2000/svg"><image href="{}"/><use href="{}#x"/></svg>',
    '<base href="{}"><img src="x">',
    '<iframe src="{}"></iframe>',
)


class Watching(ClosedFetcher):
    """Counts what the setter was given."""

    def __init__(self, held):
        super().__init__(held)
        self.given: list[str] = []

    def fetch(self, url, headers=None):
        answer = super().fetch(url, headers)
        self.given.append(url)
        return answer


@pytest.mark.parametrize("place", PLACES)
def test_the_setter_of_pdf_opens_nothing_wherever_an_address_stands(place, monkeypatch):
    reached: list[object] = []
    monkeypatch.setattr("socket.socket.connect", lambda _self, address: reached.append(address))
    fetcher = Watching(
        {"chart:0": PdfResource(b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml")}
    )
    known = [
        one for one in ADDRESSES if ":" in one or "@import" not in place
    ]  # else the sheet itself is refused
    page = "".join(place.replace("{}", address) for address in known)
    data = HTML(string=f"<p>safe</p>{page}", url_fetcher=fetcher).write_pdf(uncompressed_pdf=True)
    assert (reached, fetcher.given) == ([], [])
    assert b"root:x:0:0" not in data


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_way_of_the_fetcher_is_closed(address):
    fetcher = ClosedFetcher({})
    for way in (fetcher.fetch, fetcher.open, fetcher):
        with pytest.raises(ValueError, match="not a part of this paper"):
            way(address)


def test_no_markup_of_a_source_becomes_markup():
    page = markup(build_paper(document("hostile"), ExportOptions())).html
    assert set(re.findall(r"<(img|link|script|style|object|iframe|svg|base|embed)\b", page)) <= {"img"}
    assert set(re.findall(r'<img src="([^"]*)', page)) <= {f"chart:{number}" for number in range(9)}


def test_a_source_that_fills_its_first_line_is_not_broken_behind_its_first_word():
    draft = Draft("full line")
    source = draft.source(
        "bcrypt 5.0.0 for Python: README and changelog",
        author="The Python Cryptographic Authority developers",
        publisher="",
        domain="",
        published="2025-09-25",
        source_type="documentation",
        url="https://github.com/pyca/bcrypt/blob/5.0.0/README.rst",
    )
    draft.section("A", prose(draft.claim("It rose.", source)))
    data = WRITERS[Format.PDF].write(draft.document("?"), ExportOptions(), lambda _share: None)
    with pypdfium2.PdfDocument(data) as file:
        lines = [line for page in file for line in page.get_textpage().get_text_range().splitlines()]
    assert any(line.startswith("[1] The Python Cryptographic Authority developers.") for line in lines)
