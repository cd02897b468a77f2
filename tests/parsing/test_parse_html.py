from __future__ import annotations

import pytest

from research.parsing.formats.html.parse_html_metadata import partial_date
from research.parsing.formats.parse_html import read_html
from research.parsing.parsed_document import BlockKind, ReadDocument
from research.runtime.sandbox.sandbox_read_error import ReadError
from tests.parsing.documents import page

PROSE = (
    "Passwords are checked against a list of breached passwords before they are accepted by the verifier. "
    * 3
)


def read(body: str, head: str = "") -> ReadDocument:
    return read_html(page(body, head=head), "page.html")


def kinds(document: ReadDocument) -> list[tuple[BlockKind, str]]:
    return [(block.kind, document.text[block.start : block.end]) for block in document.blocks]


def test_headings_paragraphs_lists_quotes_and_code_become_typed_blocks() -> None:
    document = read(
        f"<main><h1>Guide</h1><p>{PROSE}</p><ul><li>One</li><li>Two</li></ul>"
        "<blockquote><p>Said so.</p></blockquote><pre>a = 1\n  b = 2</pre></main>"
    )
    assert kinds(document) == [
        (BlockKind.HEADING, "Guide"),
        (BlockKind.PARAGRAPH, PROSE.strip()),
        (BlockKind.LIST, "One"),
        (BlockKind.LIST, "Two"),
        (BlockKind.QUOTE, "Said so."),
        (BlockKind.CODE, "a = 1\n  b = 2"),
    ]


def test_blocks_are_parted_by_a_blank_line_and_list_items_by_a_line() -> None:
    document = read(f"<main><p>{PROSE}</p><ul><li>One</li><li>Two</li></ul><p>End.</p></main>")
    assert document.text.endswith("\n\nOne\nTwo\n\nEnd.")


def test_sections_are_the_path_of_headings() -> None:
    document = read(f"<main><h1>A</h1><h2>B</h2><p>{PROSE}</p><h2>C</h2><p>Last.</p></main>")
    assert [block.section for block in document.blocks] == ["A", "A > B", "A > B", "A > C", "A > C"]


def test_a_table_is_kept_with_caption_headers_and_rows() -> None:
    document = read(
        f"<main><p>{PROSE}</p><table><caption>Lengths</caption><tr><th>Who</th><th>Least</th></tr>"
        "<tr><td>NIST</td><td>8 <b>characters</b></td></tr></table></main>"
    )
    (table,) = document.tables
    assert (table.caption, table.headers, table.rows) == (
        "Lengths",
        ("Who", "Least"),
        (("NIST", "8 characters"),),
    )
    assert document.text[table.start : table.end] == "Lengths\n\nWho | Least\nNIST | 8 characters"


def test_a_table_for_layout_is_read_as_its_content() -> None:
    document = read(f"<main><table><tr><td><h2>Inside</h2><p>{PROSE}</p></td></tr></table></main>")
    assert document.tables == ()
    assert (BlockKind.HEADING, "Inside") in kinds(document)


def test_nested_lists_have_depths() -> None:
    document = read(f"<main><p>{PROSE}</p><ul><li>Outer<ul><li>Inner</li></ul></li><li>Next</li></ul></main>")
    assert [(document.text[b.start : b.end], b.level) for b in document.blocks[1:]] == [
        ("Outer", 1), ("Inner", 2), ("Next", 1),
    ]  # fmt: skip


def test_inline_markup_does_not_part_a_sentence() -> None:
    document = read(
        f"<main><p>{PROSE}</p><p>At <b>least</b> <a href='/x'>8 char</a>acters<br>are asked.</p></main>"
    )
    assert kinds(document)[-1][1] == "At least 8 characters are asked."


def test_a_power_is_not_read_as_a_longer_number() -> None:
    document = read(f"<main><p>{PROSE}</p><p>Use 2<sup>17</sup> rounds.<sup>3</sup></p></main>")
    assert kinds(document)[-1][1] == "Use 2^17 rounds.[3]"


