"""Text that no reader sees is left out, whatever the trick, and noted; what only looks like a trick stays."""

from __future__ import annotations

import pytest
from docx.enum.text import WD_COLOR_INDEX
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from hypothesis import given
from hypothesis import strategies as st

from research.parsing.clean_text import clean
from research.parsing.hidden_text import EXCERPT, DroppedLog, HiddenReason
from research.parsing.parse_document import read
from research.parsing.parsed_document import ReadDocument
from research.runtime.sandbox.sandbox_read_error import ReadError
from tests.parsing.documents import Shape, Words, page, pdf, prose, save_document, word_document

PROSE = "Passwords are checked against a list of breached passwords before they are accepted by anyone. " * 3
SECRET = "Nearly all earlier orders went to the vendor"


def html(body: str, head: str = "") -> ReadDocument:
    return read(page(f"<main><p>{PROSE}</p>{body}<p>Shown at the end.</p></main>", head=head), "a.html")


def why(document: ReadDocument) -> list[HiddenReason]:
    return [one.why for one in document.dropped]


def style_secret(style: str) -> str:
    return f"<p style='{style}'>{SECRET}</p>"


@pytest.mark.parametrize(
    ("trick", "reason"),
    [
        (f"<!-- {SECRET} -->", HiddenReason.COMMENT),
        (style_secret("display:none"), HiddenReason.STYLE),
        (style_secret("DISPLAY : NONE !important"), HiddenReason.STYLE),
        (style_secret("color:red;/* x */display/**/:none"), HiddenReason.STYLE),
        (style_secret("visibility:hidden"), HiddenReason.STYLE),
        (style_secret("visibility: collapse"), HiddenReason.STYLE),
        (style_secret("content-visibility:hidden"), HiddenReason.STYLE),
        (style_secret("opacity:0"), HiddenReason.STYLE),
        (style_secret("opacity:.01"), HiddenReason.STYLE),
        (style_secret("opacity:1%"), HiddenReason.STYLE),
        (style_secret("filter:opacity(0%)"), HiddenReason.STYLE),
        (style_secret("font-size:0"), HiddenReason.SIZE),
        (style_secret("font-size:1px"), HiddenReason.SIZE),
        (style_secret("font-size:0.1em"), HiddenReason.SIZE),
        (style_secret("font:1px/1 serif"), HiddenReason.SIZE),
        (style_secret("color:white"), HiddenReason.COLOR),
        (style_secret("color:#fefefe"), HiddenReason.COLOR),
        (style_secret("color:rgb(255,255,255)"), HiddenReason.COLOR),
        (style_secret("color:hsl(0 0% 100%)"), HiddenReason.COLOR),
        (style_secret("color:transparent"), HiddenReason.COLOR),
        (style_secret("color:rgba(0,0,0,0)"), HiddenReason.COLOR),
        (style_secret("color:#000;background:#000"), HiddenReason.COLOR),
        (style_secret("color:color-mix(in srgb, white 98%, black)"), HiddenReason.COLOR),
        (style_secret("color:color-mix(in oklab, white, white)"), HiddenReason.COLOR),
        (style_secret("color:color-mix(in lch, #fff, rgb(from white r g b) 30%)"), HiddenReason.COLOR),
        (style_secret("color:color-mix(in srgb, currentcolor 3%, transparent)"), HiddenReason.COLOR),
        (style_secret("color:rgb(from black calc(255 - r) 255 calc(b + 255))"), HiddenReason.COLOR),
        (style_secret("color:rgb(from red r g b / 2%)"), HiddenReason.COLOR),
        (style_secret("color:hsl(from navy h s 100%)"), HiddenReason.COLOR),
        (style_secret("color:oklch(from red 1 0 h)"), HiddenReason.COLOR),
        (style_secret("color:lab(from white l a b)"), HiddenReason.COLOR),
        (style_secret("color:color(from white srgb r g b)"), HiddenReason.COLOR),
        (style_secret("color:color(display-p3 1 1 1)"), HiddenReason.COLOR),
        (style_secret("color:color(xyz .9505 1 1.089)"), HiddenReason.COLOR),
        (style_secret("color:light-dark(#fff, #000)"), HiddenReason.COLOR),
        (style_secret("color:rgb(calc(128 * 2) 255 255)"), HiddenReason.COLOR),
        (style_secret("color:teal;background:currentColor"), HiddenReason.COLOR),
        (style_secret("--c:teal;background:var(--c);color:rgb(from var(--c) r g b)"), HiddenReason.COLOR),
        (
            f"<div style='color-scheme:dark;background:#000'>{style_secret('color:light-dark(red, #000)')}</div>",
            HiddenReason.COLOR,
        ),
        (style_secret("color:navy;background-color:navy"), HiddenReason.COLOR),
        (f"<div style='color:white'><p>{SECRET}</p></div>", HiddenReason.COLOR),
        (f"<font color='#FFFFFF'>{SECRET}</font>", HiddenReason.COLOR),
        (f"<table bgcolor=black style='color:black'><tr><td>{SECRET}</td></tr></table>", HiddenReason.COLOR),
        (style_secret("position:absolute;left:-9999px"), HiddenReason.OFF_PAGE),
        (style_secret("position:fixed;top:-200em"), HiddenReason.OFF_PAGE),
        (style_secret("text-indent:-9999px"), HiddenReason.OFF_PAGE),
        (style_secret("margin-left:-5000px"), HiddenReason.OFF_PAGE),
        (style_secret("transform:translateX(-10000px)"), HiddenReason.OFF_PAGE),
        (style_secret("clip:rect(0,0,0,0);position:absolute"), HiddenReason.STYLE),
        (style_secret("clip:rect(1px, 1px, 1px, 1px)"), HiddenReason.STYLE),
        (style_secret("clip-path:inset(100%)"), HiddenReason.STYLE),
        (style_secret("clip-path:circle(0)"), HiddenReason.STYLE),
        (style_secret("transform:scale(0)"), HiddenReason.STYLE),
        (style_secret("height:0;overflow:hidden"), HiddenReason.STYLE),
        (style_secret("width:1px;height:1px;overflow:hidden"), HiddenReason.STYLE),
        (style_secret("max-height:0px;overflow-y:hidden"), HiddenReason.STYLE),
        (f"<p hidden>{SECRET}</p>", HiddenReason.MARKUP),
        (f"<p hidden=until-found>{SECRET}</p>", HiddenReason.MARKUP),
        (f"<template><p>{SECRET}</p></template>", HiddenReason.MARKUP),
        (f"<noscript>{SECRET}</noscript>", HiddenReason.MARKUP),
        (f"<span class='sr-only'>{SECRET}</span>", HiddenReason.STYLE),
        (f"<div style='display:none'><div><p>{SECRET}</p></div></div>", HiddenReason.STYLE),
    ],
)  # fmt: skip
def test_a_web_pages_hidden_text_is_left_out_and_noted(trick: str, reason: HiddenReason) -> None:
    document = html(trick)
    assert "vendor" not in document.text
    assert document.text.endswith("Shown at the end.")
    assert [(one.why, one.passages, one.excerpts) for one in document.dropped] == [(reason, 1, (SECRET,))]


