"""The HTML file, as a reader goes: from each badge in the text to its popover, and what is cited there."""

import re

from lxml import html

from tests.exports.reading import Pair

_LABEL = re.compile(r"\[(\d+)\]")


def pairs_of(data: bytes) -> frozenset[Pair]:
    page = html.document_fromstring(data, parser=html.HTMLParser(encoding="utf-8"))
    targets = {badge.get("popovertarget") for badge in page.find_class("badge")}
    return frozenset(
        (int(target.removeprefix("evidence-")), int(_LABEL.fullmatch(label.text)[1]))
        for target in targets
        for label in page.get_element_by_id(target).find_class("label")
    )