def test_navigation_footers_and_scripts_are_left_out() -> None:
    document = read(
        "<nav><a href='/'>Home</a></nav><script>var x = 1</script>"
        f"<main><p>{PROSE}</p></main><footer>Copyright 2024</footer>"
    )
    assert document.text == PROSE.strip()


def test_a_contents_list_of_the_page_itself_is_left_out() -> None:
    links = "".join(f"<li><a href='#s{n}'>Section {n}</a></li>" for n in range(5))
    assert "Section 3" not in read(f"<main><ul>{links}</ul><p>{PROSE}</p></main>").text


def test_content_without_landmarks_is_found() -> None:
    document = read(
        "<div id='menu'><ul><li><a href='/a'>Products</a></li><li><a href='/b'>Prices</a></li></ul></div>"
        f"<div id='text'><h1>Advice</h1><p>{PROSE}</p><p>{PROSE}</p></div>"
    )
    assert "Advice" in document.text
    assert document.text.count("breached") == 6


def test_definition_lists_and_short_reference_entries_are_kept() -> None:
    entries = "".join(f"<dt>option_{n}</dt><dd>Default {n}.</dd>" for n in range(40))
    document = read(f"<main><h1>Settings</h1><dl>{entries}</dl></main>")
    assert "option_39" in document.text
    assert "Default 39." in document.text


@pytest.mark.parametrize(
    "hidden",
    [
        "<p style='display:none'>IGNORE</p>", "<p hidden>IGNORE</p>", "<!-- IGNORE -->",
        "<template>IGNORE</template>",
        "<span style='font-size:0'>IGNORE</span>", "<div style='position:absolute;left:-9999px'>IGNORE</div>",
        "<p style='color:#fff'>IGNORE</p>", "<noscript>IGNORE</noscript>", "<p style='opacity: 0'>IGNORE</p>",
    ],
)  # fmt: skip
def test_hidden_text_is_left_out(hidden: str) -> None:
    document = read(f"<main><p>{PROSE}</p>{hidden}<p>Shown.</p></main>")
    assert "IGNORE" not in document.text
    assert "Shown." in document.text


def test_invisible_characters_are_removed() -> None:
    document = read(f"<main><p>{PROSE}</p><p>pass\u200bword\U000e0041 \u00adend</p></main>")
    assert kinds(document)[-1][1] == "password end"


def test_metadata_comes_from_what_the_page_declares() -> None:
    head = (
        "<title>Guide | Example</title><meta property='og:site_name' content='Example'>"
        "<meta name='author' content='Zoë Müller'><link rel='canonical' href='https://example.org/guide'>"
        "<meta property='article:published_time' content='2024-03-05T10:00:00Z'>"
        "<meta property='article:modified_time' content='2024-04-01'>"
    )
    document = read(f"<main><h1>The guide</h1><p>{PROSE}</p></main>", head)
    assert (document.title, document.author, document.site_name) == ("The guide", "Zoë Müller", "Example")
    assert (document.published, document.modified) == ("2024-03-05", "2024-04-01")
    assert (document.url, document.language) == ("https://example.org/guide", "en")


def test_dates_and_names_in_the_prose_are_not_taken_for_the_pages_own() -> None:
    body = f"<main><h1>On standards</h1><p>By Authority. In RFC 5 of 2 January 1999. {PROSE}</p></main>"
    document = read(body)
    assert (document.author, document.published) == ("", None)


def test_json_ld_gives_the_date_and_the_paywall() -> None:
    described = '{"datePublished": "2023-11", "isAccessibleForFree": false}'
    ld = f'<script type="application/ld+json">{described}</script>'
    document = read(f"<main><p>{PROSE}</p></main>", ld)
    assert (document.published, document.has_paywall) == ("2023-11", True)


@pytest.mark.parametrize(
    "head",
    [
        '<script type="application/ld+json">{"@graph": [{"isAccessibleForFree": "False"}]}</script>',
        '<script type="application/ld+json">{"hasPart": [{"isAccessibleForFree": "http://schema.org/False"}]}</script>',
        '<script type="application/ld+json">{"hasPart": [{"isAccessibleForFree": "https://schema.org/False"}]}</script>',
        '<meta itemprop="isAccessibleForFree" content="false">',
        '<meta property="article:content_tier" content="locked">',
    ],
)
def test_a_page_that_says_it_is_not_free_has_a_paywall(head: str) -> None:
    assert read(f"<main><p>{PROSE}</p></main>", head).has_paywall


