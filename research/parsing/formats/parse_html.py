"""Reads web pages: the main content as typed blocks, and the page's own metadata."""

from __future__ import annotations

import copy
import re

from lxml import etree
from lxml.etree import _Element

from research.parsing.formats.hidden_characters import note_carriers
from research.parsing.formats.html.parse_html_blocks import HtmlFlow, find_notes
from research.parsing.formats.html.parse_html_main_content import drop_boilerplate, main_element
from research.parsing.formats.html.parse_html_metadata import metadata
from research.parsing.formats.html.parse_shown_html_values import show_values
from research.parsing.formats.html.parsed_html_tree import values, words
from research.parsing.formats.html.remove_hidden_html import prune
from research.parsing.formats.html.script_shells import is_script_shell
from research.parsing.frozen_text_builder import TextBuilder
from research.parsing.hidden_text import DroppedLog
from research.parsing.parsed_document import ReadDocument
from research.parsing.parsed_media_types import HTML
from research.parsing.sniff_format import decode
from research.runtime.sandbox.sandbox_read_error import ReadError

# An XML declaration names a charset, which lxml refuses in text that is already decoded.
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")


def read_html(data: bytes, name: str) -> ReadDocument:
    root, log = parse(decode(data, name, is_html=True), name), DroppedLog()
    json_ld = values(root, "//script[@type='application/ld+json']/text()")
    show_values(_body(root, name))
    prune(_body(root, name), log)
    note_carriers(words(_body(root, name)), log)
    main = copy.deepcopy(main_element(_body(root, name)))
    drop_boilerplate(main)
    builder = TextBuilder()
    HtmlFlow(builder, find_notes(_body(root, name))).read(main)
    if is_script_shell(data, builder.text):
        raise ReadError(
            "empty",
            f"“{name}” shows its text only in a browser that runs JavaScript. Save it there as a PDF, and upload that.",
        )
    about = metadata(root, main, json_ld)
    return ReadDocument(
        text=builder.text, media_type=HTML, title=about.title, author=about.author, published=about.published,
        modified=about.modified, site_name=about.site_name, url=about.url, language=about.language,
        blocks=tuple(builder.blocks), tables=tuple(builder.tables), has_paywall=about.has_paywall,
        syndicated_from=about.syndicated_from,
        dropped=log.entries,
    )  # fmt: skip


def parse(text: str, name: str) -> _Element:
    """Return the page's tree. Raises ReadError if there is none, or it has more than 2,048 levels."""
    # huge_tree lifts libxml2's limit of 256 levels, beyond which it silently drops content. Elements are of lxml's own
    # class: those of lxml.html are looked up by Python code each time that an element is visited.
    parser = etree.HTMLParser(remove_pis=True, no_network=True, huge_tree=True)
    try:
        root = etree.fromstring(_XML_DECLARATION.sub("", text.replace("\0", "")), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise ReadError("unreadable", f"“{name}” contains no readable web page.") from error
    if root is None:
        raise ReadError("unreadable", f"“{name}” contains no readable web page.")
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        raise ReadError("unreadable", f"“{name}” is nested too deeply to be read.")
    return root


def _body(root: _Element, name: str) -> _Element:
    body = root.find("body")
    if body is None:
        raise ReadError("empty", f"“{name}” is a web page without content.")
    return body
