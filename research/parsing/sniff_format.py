"""Detects the type of a document from its bytes, and decodes them as text.

The name only decides between text types.
"""

from __future__ import annotations

import codecs
import io
import re
import zipfile
from pathlib import PurePath

import puremagic
from charset_normalizer import from_bytes
from charset_normalizer.constant import IANA_SUPPORTED

from research.parsing.parsed_media_types import CSV, DOCX, FEED, HTML, MARKDOWN, PDF, PLAIN, RST, XLSX, is_pdf
from research.runtime.sandbox.sandbox_read_error import ReadError

_BY_SUFFIX = {
    ".htm": HTML, ".html": HTML, ".xhtml": HTML, ".md": MARKDOWN, ".markdown": MARKDOWN,
    ".rss": FEED, ".atom": FEED, ".csv": CSV, ".tsv": CSV, ".rst": RST, ".txt": PLAIN, ".text": PLAIN, "": PLAIN,
}  # fmt: skip
READABLE_SUFFIXES = frozenset({*_BY_SUFFIX, ".pdf", ".docx", ".xlsx"} - {""})
TEXTS_WITHOUT_SUFFIX = frozenset("README NEWS CHANGELOG ChangeLog CHANGES HISTORY FAQ".split())

_MAX_UNPACKED_RATIO = 100
_MAX_UNPACKED_BYTES = 200_000_000
_MAX_ENTRIES = 2_000
_ARCHIVES = (".zip", ".docx", ".jar", ".gz", ".7z", ".rar", ".xz", ".bz2", ".tar")
_OFFICE_PARTS = {
    "word/document.xml": DOCX,
    "xl/workbook.xml": XLSX,
}  # the part that identifies an archive as such a document
_HTML_START = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)
_XML_HEAD = (
    rb"\s*(?:<\?[^>]{0,500}\?>\s*|<!--(?:(?!-->).){0,2000}-->\s*"
    rb"|<!DOCTYPE[^>\[]{0,500}(?:\[[^\]]{0,2000}\]\s*)?>\s*)*"
)
_FEED_START = re.compile(_XML_HEAD + rb"<(?:\w{1,20}:)?(?:rss|feed|rdf)\b", re.I | re.S)
_JSON_FEED = re.compile(rb"\s*\{.{0,2000}?https?://jsonfeed\.org/version/", re.I | re.S)
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([a-z0-9_:.-]{3,40})", re.I)
_WESTERN = frozenset("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüŒœ€‚„…‘’“”–—\u00a0¡§©«°²³·»¿")
_MAX_ACCENTED = 0.3  # of the letters; Cyrillic and Greek, misread so, consist of accented letters only
# Charsets of texts other than UTF-8, as in browsers (encoding.spec.whatwg.org), without those of DOS.
_STILL_WRITTEN = [
    *(f"cp{number}" for number in (874, 1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258)),
    *(f"iso8859_{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    *(
        "koi8_r",
        "koi8_u",
        "cp866",
        "mac_roman",
        "gb18030",
        "big5hkscs",
        "euc_jp",
        "shift_jis",
        "cp932",
        "euc_kr",
        "cp949",
    ),
]
_LOOKED_AT = 65_536  # bytes, a multiple of four
# Charset, bytes per character, index of the low byte, and of those that are zero in Latin text or, in UTF-32,
# in any.
_WIDE = (
    ("utf-32-le", 4, 0, (2, 3)), ("utf-32-be", 4, 3, (0, 1)), ("utf-16-le", 2, 0, (1,)), ("utf-16-be", 2, 1, (0,)),
)  # fmt: skip
_MIN_ZEROS = (
    0.1  # of UTF-16's high bytes: spaces and punctuation, if all words are in a script other than Latin
)
_CONTROLS = bytes(
    (*range(0, 8), *range(14, 27), *range(28, 32))
)  # not backspaces, which printed manuals have


def sniff(data: bytes, name: str) -> str:
    """Return the actual media type of `data`. Raises ReadError if it cannot be read as text."""
    if not data.strip(b"\0 \t\r\n\x0c"):
        raise ReadError("empty", f"“{name}” is empty.")
    if is_pdf(data):
        return PDF
    if data[:4] == b"PK\x03\x04":
        return _sniff_zip(data, name)
    if data[:4] == b"PK\x05\x06":
        raise ReadError("empty", f"“{name}” is an empty archive.")
    _refuse_binary(data, name)
    if _FEED_START.match(_without_mark(data[:8192])) or is_json_feed(data):
        return FEED
    if _HTML_START.match(data[:4096]):
        return HTML
    return _by_name(name)


def is_json_feed(data: bytes) -> bool:
    return _JSON_FEED.match(_without_mark(data[:4096]).replace(rb"\/", b"/")) is not None


def _without_mark(data: bytes) -> bytes:
    return data.removeprefix(b"\xef\xbb\xbf")


_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip


def decode(data: bytes, name: str, *, is_html: bool = False) -> str:
    """Return the bytes as text (`decode_text`), without the charset."""
    return decode_text(data, name, is_html=is_html)[0]


def decode_text(data: bytes, name: str, *, is_html: bool = False) -> tuple[str, str]:
    """Decode by byte-order mark, zeros (UTF-16, UTF-32), UTF-8, the declared charset, or the likeliest one.

    Return the text, and the charset if it was guessed from the bytes, else "".
    """
    for mark, charset in _MARKS:
        if data.startswith(mark):
            return data.decode(charset, "replace"), ""
    if wide := wide_charset(data):
        return data.decode(wide, "replace"), wide
    declared = _META_CHARSET.search(data[:4096]) if is_html else None
    for charset in ("utf-8", *([declared[1].decode("ascii")] if declared else [])):
        if charset == "utf-8" or _is_believed(charset):
            try:
                return data.decode(charset), ""
            except UnicodeError:
                continue
    return _decode_guessing(data, name)