@pytest.mark.parametrize(
    "head",
    [
        '<script type="application/ld+json">{"isAccessibleForFree": true, "hasPart": "x", "@graph": 7}</script>',
        '<meta property="article:content_tier" content="metered">',
    ],
)
def test_a_page_that_says_it_is_free_has_none(head: str) -> None:
    assert not read(f"<main><p>{PROSE}</p></main>", head).has_paywall


def test_an_open_page_has_no_paywall() -> None:
    assert not read(f"<main><p>{PROSE}</p></main>").has_paywall


def test_deep_nesting_is_read_flat() -> None:
    document = read("<div>" * 900 + PROSE + "</div>" * 900)
    assert "breached" in document.text


def test_a_bomb_of_nested_elements_is_refused() -> None:
    with pytest.raises(ReadError, match="nested too deeply"):
        read("<div>" * 5_000 + PROSE)


def test_a_page_without_a_body_is_refused() -> None:
    with pytest.raises(ReadError):
        read_html(b"<!-- -->", "page.html")


def test_the_declared_charset_is_used() -> None:
    data = "<html><head><meta charset='iso-8859-2'></head><body><p>Wprowadź hasło ponownie</p></body></html>"
    assert "Wprowadź hasło" in read_html(data.encode("iso-8859-2"), "page.html").text


def test_xhtml_with_a_declaration_is_read() -> None:
    data = b"<?xml version='1.0' encoding='utf-8'?><html><body><p>" + PROSE.encode() + b"</p></body></html>"
    assert "breached" in read_html(data, "page.html").text


def test_markup_that_is_nested_very_deeply_is_read_as_flat_text() -> None:
    document = read("<div>" * 250 + "<p>One</p> <p>two</p>" + "</div>" * 250)
    assert document.text == "One two"


def test_a_figures_caption_is_a_caption() -> None:
    document = read(f"<main><p>{PROSE}</p><figure><figcaption>How it goes</figcaption></figure></main>")
    assert kinds(document)[-1] == (BlockKind.CAPTION, "How it goes")


def test_a_head_row_names_the_columns_whatever_its_cells_are() -> None:
    document = read(
        f"<main><p>{PROSE}</p><table><thead><tr><td>Who</td><td>Least</td></tr></thead>"
        "<tr><td>NIST</td><td>8</td></tr></table></main>"
    )
    assert document.tables[0].headers == ("Who", "Least")


def test_a_table_for_layout_is_read_as_what_it_holds() -> None:
    document = read(
        f"<main><table role=presentation><tr><td><p>{PROSE}</p></td><td>Aside</td></tr></table></main>"
    )
    assert document.tables == ()
    assert kinds(document) == [(BlockKind.PARAGRAPH, PROSE.strip()), (BlockKind.PARAGRAPH, "Aside")]


def test_a_power_in_a_cell_keeps_its_mark() -> None:
    rows = "<tr><td>Keys</td><td>2<sup>17</sup></td></tr><tr><td>Rounds</td><td>10</td></tr>"
    document = read(f"<main><p>{PROSE}</p><table>{rows}</table></main>")
    assert document.tables[0].rows[0] == ("Keys", "2^17")


@pytest.mark.parametrize("mark", ["rel=author", "itemprop=author", "class=byline"])
def test_the_author_may_stand_in_a_byline(mark: str) -> None:
    assert read(f"<main><p {mark}>By Zoë Müller</p><p>{PROSE}</p></main>").author == "Zoë Müller"


