"""Answers of sites: a page, or a named reason why there is none."""

from datetime import UTC, datetime

import pytest

from research.fetching.fetched_page_content import FetchedPage, FetchError, page_of, retry_after_s
from research.fetching.http_client import FetchResponse

TEXT = b"<html><body><p>" + b"Heat pumps were measured over two winters. " * 60 + b"</p></body></html>"


def answer(body: bytes = TEXT, status: int = 200, **headers: str) -> FetchResponse:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return FetchResponse("https://example.com/a", status, {"content-type": "text/html", **named}, body)


def code_of(given: FetchResponse) -> str:
    with pytest.raises(FetchError) as failure:
        page_of(given)
    return failure.value.code


def test_a_page_is_a_page():
    assert page_of(answer()) == FetchedPage("https://example.com/a", "text/html", "page.html", TEXT)


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (404, "PAGE_NOT_FOUND"), (410, "PAGE_NOT_FOUND"), (402, "PAYWALL"), (401, "BLOCKED"), (403, "BLOCKED"),
        (429, "BLOCKED"), (500, "BLOCKED"), (503, "BLOCKED"), (304, "BLOCKED"), (204, "BLOCKED"), (451, "BLOCKED"),
    ],
)  # fmt: skip
def test_each_status_has_its_code(status, code):
    assert code_of(answer(status=status)) == code


@pytest.mark.parametrize(
    ("status", "again"), [(429, True), (503, True), (500, True), (403, False), (404, False)]
)
def test_only_what_may_pass_is_tried_again(status, again):
    with pytest.raises(FetchError) as failure:
        page_of(answer(status=status))
    assert failure.value.is_retryable is again


def test_the_pause_that_a_site_asks_for_is_obeyed():
    with pytest.raises(FetchError) as failure:
        page_of(answer(status=429, retry_after="17"))
    assert failure.value.retry_after_s == 17
    assert retry_after_s({"retry-after": "99999999"}) == 600


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("Wed, 21 Oct 2026 07:28:30 GMT", 30), ("Wed, 21 Oct 2026 09:28:00 GMT", 600),
        ("Wed, 21 Oct 2020 07:28:00 GMT", None), ("soon", None), ("", None), ("-3", None),
    ],
)  # fmt: skip
def test_a_pause_may_be_told_as_a_date(said, seconds):
    now = datetime(2026, 10, 21, 7, 28, tzinfo=UTC)
    assert retry_after_s({"retry-after": said}, now) == seconds


CHALLENGE = (
    b'<html><head><script src="/cdn-cgi/challenge-platform/h/b.js"></script></head>Just a moment...</html>'
)


@pytest.mark.parametrize("status", [200, 403, 429, 503])
def test_a_challenge_is_a_captcha(status):
    assert code_of(answer(CHALLENGE, status)) == "CAPTCHA"


def test_a_real_page_with_a_captcha_in_its_comment_form_is_a_page():
    body = TEXT + b'<script src="https://www.google.com/recaptcha/api.js"></script>'
    assert page_of(answer(body)).data == body


def test_a_header_tells_of_a_challenge_too():
    assert code_of(answer(b"<html>x</html>", 403, cf_mitigated="challenge")) == "CAPTCHA"


def test_an_empty_page_is_an_extraction_that_failed():
    assert code_of(answer(b" \n ")) == "EXTRACTION_FAILED"


@pytest.mark.parametrize("kind", ["image/png", "application/octet-stream"])
def test_a_picture_is_not_read_whatever_it_is_called(kind):
    assert code_of(answer(b"\x89PNG\r\n\x1a\n" + b"\0" * 200, content_type=kind)) == "EXTRACTION_FAILED"


@pytest.mark.parametrize("kind", ["text/html", "application/octet-stream", "application/pdf", ""])
def test_a_pdf_is_one_whatever_the_server_says(kind):
    page = page_of(answer(b"%PDF-1.7\n" + b"x" * 100, content_type=kind))
    assert (page.media_type, page.name) == ("application/pdf", "page.pdf")


def test_a_charset_that_only_the_server_names_is_used():
    page = page_of(answer("<p>Grüße</p>".encode("latin-1"), content_type="text/html; charset=ISO-8859-1"))
    assert "Grüße" in page.data.decode("utf-8")


@pytest.mark.parametrize("charset", ["utf-8", "nonsense", "iso-8859-1", "base64", "hex"])
def test_utf_8_stays_as_it_came_whatever_the_server_says(charset):
    body = "<p>Grüße</p>".encode()
    assert page_of(answer(body, content_type=f"text/html; charset={charset}")).data == body


