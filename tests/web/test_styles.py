"""Style sheets hold for both directions of writing: they say where a line begins, not where left is."""

import re
from gzip import decompress
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from research.web.site import page_stylesheet
from tests.web.pages import tree

SHEETS = sorted((settings.BASE_DIR / "static/plumbline").glob("*.css"))
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DECLARATION = re.compile(r"(?:^|[{;])\s*([a-z-]+)\s*:\s*([^;{}]+)(?=[;}])")
SIDES = re.compile(
    r"(?:(?:margin|padding|border|inset|scroll-margin|scroll-padding)-)?(?:left|right|top|bottom)(?:-.+)?"
    r"|border-(?:top|bottom)-(?:left|right)-radius|(?:min-|max-)?(?:width|height)"
)
SIDED = re.compile(r"\b(?:left|right)\b")


def physical(sheet: str) -> list[str]:
    """Declarations of a style sheet that name a side of the window instead of one of the line."""
    found = DECLARATION.findall(COMMENT.sub("", sheet))
    return [f"{name}: {value}" for name, value in found if SIDES.fullmatch(name) or SIDED.search(value)]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_style_sheets_name_no_side_of_the_window(sheet: Path):
    assert physical(sheet.read_text()) == []


@pytest.mark.parametrize(
    "declaration",
    [
        "margin-left: 1px",
        "top: 0",
        "width: 5rem",
        "max-height: 2rem",
        "text-align: left",
        "border-top-left-radius: 1px",
    ],
)
def test_a_side_of_the_window_is_noticed(declaration):
    assert physical(f"a {{ color: red; {declaration}; }}") == [declaration]


def test_media_queries_ask_for_the_width_of_the_window():
    assert physical("@media (width < 40rem) { a { inline-size: 1rem; } }") == []


def test_one_answer_has_the_styles_of_every_page_in_their_order(client):
    [address] = [
        one for one in tree(client.get("/help/")).xpath("//link/@href") if one.startswith("/styles/")
    ]
    answer = Client().get(address)
    assert "immutable" in answer["Cache-Control"]
    assert answer["Content-Type"] == "text/css; charset=utf-8"
    text, at = answer.content.decode(), 0
    for name in page_stylesheet.SHEETS:
        sheet = (settings.BASE_DIR / f"static/plumbline/{name}.css").read_text()
        assert text.index(sheet) >= at
        at = text.index(sheet)


def test_a_report_waits_for_one_answer_with_its_own_styles_last(client, world):
    links = tree(client.get(f"/runs/{world.run.pk}/report/")).xpath("//head/link[@rel='stylesheet']/@href")
    assert len(links) == 1
    text = Client().get(links[0]).content.decode()
    for name in (*page_stylesheet.SHEETS, "report", "reader"):
        assert (settings.BASE_DIR / f"static/plumbline/{name}.css").read_text() in text


@pytest.mark.parametrize("name", ["0123456789ab", "report-reader-0123456789ab", "admin-0123456789ab", "-"])
def test_styles_by_a_name_that_is_not_theirs_are_not_there(client, name):
    assert client.get(f"/styles/{name}.css").status_code == 404


@pytest.mark.parametrize("path", ["/static/plumbline/report.css", "/static/plumbline/reader.js"])
def test_files_of_the_site_are_packed(client, path):
    answer = client.get(path, headers={"Accept-Encoding": "gzip"})
    assert answer["Content-Encoding"] == "gzip"
    assert decompress(answer.getvalue()) == (settings.BASE_DIR / path.lstrip("/")).read_bytes()


def test_a_part_of_a_file_stays_one(client):
    answer = client.get(
        "/static/plumbline/report.css", headers={"Accept-Encoding": "gzip", "Range": "bytes=0-999"}
    )
    assert answer.status_code == 206
    assert "Content-Encoding" not in answer
    assert len(answer.getvalue()) == 1_000