@pytest.mark.parametrize(
    "said",
    [
        '[{"@type": "Article", "datePublished": "2017-06-22T10:00Z"}]',
        '{"@graph": [{"@type": "WebSite"}, {"datePublished": "2017-06-22"}]}',
    ],
)
def test_dates_are_found_wherever_json_ld_has_them(said: str) -> None:
    broken = "<script type='application/ld+json'>{oops</script>"
    head = f"{broken}<script type='application/ld+json'>{said}</script>"
    assert read(f"<main><p>{PROSE}</p></main>", head).published == "2017-06-22"


def test_words_after_what_is_dropped_stay() -> None:
    document = read(
        f"<main><p>One <span hidden>x</span>two <b>three</b><i hidden>y</i> four.</p><p>{PROSE}</p></main>"
    )
    assert document.text.startswith("One two three four.")


def test_a_page_without_content_says_so() -> None:
    with pytest.raises(ReadError) as error:
        read_html(b"<html><frameset><frame src='a'></frameset></html>", "frames.html")
    assert error.value.code == "empty"


@pytest.mark.parametrize("part", ["<nav role=navigation>Go</nav>", "<div role=search>Find</div>"])
def test_navigation_by_its_role_is_left_out(part: str) -> None:
    assert read(f"<main>{part}<p>{PROSE}</p></main>").text == PROSE.strip()


def test_links_to_places_on_the_page_are_no_content() -> None:
    links = "".join(f"<li><a href='#{n}'>Part {n}</a></li>" for n in range(4))
    assert read(f"<main><ul>{links}</ul><p>{PROSE}</p></main>").text == PROSE.strip()


@pytest.mark.parametrize(
    "body",
    [
        "<noscript>You need to enable JavaScript to run this app.</noscript><div id='root'></div>",
        "<p>You need to enable JavaScript to run this app.</p><div id='app'></div>",
        "<p>Bitte aktivieren Sie JavaScript, um diese Seite zu sehen.</p>",
        "<div id='app'>Loading…</div>",
    ],
)
def test_a_page_that_only_scripts_fill_says_so(body: str) -> None:
    with pytest.raises(ReadError, match="only in a browser that runs JavaScript") as refused:
        read_html(page(f"{body}<script src='/main.js'></script>"), "a.html")
    assert refused.value.code == "empty"


@pytest.mark.parametrize(
    "body",
    [
        "<p>You need to enable JavaScript for the map. The museum opens daily at ten, except on Mondays.</p>",
        "<p>JavaScript is a language.</p>",
    ],
)
def test_a_page_with_text_beside_its_scripts_is_read(body: str) -> None:
    assert "JavaScript" in read_html(page(f"{body}<script src='/main.js'></script>"), "a.html").text


def test_readings_of_signs_stand_in_brackets() -> None:
    with_marks = "<ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby>"
    document = read(
        f"<p>The city of {with_marks} lies by the sea.</p><p><ruby>漢字<rt>かん<b>じ</b></rt></ruby> are signs.</p>"
    )
    assert document.text == "The city of 東京(とうきょう) lies by the sea.\n\n漢字(かんじ) are signs."


def test_quotations_have_the_marks_that_browsers_show() -> None:
    document = read("<p>He said <q>no <i>more</i></q> and she said <q>“never”</q> to them.</p>")
    assert document.text == "He said “no more” and she said “never” to them."


def test_a_row_of_bold_words_names_the_columns_of_a_table_without_header_cells() -> None:
    body = "<tr><td><b>P1</b></td><td>40</td></tr><tr><td>P2</td><td>55</td></tr>"
    for head in (
        "<tr><td><b>Pump</b></td><td><p><strong>Litres</strong></p></td></tr>",
        "<tr style='font-weight:700'><td>Pump</td><td>Litres</td></tr>",
        "<tr><td style='font-weight: bold'>Pump</td><td><span style='font-weight:600'>Litres</span></td></tr>",
    ):
        [table] = read(f"<main><p>{PROSE}</p><table>{head}{body}</table></main>").tables
        assert table.headers == ("Pump", "Litres")
        assert table.rows == (("P1", "40"), ("P2", "55"))
    [table] = read(f"<main><p>{PROSE}</p><table>{body}</table></main>").tables
    assert table.headers == ()