@pytest.mark.parametrize("charset", ["base64", "rot13", "idna", "punycode", "undefined"])
def test_a_codec_that_is_no_charset_changes_nothing(charset):
    body = b"<p>Gr\xfc\xdfe</p>"
    assert page_of(answer(body, content_type=f"text/html; charset={charset}")).data == body


FEED = '<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?>\n<!-- a feed -->\n<{root}><title>News</title></{root}>'


def kind_of(body: bytes, declared: str, url: str = "https://example.com/a") -> tuple[str, str]:
    page = page_of(FetchResponse(url, 200, {"content-type": declared}, body))
    return page.media_type, page.name


@pytest.mark.parametrize(
    "declared", ["text/html", "text/xml", "application/xml", "text/plain", "application/octet-stream"]
)
@pytest.mark.parametrize(
    ("root", "kind"),
    [("rss", "application/rss+xml"), ("rdf:RDF", "application/rss+xml"), ("feed", "application/atom+xml")],
)
def test_a_feed_is_one_whatever_the_server_says(declared, root, kind):
    assert kind_of(FEED.format(root=root).encode(), declared) == (kind, "page.xml")


@pytest.mark.parametrize("declared", ["text/html", "text/plain", "application/json", ""])
def test_json_is_json_and_a_feed_in_it_is_a_feed(declared):
    feed = b'{"version": "https://jsonfeed.org/version/1.1", "title": "News", "items": []}'
    assert kind_of(b'{"answer": 42}', declared) == ("application/json", "page.json")
    assert kind_of(feed, declared) == ("application/feed+json", "page.json")


def test_a_text_that_begins_with_a_bracket_is_no_json():
    assert kind_of(b"[1] A reference, and a text.", "text/plain") == ("text/plain", "page.txt")


@pytest.mark.parametrize("declared", ["text/plain", "application/octet-stream", "", "text/xml"])
def test_html_is_html_whatever_the_server_says(declared):
    assert kind_of(b"<!doctype html>\n" + TEXT, declared) == ("text/html", "page.html")


def test_xhtml_is_read_as_html():
    body = (
        b'<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">'
        + TEXT
    )
    assert kind_of(body, "application/xhtml+xml") == ("application/xhtml+xml", "page.html")


@pytest.mark.parametrize(
    ("ending", "kind", "name"),
    [
        ("README.md", "text/markdown", "page.md"), ("data.CSV?x=1", "text/csv", "page.csv"),
        ("guide.rst", "text/x-rst", "page.rst"), ("notes.txt", "text/plain", "page.txt"),
        ("notes", "text/plain", "page.txt"),
    ],
)  # fmt: skip
def test_the_end_of_an_address_tells_where_the_server_says_only_text(ending, kind, name):
    assert kind_of(b"# Title\n\nA text, and more.", "text/plain", f"https://example.com/{ending}") == (
        kind,
        name,
    )


def test_a_picture_that_is_called_a_page_is_not_read():
    assert code_of(answer(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\1\2\3\0" * 200)) == "EXTRACTION_FAILED"


def test_a_page_in_utf_16_without_its_mark_is_a_page():
    page = page_of(answer(TEXT.decode().encode("utf-16-le"), content_type="text/html; charset=utf-16"))
    assert (page.media_type, page.data) == ("text/html", TEXT)


def test_packed_bytes_are_never_taken_for_text_of_a_charset():
    packed = b"PK\x03\x04\x14\0\0\0\x08\0" + bytes(range(256)) * 8
    assert page_of(answer(packed, content_type="application/zip; charset=latin-1")).data == packed


@pytest.mark.parametrize(
    ("said", "may_keep", "must_check"),
    [
        ("", True, False),
        ("No-Store", False, False),
        ("max-age=0, no-cache", True, True),
        ("private", True, False),
    ],
)
def test_what_the_server_says_of_keeping_is_noted(said, may_keep, must_check):
    page = page_of(answer(cache_control=said, etag='W/"1"', last_modified="Tue, 01 Sep 2026 10:00:00 GMT"))
    assert (page.may_keep, page.must_check, page.etag) == (may_keep, must_check, 'W/"1"')


def test_a_mark_that_cannot_be_sent_back_is_none():
    page = page_of(answer(etag="x" * 600, last_modified="then\x07"))
    assert (page.etag, page.last_modified) == ("", "")


def test_a_wall_is_no_page():
    assert code_of(answer(b"<title>404 Not Found</title><p>Sorry.</p>")) == "PAGE_NOT_FOUND"