@pytest.mark.parametrize(
    "sheet",
    [
        ".x { display: none }", "p.x{visibility:hidden}", "main .x { opacity: 0 }", "main > p.x { font-size:0 }",
        ".y, .x { color: #fff }", "#one { position:absolute; left:-9999px }", "/* a */ .x {/* b */ display:none }",
        "@charset 'utf-8'; .x { display:none }", "@media print { p { color: red } } .x { display:none }",
    ],
)  # fmt: skip
def test_the_pages_own_sheets_hide_too(sheet: str) -> None:
    document = html(f"<p class='x' id='one'>{SECRET}</p>", head=f"<style>{sheet}</style>")
    assert "vendor" not in document.text
    assert len(document.dropped) == 1


@pytest.mark.parametrize(
    ("body", "sheet"),
    [
        (f"<p class='x'>{SECRET}</p>", "@media print { .x { display: none } }"),
        (f"<p class='x'>{SECRET}</p>", "@media (max-width: 600px) { .x { display: none } } .y { color: red }"),
        (f"<p class='x'>{SECRET}</p>", ".x:hover { display: none }"),
        (f"<p class='x'>{SECRET}</p>", ".x + .y { display: none } .other .x { opacity: 0 }"),
        (f"<p class='x open'>{SECRET}</p>", ".x { display: none } .x.open { display: block }"),
        (f"<p class='x' style='display:block'>{SECRET}</p>", ".x { display: none }"),
        (f"<div style='background:#123'><p style='color:#fff'>{SECRET}</p></div>", ""),
        (f"<div class='dark'><p style='color:white'>{SECRET}</p></div>", ".dark { background: #111 }"),
        (f"<div style='background:url(a.png)'><p style='color:white'>{SECRET}</p></div>", ""),
        (f"<p style='left:-9999px'>{SECRET}</p>", ""),
        (f"<p style='color:#777;font-size:11px;opacity:.5'>{SECRET}</p>", ""),
        (f"<details><summary>More</summary><p>{SECRET}</p></details>", ""),
        (f"<p style='overflow:hidden;max-height:20em'>{SECRET}</p>", ""),
        (f"<p style='color:bogus;font-size:huge;opacity:x'>{SECRET}</p>", ""),
        (f"<p class='x'>{SECRET}</p>", ":root { color-scheme: dark } .x { color: light-dark(black, white) }"),
        (f"<p class='x'>{SECRET}</p>", ":root { color-scheme: light dark } .x { color: light-dark(black, white) }"),
        (f"<p class='x'>{SECRET}</p>", ".x { color: color-mix(in oklab, white, black) }"),
        (f"<p class='x'>{SECRET}</p>", ".x { color: rgb(from white calc(r / 3) g b / 80%) }"),
        (f"<p class='x'>{SECRET}</p>", ".x { color: white; background: color-mix(in srgb, navy, black) }"),
        (f"<p class='x'>{SECRET}</p>", "main { color: white } .x { color: initial }"),
        (f"<p class='x'>{SECRET}</p>", ".x { color: color-mix(in unknown) }"),
    ],
)  # fmt: skip
def test_what_readers_do_see_stays(body: str, sheet: str) -> None:
    assert "vendor" in html(body, head=f"<style>{sheet}</style>").text