def wide_charset(data: bytes) -> str:
    """Return the charset of UTF-16 or UTF-32 without a byte-order mark; "" for any other.

    Spaces, digits and line breaks have zeros in all but one of their bytes, whatever the script of the words.
    """
    sample = data[:_LOOKED_AT]
    if 0 not in sample:
        return ""
    for charset, width, low, high in _WIDE:
        zeros = [sample[at::width].count(0) * width / len(sample) for at in range(width)]
        least = _MIN_ZEROS if width == 2 else 0.9
        if (
            zeros[low] < _MIN_ZEROS / 4
            and min(zeros[at] for at in high) > least
            and _is_text(sample, charset)
        ):
            return charset
    return ""


def describe_charset(charset: str) -> tuple[str, ...]:
    """Return a note for readers on the charset that `decode_text` guessed; none if it was declared."""
    known = charset.upper().replace("_", "-")
    shown = f"Windows-{known[2:]}" if known.startswith("CP125") else known
    return (f"The file does not say its character set; it was read as {shown}.",) if charset else ()


def _is_text(data: bytes, charset: str) -> bool:
    """Return True if the bytes are text in the charset: valid, and with hardly any control characters."""
    try:
        text = codecs.getincrementaldecoder(charset)().decode(data)
    except UnicodeError:
        return False
    odd = sum(not (character.isprintable() or character.isspace()) for character in text)
    return odd * 100 <= len(text)


def _is_believed(charset: str) -> bool:
    """Return True if a declared charset can be right: the declaration's ASCII rules out wide ones."""
    try:
        found = codecs.lookup(charset).name.replace("-", "_")
    except LookupError:
        return False
    return found in IANA_SUPPORTED and not found.startswith(("utf_16", "utf_32", "utf_7"))


def _decode_guessing(data: bytes, name: str) -> tuple[str, str]:
    # A few invalid bytes in a UTF-8 file are damage, not another charset.
    repaired = data.decode("utf-8", "replace")
    if repaired.count("\ufffd") <= len(data) // 1000 and any(byte > 0x7F for byte in data[:100_000]):
        wrong = repaired.count("\ufffd")
        if wrong * 4 < sum(character > "\x7f" for character in repaired):
            return repaired, ""
    if (western := _as_western(data)) is not None:
        return western, "cp1252"
    best = from_bytes(data[:200_000], cp_isolation=_STILL_WRITTEN).best()
    if best is None:
        raise ReadError("unreadable", f"“{name}” is not text in a supported character set.")
    return data.decode(best.encoding, "replace"), best.encoding


def _as_western(data: bytes) -> str | None:
    """Decode Windows-1252, which spreadsheets write, if a few letters among many are Western European; else
    None.

    Letter statistics need more text than a list of names has: they take “Österreich” for Lithuanian.
    """
    try:
        text = data.decode("cp1252")
    except UnicodeError:
        return None
    high = {letter for letter in text if letter > "\x7f"}
    letters = sum(map(str.isalpha, text))
    few = sum(letter > "\x7f" and letter.isalpha() for letter in text) <= _MAX_ACCENTED * letters
    is_central = len(high & set("ìøò")) > 1 or {"õ", "û"} <= high  # ě, ř, ň and ő, ű of Windows-1250
    return text if few and high <= _WESTERN and not is_central else None


def _sniff_zip(data: bytes, name: str) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
        raise ReadError(
            "truncated", f"“{name}” is damaged or was cut off: its archive cannot be opened."
        ) from error
    _refuse_bomb(entries, len(data), name)
    names = {entry.filename for entry in entries}
    kinds = [kind for part, kind in _OFFICE_PARTS.items() if part in names]
    if not kinds:
        raise ReadError("unsupported", f"“{name}” is an archive, not a document that can be read here.")
    if any(entry.flag_bits & 1 for entry in entries):
        raise ReadError("encrypted", f"“{name}” is protected by a password.")
    return kinds[0]


def _refuse_bomb(entries: list[zipfile.ZipInfo], packed: int, name: str) -> None:
    unpacked = sum(entry.file_size for entry in entries)
    if len(entries) > _MAX_ENTRIES or unpacked > min(packed * _MAX_UNPACKED_RATIO, _MAX_UNPACKED_BYTES):
        raise ReadError("too_large", f"“{name}” is too large when unpacked.")
    if any(entry.filename.lower().endswith(_ARCHIVES) for entry in entries):
        raise ReadError("unsupported", f"“{name}” holds another archive.")


def _refuse_binary(data: bytes, name: str) -> None:
    if data.startswith(tuple(mark for mark, _ in _MARKS)) or wide_charset(data):
        return
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise ReadError(
            "unsupported", f"“{name}” is an old or encrypted Office file; save it as DOCX without password."
        )
    sample = data[:_LOOKED_AT]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    if controls * 100 > len(sample) * 2 or sample.count(0) > 4:
        raise ReadError(
            "unsupported", f"“{name}” is {_binary_name(sample)}, not a document that can be read here."
        )


def _binary_name(sample: bytes) -> str:
    try:
        kind = puremagic.from_string(sample, mime=True)
    except (puremagic.PureError, ValueError):
        kind = ""
    return f"binary data ({kind})" if kind else "binary data"


def _by_name(name: str) -> str:
    suffix = PurePath(name.lower().partition("?")[0]).suffix
    if suffix in (".pdf", ".docx", ".xlsx"):
        kind = suffix[1:].upper()
        raise ReadError(
            "unreadable", f"“{name}” has the extension {kind}, but its content is something else."
        )
    return _BY_SUFFIX.get(suffix, PLAIN)
