"""Text in whatever charset a server or a page names, as UTF-8."""

import pytest

from research.fetching.response_charsets import as_utf8, charset

WORDS = "<p>Größe – “50 €”</p>"


@pytest.mark.parametrize(
    ("told", "known"),
    [
        ("text/html; charset=ISO-8859-1", "iso8859-1"), ('text/html;charset="utf-8"', "utf-8"),
        ("text/html; charset='Windows-1251'", "cp1251"), ("text/html", ""), ("", ""),
        ("text/html; charset=no-such-thing", ""), ("text/html; Charset = shift_jis", "shift_jis"),
    ],
)  # fmt: skip
def test_the_declared_charset_is_read(told, known):
    assert charset({"content-type": told}) == known


@pytest.mark.parametrize(
    ("encoded", "declared", "text"),
    [
        (WORDS.encode("cp1252"), "iso8859-1", WORDS),  # as browsers read it
        ("<p>Привет</p>".encode("cp1251"), "cp1251", "<p>Привет</p>"),
        ("<p>日本語①</p>".encode("cp932"), "shift_jis", "<p>日本語①</p>"),
        ("<p>中文𠀀</p>".encode("gb18030"), "gb2312", "<p>中文𠀀</p>"),
        ("<p>İstanbul</p>".encode("cp1254"), "iso8859-9", "<p>İstanbul</p>"),
        (WORDS.encode("utf-16-le"), "utf-16", WORDS),
        (WORDS.encode("utf-16-be"), "utf-16-be", WORDS),
    ],
)
def test_what_the_server_names_is_used(encoded, declared, text):
    assert as_utf8(encoded, declared).decode() == text


@pytest.mark.parametrize(
    "head",
    ['<?xml version="1.0" encoding="windows-1251"?>', '<meta charset="windows-1251">',
     '<meta http-equiv="content-type" content="text/html; charset=windows-1251">'],
)  # fmt: skip
def test_what_the_page_names_is_used_where_the_server_names_none(head):
    page = f"{head}<p>Привет</p>"
    assert as_utf8(page.encode("cp1251"), "").decode() == page


def test_a_name_that_does_not_fit_gives_way_to_the_next():
    page = '<meta charset="windows-1251"><p>Привет, мир</p>'
    assert as_utf8(page.encode("cp1251"), "utf-8").decode() == page


@pytest.mark.parametrize("declared", ["", "utf-8", "iso8859-1", "base64", "rot13", "undefined"])
def test_utf_8_stays_as_it_is(declared):
    assert as_utf8(WORDS.encode(), declared) == WORDS.encode()


@pytest.mark.parametrize(
    "name", ["base64", "hex", "zlib", "rot13", "idna", "punycode", "unicode_escape", "utf-7", "undefined"]
)
def test_a_codec_that_is_no_charset_changes_nothing(name):
    body = b"<p>Gr\xfc\xdfe \\x41 +AGE-</p>"
    assert as_utf8(body, charset({"content-type": f"text/html; charset={name}"})) == body
