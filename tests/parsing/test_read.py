from __future__ import annotations

import io
import zipfile

import pytest

from research.parsing.parse_document import read
from research.parsing.parsed_document import BlockKind
from research.parsing.sniff_format import decode
from research.runtime.sandbox.sandbox_read_error import MAX_BYTES, ReadError
from tests.parsing.documents import page, pdf, prose, save_document, word_document

ENGLISH = (
    "The password must be long enough that nobody can guess it, and it should be easy to remember for you. "
)


def zip_files(**files: bytes) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), content)
    return written.getvalue()


def word_data() -> bytes:
    word = word_document()
    word.add_paragraph(ENGLISH)
    return save_document(word)


@pytest.mark.parametrize(
    ("data", "name", "media_type"),
    [
        (pdf([prose(ENGLISH)]), "guide.pdf", "application/pdf"),
        (pdf([prose(ENGLISH)]), "guide.txt", "application/pdf"),
        (page(f"<p>{ENGLISH}</p>"), "guide.html", "text/html"),
        (page(f"<p>{ENGLISH}</p>"), "guide", "text/html"),
        (
            word_data(),
            "guide.docx",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ),
        (word_data(), "guide.bin", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        (f"# Guide\n\n{ENGLISH}".encode(), "guide.md", "text/markdown"),
        (f"Guide\n=====\n\n{ENGLISH}".encode(), "guide.rst", "text/x-rst"),
        (ENGLISH.encode(), "GUIDE.TXT", "text/plain"),
        (b"a,b\n1,2\n", "table.csv", "text/csv"),
    ],
)
def test_the_bytes_decide_what_a_document_is(data: bytes, name: str, media_type: str) -> None:
    assert read(data, name).media_type == media_type


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"", "a.txt", "empty"),
        (b" \n\t\0", "a.md", "empty"),
        (page("<script>x()</script>"), "a.html", "empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8, "a.md", "unsupported"),
        (bytes(range(256)) * 40, "a.txt", "unsupported"),
        (ENGLISH.encode(), "a.pdf", "unreadable"),
        (ENGLISH.encode(), "a.docx", "unreadable"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 900, "a.doc", "unsupported"),
        (word_data()[:2000], "a.docx", "truncated"),
        (zip_files(readme=b"x"), "a.docx", "unsupported"),
        (zip_files(word__document_xml=b"x", inner=b"PK") + b"", "a.docx", "unreadable"),
        (zip_files(word__document_xml=b"<a/>" * 2_000_000), "a.docx", "too_large"),
        (zip_files(**{f"part{n}": b"" for n in range(2_001)}), "a.docx", "too_large"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, name: str, code: str) -> None:
    with pytest.raises(ReadError) as error:
        read(data, name)
    assert error.value.code == code
    assert name in error.value.message


def test_a_document_within_an_archive_within_a_document_is_refused() -> None:
    data = zip_files(word__document_xml=b"x", **{"more.zip": b"PK"})
    with pytest.raises(ReadError, match="another archive"):
        read(data, "a.docx")


def test_a_huge_file_is_refused_before_it_is_parsed() -> None:
    with pytest.raises(ReadError) as error:
        read(b"x" * (MAX_BYTES + 1), "huge.txt")
    assert error.value.code == "too_large"


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_text_in_common_charsets_is_decoded(charset: str) -> None:
    german = "Das Paßwort muß groß genug sein, daß es niemand errät; Zoë hört zu und prüft die Größe. " * 3
    assert "Paßwort muß groß" in read(german.encode(charset), "a.txt").text


def test_a_few_broken_bytes_do_not_spoil_a_utf8_file() -> None:
    data = ("Größe und Länge. " * 200).encode() + b"\xff" + b" Ende."
    assert "Größe und Länge." in read(data, "a.txt").text


def test_nul_and_control_characters_are_removed() -> None:
    assert read(ENGLISH.encode() + b"A pass\x00word\x07.", "a.txt").text.endswith("A password.")


def test_the_language_is_found() -> None:
    assert read((ENGLISH * 3).encode(), "a.txt").language == "en"


def test_words_are_counted() -> None:
    assert read(b"Four words stand here.", "a.txt").word_count == 4


def test_blocks_are_slices_in_order_that_hold_all_the_text() -> None:
    document = read(f"# Guide\n\n{ENGLISH}\n\n- one\n- two\n".encode(), "a.md")
    pieces = [document.text[block.start : block.end] for block in document.blocks]
    assert "".join("".join(pieces).split()) == "".join(document.text.split())
    assert all(a.end <= b.start for a, b in zip(document.blocks, document.blocks[1:], strict=False))
    assert document.blocks[0].kind is BlockKind.HEADING


def test_reading_twice_gives_the_same_document() -> None:
    data = page(f"<main><h1>Guide</h1><p>{ENGLISH}</p></main>")
    assert read(data, "a.html") == read(data, "a.html")


def test_an_empty_archive_is_empty() -> None:
    with pytest.raises(ReadError) as error:
        read(b"PK\x05\x06" + bytes(18), "a.docx")
    assert error.value.code == "empty"


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("cp1252", "Österreich\nTürkei\nCôte d’Ivoire\nRéunion"),
        ("cp1252", "Zürich\nGenève"),
        ("cp1252", "España\nPerú\nMéxico"),
        ("cp1252", "København\nMalmö"),
        ("cp1250", "České Budějovice\nPlzeň\nDvořák"),
        ("cp1250", "Győr\nSzűcs"),
        ("cp1251", "Россия"),
        ("gb18030", "北京\n上海\n广州"),
    ],
)
def test_a_short_list_of_names_is_decoded_as_it_was_written(charset: str, text: str) -> None:
    assert decode(text.encode(charset), "list.txt") == text


def test_a_page_is_decoded_by_the_charset_that_it_declares() -> None:
    data = f"<html><head><meta charset=koi8-r></head><body><p>{'Пароли. ' * 30}</p></body></html>"
    assert read(data.encode("koi8-r"), "a.html").text.startswith("Пароли.")


def test_an_encrypted_archive_is_named_as_such() -> None:
    data = bytearray(zip_files(word__document_xml=b"x"))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(ReadError) as error:
        read(bytes(data), "a.docx")
    assert error.value.code == "encrypted"
