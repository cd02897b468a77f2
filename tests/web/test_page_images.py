"""A PDF's page as an image with boxes around the cited words."""

from dataclasses import asdict
from io import BytesIO

import pytest
from PIL import Image

from citations.models import Claim, Section
from research.db.tenancy import tenant_context
from research.models import Content, Run, Source
from research.parsing import render_pdf_pages
from research.parsing.parse_document import read
from research.parsing.render_pdf_pages import stop_page_child
from research.runtime.sandbox.sandbox_worker import SandboxLimits
from research.storage.object_store import put_object
from tests.people import Person
from tests.web.pages import tree, words
from tests.worlds import cite

WORDS = "Verifiers shall require eight characters."


def pdf_of(line: str, drawn: bytes = b"") -> bytes:
    """One page that says one line, written by hand."""
    stream = drawn + f"BT /F1 18 Tf 72 700 Td ({line}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> /Shading << /S 6 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /ShadingType 3 /ColorSpace /DeviceGray /Coords [300 400 0 300 400 900] /Function 7 0 R >>",
        b"<< /FunctionType 2 /Domain [0 1] /N 1.5 >>",
    ]
    body, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    trailer = b"trailer\n<< /Size 8 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(body)
    return body + b"xref\n0 8\n0000000000 65535 f \n" + table + trailer


@pytest.fixture
def source(ada) -> Source:
    return cite_pdf(ada)


def cite_pdf(ada: Person, drawn: bytes = b"") -> Source:
    """A PDF that was read, kept and cited."""
    data = pdf_of(WORDS, drawn)
    document = read(data, "rules.pdf")
    with tenant_context(ada.tenant.pk):
        run = Run.objects.create(owner=ada.user, topic="How long?", report_version=1)
        content = Content.objects.create(
            raw_sha256="p",
            extractor="test 1",
            sha256="t",
            text=document.text,
            media_type="application/pdf",
            raw_key=put_object(ada.tenant.pk, data),
            pages=[asdict(page) for page in document.pages],
            blocks=[asdict(block) for block in document.blocks],
        )
        source = Source.objects.create(
            run=run, content=content, canonical_url="library:rules.pdf", title="Rules"
        )
        section = Section.objects.create(run=run, index=1, heading="Length")
        claim = Claim.objects.create(run=run, section=section, number=1, text=WORDS)
        cite(claim, source, WORDS, page_number=1)
    return source


def test_the_page_image_has_a_box_around_the_cited_words(client, source):
    page = tree(client.get(f"/sources/{source.pk}/?view=page&claim=1"))
    (svg,) = page.xpath("//*[@class='page-image']")
    (box,) = svg.xpath(".//*[local-name()='rect']")
    assert float(box.get("x")) == pytest.approx(72, abs=4)
    assert float(box.get("y")) == pytest.approx(792 - 700 - 18, abs=8)
    assert 250 < float(box.get("width")) < 450
    assert box.get("class") == "current"


def test_the_words_of_the_page_stand_beside_its_image(client, source):
    page = client.get(f"/sources/{source.pk}/?view=page")
    assert WORDS in words(page)
    assert "page 1 of 1" in words(page)


def test_the_image_is_a_png_of_that_page(client, source):
    response = client.get(f"/sources/{source.pk}/pages/1.png")
    assert response["Content-Type"] == "image/png"
    assert "immutable" in response["Cache-Control"]
    width, height = Image.open(BytesIO(response.content)).size
    assert width / height == pytest.approx(612 / 792, abs=0.01)


def test_a_page_that_is_not_there_is_a_404(client, source):
    assert client.get(f"/sources/{source.pk}/pages/2.png").status_code == 404


def test_a_stranger_gets_no_image(stranger, source):
    assert stranger.get(f"/sources/{source.pk}/pages/1.png").status_code == 404
    assert stranger.get(f"/sources/{source.pk}/").status_code == 404


def test_the_text_is_the_first_view_of_a_pdf(client, source):
    page = tree(client.get(f"/sources/{source.pk}/"))
    assert page.xpath("//mark[@class='current']")[0].text_content() == WORDS
    assert page.xpath("//nav[@aria-label='View']//a[@aria-current]")[0].text == "Text"


def test_a_file_that_is_gone_leaves_the_text(client, source, ada):
    with tenant_context(ada.tenant.pk):
        Content.objects.update(raw_key="")
    page = words(client.get(f"/sources/{source.pk}/?view=page"))
    assert "The file itself was not kept" in page
    assert client.get(f"/sources/{source.pk}/pages/1.png").status_code == 404


def test_whoever_reads_the_text_waits_for_no_pdf(client, source, monkeypatch):
    monkeypatch.setattr("research.web.report.pdf_page_view.get_object", None)
    assert WORDS in words(client.get(f"/sources/{source.pk}/"))


def test_a_page_that_is_drawn_without_end_holds_nobody_up(client, ada, monkeypatch):
    endless = cite_pdf(ada, b"/S sh\n" * 50_000)
    monkeypatch.setattr(render_pdf_pages, "LIMITS", SandboxLimits(cpu_seconds=1))
    stop_page_child()
    assert client.get(f"/sources/{endless.pk}/pages/1.png").status_code == 404
    assert WORDS in words(client.get(f"/sources/{endless.pk}/?view=page"))
    monkeypatch.setattr("research.web.report.pdf_page_view.page_png", None)
    assert client.get(f"/sources/{endless.pk}/pages/1.png").status_code == 404  # not tried again
    stop_page_child()


def test_no_process_with_secrets_opens_a_pdf_to_show_its_page(client, source, monkeypatch):
    monkeypatch.setattr("research.parsing.formats.pdf.locate_quotes_in_pdf.open_pdf", None)
    assert client.get(f"/sources/{source.pk}/pages/1.png").status_code == 200
    assert b"<rect" in client.get(f"/sources/{source.pk}/?view=page").content


def test_who_would_wait_too_long_for_others_pages_is_asked_to_come_again(client, source, monkeypatch):
    monkeypatch.setattr(render_pdf_pages, "MAX_WAIT_S", 0)
    with render_pdf_pages._lock:
        response = client.get(f"/sources/{source.pk}/pages/1.png")
    assert (response.status_code, response["Retry-After"]) == (503, "10")
