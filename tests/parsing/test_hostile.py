"""Documents that are made to break their reader: it lives, says why, stays within its limits and opens nothing."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from research.parsing import parsing_child
from research.parsing.formats.pdf.locate_quotes_in_pdf import MAX_PIXELS, page_png
from research.parsing.parsed_document import ReadDocument
from research.parsing.parsing_child import DEFAULT_LIMITS, read_in_child, stop_child
from research.runtime.sandbox.sandbox_read_error import ReadError, ReadErrorCode
from tests.often import one_in
from tests.parsing import hostile
from tests.parsing.documents import Words, page, pdf, prose, save_document, word_document

CODES = frozenset(ReadErrorCode)


@pytest.fixture(scope="module", autouse=True)
def _no_child_left() -> Iterator[None]:
    yield
    stop_child()


def read_within_limits(data: bytes, name: str) -> ReadDocument | ReadError:
    """Return the outcome, within the limits; the child has no more open than before, and memory below its limit."""
    before = time.monotonic()
    result = outcome(data, name)
    if isinstance(result, ReadError):
        assert name in result.message
        assert result.message.endswith(".")
    assert time.monotonic() - before <= DEFAULT_LIMITS.wall_seconds + 5
    check_child()
    return result


def outcome(data: bytes, name: str) -> ReadDocument | ReadError:
    try:
        return read_in_child(data, name).document
    except ReadError as error:
        return error


def check_child() -> None:
    """Check the child that lives on, if one does."""
    living = parsing_child._child
    if living is None or living._process.poll() is not None:
        return
    pid = living._process.pid
    status = Path(f"/proc/{pid}/status").read_text()
    peak = re.search(r"VmPeak:\s+(\d+) kB", status)
    assert peak is not None
    assert int(peak[1]) << 10 <= DEFAULT_LIMITS.memory
    kinds = [os.readlink(f"/proc/{pid}/fd/{number}") for number in os.listdir(f"/proc/{pid}/fd")]
    assert not [kind for kind in kinds if kind.startswith("socket:")]
    named = [
        kind for kind in kinds if not kind.endswith(" (deleted)")
    ]  # without a name: a mapped language model
    assert len(named) <= 4  # what came in, what goes out, and where errors are logged


def lives_on() -> None:
    assert isinstance(read_within_limits(hostile.ENGLISH.encode(), "after.txt"), ReadDocument)


def read(data: bytes, name: str) -> ReadDocument:
    result = read_within_limits(data, name)
    assert isinstance(result, ReadDocument), result
    return result


def get_refusal(data: bytes, name: str) -> ReadError:
    result = read_within_limits(data, name)
    assert isinstance(result, ReadError)
    return result


@pytest.mark.parametrize("what", one_in(3, hostile.HTML_BOMBS))
def test_bombs_of_markup(what: str) -> None:
    read_within_limits(page(hostile.HTML_BOMBS[what]()), "bomb.html")
    lives_on()


def test_what_is_nested_a_hundred_thousand_deep_is_refused_with_the_reason() -> None:
    assert (
        "nested too deeply" in get_refusal(page("<div>" * hostile.DEEP + hostile.ENGLISH), "a.html").message
    )


@pytest.mark.parametrize("what", one_in(3, hostile.PDF_BOMBS))
def test_bombs_of_pdf(what: str) -> None:
    result = read_within_limits(hostile.PDF_BOMBS[what](), "bomb.pdf")
    assert isinstance(result, ReadDocument) or "crashed" not in result.message
    lives_on()


def test_a_pdf_that_needs_too_much_memory_says_so() -> None:
    assert get_refusal(hostile.PDF_BOMBS["form that draws itself"](), "a.pdf").code == "memory"


@pytest.mark.parametrize("what", one_in(3, hostile.SLOW_WORDS))
@pytest.mark.parametrize("name", one_in(2, ["a.md", "a.txt"]))
def test_text_that_is_slow_to_match_is_read(what: str, name: str) -> None:
    read_within_limits(hostile.SLOW_WORDS[what](), name)


def test_a_pdf_of_too_many_pages_is_refused_before_it_is_read() -> None:
    error = get_refusal(pdf([[]] * 2_001), "long.pdf")
    assert (error.code, "the limit is 2,000" in error.message) == ("too_large", True)


def test_two_thousand_pages_are_not_too_many() -> None:
    assert len(read(pdf([[Words(f"Page {n} says little.")] for n in range(400)]), "a.pdf").pages) == 400


@pytest.mark.parametrize("box", ["0 0 100000 100000", "0 0 14400 14400", "-9e9 -9e9 9e9 9e9"])
def test_no_image_of_a_page_passes_forty_million_pixels(box: str) -> None:
    data = pdf([prose(hostile.ENGLISH)]).replace(b"[0 0 612 792]", f"[{box}]".encode())
    try:
        image = page_png(data, 1, scale=4)
    except (ReadError, ValueError):
        return
    width, height = int.from_bytes(image[16:20]), int.from_bytes(image[20:24])
    assert width * height <= MAX_PIXELS * 1.01


# Archives and XML


def test_a_document_that_unpacks_to_far_more_is_refused() -> None:
    data = hostile.pack_zip({**hostile.word_parts(), "word/media/a.bin": b"\0" * 150_000_000})
    assert get_refusal(data, "a.docx").code == "too_large"


def test_an_archive_that_lies_about_its_size_ends_within_the_limits() -> None:
    assert get_refusal(hostile.make_lying_zip(), "a.docx").code in CODES
    lives_on()


def test_an_archive_of_too_many_entries_is_refused() -> None:
    data = hostile.pack_zip({f"word/{n}.xml": b"" for n in range(2_001)})
    assert get_refusal(data, "a.docx").code == "too_large"


@pytest.mark.parametrize("name", ["a.docx", "a.txt", "a.html"])
def test_compressed_bytes_are_no_document(name: str) -> None:
    assert get_refusal(hostile.gzip_bomb(), name).code in ("unsupported", "unreadable")


@pytest.mark.parametrize("head", [hostile.BILLION_LAUGHS, hostile.EXTERNAL], ids=["laughs", "external"])
def test_entities_of_a_word_document_are_not_resolved(head: str) -> None:
    result = read_within_limits(
        hostile.word_of(hostile.word_paragraph("Seen. &e;&l9;" + hostile.ENGLISH), head), "a.docx"
    )
    text = "" if isinstance(result, ReadError) else result.text
    assert "root:" not in text
    assert "hahaha" not in text
    lives_on()


@pytest.mark.parametrize("head", [hostile.BILLION_LAUGHS, hostile.EXTERNAL], ids=["laughs", "external"])
def test_a_feed_that_defines_entities_is_refused(head: str) -> None:
    feed = f"{head}<rss version='2.0'><channel><title>&e;&l9;</title><item><title>One</title></item></channel></rss>"
    assert "defines its own XML entities" in get_refusal(feed.encode(), "feed.xml").message


def test_paths_that_lead_out_of_an_archive_lead_nowhere() -> None:
    parts = {
        **hostile.word_parts(),
        "../../../tmp/plumbline-slipped": b"out",
        "/etc/plumbline-slipped": b"out",
    }
    read_within_limits(hostile.pack_zip(parts), "a.docx")
    assert not os.path.exists("/tmp/plumbline-slipped")
    assert not os.path.exists("/etc/plumbline-slipped")


@pytest.mark.parametrize("depth", one_in(2, [50, 400, 5_000]))
def test_tables_inside_of_tables(depth: int) -> None:
    read_within_limits(hostile.word_of(hostile.nest_tables(depth)), "a.docx")
    lives_on()


def test_a_table_of_very_many_rows() -> None:
    row = "<w:tr>" + "<w:tc><w:p><w:r><w:t>12</w:t></w:r></w:p></w:tc>" * 10 + "</w:tr>"
    read_within_limits(hostile.word_of(f"<w:tbl>{row * 5_000}</w:tbl>"), "a.docx")
    lives_on()


def test_of_a_table_of_too_many_rows_it_says_how_many_were_read() -> None:
    read = read_within_limits(b"a,b\n" + b"1,2\n" * 60_000, "a.csv")
    assert isinstance(read, ReadDocument)
    assert read.notes == ("50,000 of 60,000 rows were read.",)


# Bytes


@pytest.mark.parametrize("tenths", one_in(4, range(1, 10)))
@pytest.mark.parametrize("kind", ["pdf", "docx", "html", "md"])
def test_what_was_cut_off_is_read_in_part_or_refused(kind: str, tenths: int) -> None:
    word = word_document()
    word.add_paragraph(hostile.ENGLISH)
    whole = {
        "pdf": pdf([prose(hostile.ENGLISH), prose(hostile.ENGLISH)]),
        "docx": save_document(word),
        "html": page(f"<main><h1>Guide</h1><p>{hostile.ENGLISH}</p></main>"),
        "md": f"# Guide\n\n{hostile.ENGLISH}".encode(),
    }[kind]
    read_within_limits(list(hostile.truncations(whole))[tenths - 1], f"cut.{kind}")


# Named by what they are: archives hold the time, and bytes with the time in them are no name.
@pytest.mark.parametrize(
    ("name", "data"),
    [pytest.param(name, data, id=what) for what, name, data in hostile.polyglots()],
)
def test_what_is_two_things_at_once_is_read_as_one_or_refused(name: str, data: bytes) -> None:
    result = read_within_limits(data, name)
    if isinstance(result, ReadDocument):
        assert "password must be long" in result.text
        assert "endobj" not in result.text


@pytest.mark.parametrize(
    "declared",
    ["utf-7", "utf-16", "utf-32", "idna", "punycode", "hex", "zlib", "rot13", "undefined"],
)
def test_a_page_that_lies_about_its_charset_is_read(declared: str) -> None:
    data = page(f"<p>{hostile.ENGLISH}</p>", head=f"<meta charset='{declared}'>").replace(
        b"guess", b"gue\xdf"
    )
    assert "password must be long" in read(data, "a.html").text


@pytest.mark.parametrize("odd", ["\0", "\ud800", "\udfff\ud800", "\ufffe\uffff", "\x1b[2J", "\x08\x7f"])
def test_characters_that_no_row_can_hold_are_left_out(odd: str) -> None:
    body = hostile.ENGLISH.replace("password", f"pass{odd}word", 1)
    for name, data in (
        ("a.txt", body.encode("utf-8", "surrogatepass")),
        ("a.html", f"<html><body><p>{body}</p></body></html>".encode("utf-8", "surrogatepass")),
    ):
        text = read(data, name).text
        text.encode()
        assert not set(text) & set("\0\x08\x1b\x7f\ufffe\uffff")


def test_a_pdf_whose_letters_have_no_meaning_gives_no_nonsense_characters() -> None:
    data = pdf([prose(hostile.ENGLISH)], meaning=dict.fromkeys("abcdefghijklmnopqrstuvwxyz", "\x00"))
    result = read_within_limits(data, "a.pdf")
    if isinstance(result, ReadDocument):
        result.text.encode()
        assert "\0" not in result.text


def test_encrypted_documents_say_so() -> None:
    assert get_refusal(pdf([prose(hostile.ENGLISH)], encrypted=True), "a.pdf").code == "encrypted"
    assert get_refusal(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 2_000, "a.docx").code == "unsupported"