def test_a_page_that_a_script_is_to_show_is_read_nevertheless() -> None:
    head = "<style>.app {opacity: 0}</style><script>show()</script>"
    data = page(f"<div class=app><h1>Guide</h1><p>{PROSE}</p></div>", head=head)
    document = read(data, "a.html")
    assert "breached" in document.text
    assert document.dropped == ()


def test_hidden_passages_of_one_kind_are_counted_together_and_three_are_shown() -> None:
    document = html("".join(f"<p hidden>Order number {n}</p>" for n in range(5)))
    (dropped,) = document.dropped
    assert (dropped.passages, dropped.characters) == (5, 5 * len("Ordernumber0"))
    assert dropped.excerpts == ("Order number 0", "Order number 1", "Order number 2")


def test_what_hides_inside_of_what_is_hidden_is_one_passage() -> None:
    document = html(f"<div hidden>A <b hidden>{SECRET}</b></div>")
    assert [one.passages for one in document.dropped] == [1]


def test_scripts_and_empty_hidden_elements_are_no_loss() -> None:
    assert (
        html("<script>var a = 1</script><p hidden></p><div style='display:none'> </div><!-- - -->").dropped
        == ()
    )


@pytest.mark.parametrize("name", ["a.html", "a.md", "a.txt", "a.csv"])
def test_characters_without_shape_are_left_out_and_read_out_in_the_log(name: str) -> None:
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in SECRET)
    text = f"col,val\nPlain{tags},8\n" if name.endswith("csv") else f"{PROSE} Plain{tags} end."
    document = read(page(f"<p>{text}</p>") if name.endswith("html") else text.encode(), name)
    assert "\U000e0049" not in document.text
    assert [(one.why, one.excerpts) for one in document.dropped] == [(HiddenReason.CHARACTERS, (SECRET,))]


def test_zero_width_rows_and_selectors_carry_nothing_on() -> None:
    hidden = "\u200b\u200c\u200d\u2060\u200b\u200c" + "\ufe0f\U000e0100\U000e0101\ufe00"
    document = read(f"{PROSE} pass{hidden}word stays.".encode(), "a.txt")
    assert "password stays." in document.text
    assert why(document) == [HiddenReason.CHARACTERS]


