"""Converts text to UTF-8 whose charset is declared only by its server or its first line.

The HTML reader detects others.
"""

import codecs
import re
from collections.abc import Mapping

_DECLARED = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{2,40})", re.IGNORECASE)
_XML = re.compile(rb"\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{2,40})", re.IGNORECASE)
_META = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w.:-]{2,40})", re.IGNORECASE)
_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")
# Charsets that these names mean in practice (https://encoding.spec.whatwg.org/#names-and-labels).
_MEANT = {
    "iso8859-1": "cp1252", "ascii": "cp1252", "iso8859-9": "cp1254", "tis-620": "cp874", "iso8859-11": "cp874",
    "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "utf-16": "utf-16-le",
}  # fmt: skip

# Codecs that are text to Python but never the charset of a page: some would turn the text into another.
_NO_CHARSETS = {
    "unicode_escape",
    "raw_unicode_escape",
    "utf_7",
    "idna",
    "punycode",
    "undefined",
    "mbcs",
    "oem",
}


def charset(headers: Mapping[str, str]) -> str:
    """Return the charset declared in the headers, by its name in Python; "" if missing or unknown."""
    match = _DECLARED.search(headers.get("content-type", ""))
    return _find_codec_name(match[1]) if match else ""


def as_utf8(body: bytes, declared: str) -> bytes:
    """Return the text in UTF-8; `declared` is the server's charset.

    If no charset fits, the bytes are unchanged.
    """
    if body.startswith(_MARKS) or _is_utf8(body):
        return body
    for name in (declared, *_own_names(body)):
        try:
            if name:
                return body.decode(_MEANT.get(name, name), "strict").encode("utf-8")
        except (UnicodeError, LookupError):
            continue
    return body


def _is_utf8(body: bytes) -> bool:
    """Return True for UTF-8.

    UTF-16 of a western language is valid UTF-8 full of NULs, so NULs rule it out.
    """
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\0" not in body[:1_024]


def _own_names(body: bytes) -> list[str]:
    found = (_XML.match(body[:400]), _META.search(body[:4_096]))
    return [_find_codec_name(match[1].decode("ascii", "replace")) for match in found if match]


def _find_codec_name(name: str) -> str:
    try:
        known = codecs.lookup(name).name
    except (LookupError, UnicodeError):
        return ""
    return "" if known.replace("-", "_") in _NO_CHARSETS else known
