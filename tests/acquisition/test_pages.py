"""Answers of sites: a page, or a named reason why there is none."""

import pytest

from research.acquisition.door import Answer
from research.acquisition.pages import Fetched, FetchError, page_of, retry_after_s

TEXT = b"<html><body><p>" + b"Heat pumps were measured over two winters. " * 60 + b"</p></body></html>"


def answer(body: bytes = TEXT, status: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer("https://example.com/a", status, {"content-type": "text/html", **named}, body)


def code_of(given: Answer) -> str:
    with pytest.raises(FetchError) as failure:
        page_of(given)
    return failure.value.code


def test_a_page_is_a_page():
    assert page_of(answer()) == Fetched("https://example.com/a", "text/html", "page.html", TEXT)


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
    assert retry_after_s({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}) is None
    assert retry_after_s({"retry-after": "99999999"}) == 600


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