def test_joiners_of_scripts_and_emoji_stay() -> None:
    for kept in ("می\u200cخواهم", "👩\u200d🔬", "❤\ufe0f", "क्\u200dष"):
        assert clean(kept) == kept


@given(
    st.text(
        alphabet=st.sampled_from("aK\u212ae\u0301\u200b\u200c\u200d\ufe0f\ufe00\u034f\U000e0041\U000e0100 \n")
    )
)
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(st.text(max_size=400))
def test_an_excerpt_is_short_and_clean(text: str) -> None:
    log = DroppedLog()
    log.note(HiddenReason.STYLE, text)
    excerpts = [excerpt for entry in log.entries for excerpt in entry.excerpts]
    assert all(len(excerpt) <= EXCERPT and clean(excerpt) == excerpt for excerpt in excerpts)


# PDF

LINES = prose(PROSE)
WHITE_BOX = Shape("1 1 1 rg 60 480 500 30 re f")
BLACK_BOX = Shape("0 0 0 rg 60 480 500 30 re f")


def secret(paint: str = "", *, x: float = 72, y: float = 490, size: float = 11) -> Words:
    return Words(SECRET, x, y, size, paint=paint)


@pytest.mark.parametrize(
    ("drawn", "reason"),
    [
        ([secret("3 Tr")], HiddenReason.RENDERING),
        ([secret("7 Tr")], HiddenReason.RENDERING),
        ([secret("1 1 1 rg")], HiddenReason.COLOR),
        ([secret("1 g")], HiddenReason.COLOR),
        ([secret("0 0 0 0 k")], HiddenReason.COLOR),
        ([secret("0.99 0.99 0.98 rg")], HiddenReason.COLOR),
        ([BLACK_BOX, secret("0 0 0 rg")], HiddenReason.COLOR),
        ([secret("1 Tr 1 1 1 RG")], HiddenReason.COLOR),
        ([secret(y=-200)], HiddenReason.OFF_PAGE),
        ([secret(x=5_000)], HiddenReason.OFF_PAGE),
        ([secret(size=0.2)], HiddenReason.SIZE),
        ([secret(), WHITE_BOX], HiddenReason.COVERED),
        ([secret(), BLACK_BOX], HiddenReason.COVERED),
    ],
)
def test_a_pdfs_hidden_text_is_left_out_and_noted(drawn: list[Words | Shape], reason: HiddenReason) -> None:
    document = read(pdf([[*LINES, *drawn, Words("Shown at the end.", y=400)]]), "a.pdf")
    assert "vendor" not in document.text
    assert document.text.endswith("Shown at the end.")
    assert why(document) == [reason]
    assert SECRET in document.dropped[0].excerpts[0]


@pytest.mark.parametrize(
    "drawn",
    [
        [BLACK_BOX, secret("1 1 1 rg")],
        [secret("0.6 g")],
        [secret("1 Tr 1 1 1 rg 0 0 0 RG")],
        [WHITE_BOX, secret()],
        [secret(), Shape("0 0 0 rg 60 480 40 30 re f")],
        [secret(), Shape("0 0 0 RG 60 480 500 30 re S")],
        [secret(), Shape("60 600 500 30 re W n 1 1 1 rg 60 480 500 300 re f")],
        [secret(size=4)],
    ],
)
def test_what_readers_of_a_pdf_see_stays(drawn: list[Words | Shape]) -> None:
    assert "vendor" in read(pdf([[*LINES, *drawn]]), "a.pdf").text


def test_offsets_still_lead_to_characters_when_some_are_hidden() -> None:
    document = read(pdf([[secret("3 Tr", y=720), *LINES]]), "a.pdf")
    start, _, length = document.pages[0].runs[0]
    assert document.text[start : start + length].startswith("Passwords are checked")
    assert document.pages[0].runs[0][1] >= len(SECRET)


def test_a_pdf_of_hidden_text_alone_says_so() -> None:
    with pytest.raises(ReadError, match="only hidden text"):
        read(pdf([[secret("3 Tr")]]), "a.pdf")


# Word


def read_styled_word(**look: object) -> ReadDocument:
    word = word_document()
    word.add_paragraph(PROSE)
    run = word.add_paragraph("Shown. ").add_run(SECRET)
    for name, value in look.items():
        setattr(run.font.color if name == "rgb" else run.font, name, value)
    return read(save_document(word), "a.docx")