@pytest.mark.parametrize("name", ["mw-editsection", "edit-link", "mw-cite-backlink", "editsection"])
def test_links_to_change_a_page_are_no_content(name: str) -> None:
    link = f"<span class='{name}'>[<a href=e>edit</a>]</span>"
    document = read(f"<main><h2>Lakes {link}</h2><p>{PROSE}</p><p>Loke {link}is fed by the Tarn.</p></main>")
    assert "edit" not in document.text
    assert "Loke is fed by the Tarn." in document.text


@pytest.mark.parametrize(
    ("declared", "read"),
    [
        ("2024-02-29", "2024-02-29"), ("2023-02-29", None), ("2024-13-01", None), ("2024-04-31T10:00Z", None),
        ("2024/04", "2024-04"), ("2024-00-00", "2024"), ("0000-00-00", None), ("2017-2018", "2017"),
        ("24 December 2025", "2025-12-24"), ("Thu, 01 Jan 2026 10:00:00 GMT", "2026-01-01"), ("31 April 2024", None),
        ("updated weekly", None),
    ],
)  # fmt: skip
def test_a_declared_date_is_read_if_a_calendar_has_it(declared, read):
    assert partial_date(declared) == read


@pytest.mark.parametrize(
    "remark",
    [
        '<sup>[<i><a href="/wiki/Wikipedia:Citation_needed">citation needed</a></i>]</sup>',
        '<sup>[<a href="/wiki/Wikipedia:Belege">Beleg?</a>]</sup>', "<sup>[réf. nécessaire]</sup>",
        "<sup>[要出典]</sup>",
        "<sup>[источник не указан 120 дней]</sup>",
    ],
)  # fmt: skip
def test_raised_remarks_of_editors_are_no_part_of_a_sentence(remark: str) -> None:
    assert read(f"<main><p>It is old{remark}. {PROSE}</p></main>").text.startswith("It is old. Passwords")


@pytest.mark.parametrize("mark", ["[12]", "[a]", "[note 2]", '[<a href="#cite_note-a">note a</a>]'])
def test_a_raised_mark_of_a_note_stays(mark: str) -> None:
    said = mark.replace('<a href="#cite_note-a">', "").replace("</a>", "")
    assert (
        f"It is old{said}" in read(f"<main><p>It is old<sup>{mark}</sup> and long. {PROSE}</p></main>").text
    )


def test_links_to_edit_a_section_are_no_part_of_its_heading() -> None:
    edit = '<small>[<a href="/w/index.php?title=X&amp;action=edit">modifier le code</a>]</small>'
    document = read(f"<main><h2>Histoire {edit}</h2><p>{PROSE}</p><h2>Prix [euros]</h2><p>{PROSE}</p></main>")
    assert [text for kind, text in kinds(document) if kind is BlockKind.HEADING] == [
        "Histoire",
        "Prix [euros]",
    ]


FIGURES = "Town        Population   Area\nArden           12,345   45.6\nBorne            9,876   30.1\n"


def test_columns_of_figures_in_preformatted_text_are_a_table() -> None:
    document = read(f"<main><p>{PROSE}</p><pre>Towns of the county\n{FIGURES}\nx  =  2\n</pre></main>")
    [table] = document.tables
    assert (table.caption, table.headers) == ("Towns of the county", ("Town", "Population", "Area"))
    assert table.rows == (("Arden", "12,345", "45.6"), ("Borne", "9,876", "30.1"))
    assert kinds(document)[-1] == (BlockKind.CODE, "x  =  2")


@pytest.mark.parametrize(
    "code",
    [
        "a = 1      # one\nbb = 22    # two\nccc = 333  # three", "int   a;\nfloat b;\nchar  c;",
        "listen   80\nworkers  4\ntimeout  30", "$ df\n" + FIGURES.strip(), "def f():\n\n\n    y  =  2\n\n    return y",
    ],
)  # fmt: skip
def test_code_with_aligned_blanks_stays_code_to_the_letter(code: str) -> None:
    document = read(f"<main><p>{PROSE}</p><pre>{code}</pre></main>")
    assert kinds(document)[-1] == (BlockKind.CODE, code)
    assert not document.tables