@pytest.mark.parametrize(
    ("look", "reason"),
    [
        ({"hidden": True}, HiddenReason.STYLE),
        ({"rgb": RGBColor(255, 255, 255)}, HiddenReason.COLOR),
        ({"size": Pt(1)}, HiddenReason.SIZE),
        ({"rgb": RGBColor(0, 0, 0), "highlight_color": WD_COLOR_INDEX.BLACK}, HiddenReason.COLOR),
    ],
)
def test_a_word_documents_hidden_runs_are_left_out_and_noted(
    look: dict[str, object], reason: HiddenReason
) -> None:
    document = read_styled_word(**look)
    assert "vendor" not in document.text
    assert [(one.why, one.excerpts) for one in document.dropped] == [(reason, (SECRET,))]


def test_a_style_hides_what_has_it_and_what_is_based_on_it() -> None:
    word = word_document()
    word.add_paragraph(PROSE)
    hidden = word.styles.add_style("Unseen", 1)
    hidden.font.hidden = True
    word.styles.add_style("Child", 1).base_style = hidden
    word.add_paragraph(SECRET, style="Unseen")
    word.add_paragraph(SECRET, style="Child")
    document = read(save_document(word), "a.docx")
    assert "vendor" not in document.text
    assert [one.passages for one in document.dropped] == [2]


@pytest.mark.parametrize("change", ["w:del", "w:moveFrom"])
def test_what_was_deleted_or_moved_away_is_left_out_and_noted(change: str) -> None:
    word = word_document()
    word.add_paragraph(PROSE)
    paragraph = word.add_paragraph("Shown. ")
    run = paragraph.add_run(SECRET)
    wrapper = OxmlElement(change)
    run._r.addprevious(wrapper)
    wrapper.append(run._r)
    document = read(save_document(word), "a.docx")
    assert "vendor" not in document.text
    assert why(document) == [HiddenReason.DELETED]


def shade(word_part: object, fill: str) -> None:
    shading = OxmlElement("w:shd")
    shading.set(qn("w:val"), "clear")
    shading.set(qn("w:fill"), fill)
    word_part.append(shading)  # type: ignore[attr-defined]  # an element of python-docx


def test_white_words_on_a_dark_cell_are_seen() -> None:
    word = word_document()
    word.add_paragraph(PROSE)
    cell = word.add_table(1, 2).rows[0].cells[0]
    cell.paragraphs[0].add_run(SECRET).font.color.rgb = RGBColor(255, 255, 255)
    shade(cell._tc.get_or_add_tcPr(), "1F3864")
    assert "vendor" in read(save_document(word), "a.docx").text


def test_hidden_rows_of_a_table_are_left_out() -> None:
    word = word_document()
    word.add_paragraph(PROSE)
    table = word.add_table(2, 2)
    table.rows[0].cells[0].text, table.rows[1].cells[0].text = "Seen", SECRET
    table.rows[1]._tr.get_or_add_trPr().append(OxmlElement("w:hidden"))
    document = read(save_document(word), "a.docx")
    assert "vendor" not in document.text
    assert why(document) == [HiddenReason.MARKUP]


# Markdown


@pytest.mark.parametrize(
    "trick",
    [
        f"<!-- {SECRET} -->", f"One <!-- {SECRET} --> two.", f"One <span hidden>{SECRET}</span> two.",
        f"One <span style='display:none'>{SECRET}</span> two.", f"<div style='opacity:0'>{SECRET}</div>",
    ],
)  # fmt: skip
def test_what_rendered_markdown_does_not_show_is_left_out(trick: str) -> None:
    document = read(f"# Guide\n\n{PROSE}\n\n{trick}\n\nShown at the end.\n".encode(), "a.md")
    assert "vendor" not in document.text
    assert document.text.endswith("Shown at the end.")
    assert [one.excerpts for one in document.dropped] == [(SECRET,)]


def test_markup_that_is_written_about_stays() -> None:
    text = "# Guide\n\nUse `<span hidden>words</span>` and <b>bold</b> to hide words.\n"
    assert "`<span hidden>words</span>`" in read(text.encode(), "a.md").text
