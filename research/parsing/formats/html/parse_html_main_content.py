"""Extraction of a web page's main content, and removal of the boilerplate in it."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator
from itertools import islice

import justext.core  # type: ignore[import-untyped]
import trafilatura
import trafilatura.external
from lxml import html
from lxml.etree import _Element

from research.parsing.clean_text import squash
from research.parsing.formats.html.parsed_html_tree import elements, is_element, words

_BOILERPLATE = re.compile(
    r"(?:^|[\s_-])(?:breadcrumbs?|share|sharing|social|related|cookies?|newsletter|sidebar|toc|toctree-wrapper|pagination|"
    r"pager|skip-?(?:link|nav|to-\w+)|site-footer|usa-banner|rst-footer-buttons|sphinxsidebar|md-source-file|"
    r"headerlink|linenos|edit-?(?:page|section|link)s?|jump-link|cite-backlink|catlinks|printfooter|feedback|"
    r"advert(?:isement)?|navbar|nav-links?)(?:$|[\s_-])",
    re.I,
)
_BRACKETED = re.compile(r"\[([^\[\]]{2,60})\]")
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_MAIN = (
    "//*[@itemprop='articleBody']", "//article", "//main", "//*[@role='main']",
    "//div[contains(concat(' ', normalize-space(@class), ' '), ' document ')]",
)  # fmt: skip
# trafilatura falls back on justext, which would copy the 154,000 lower-case words of its lists into a set of its own.
trafilatura.external.JT_STOPLIST = frozenset(trafilatura.external.jt_stoplist_init())  # type: ignore[assignment]
justext.core.define_stoplist = frozenset  # which returns a frozenset as it is
_WITNESS_SHARE = 0.9
_MAX_BOILERPLATE_SHARE = 0.3


def words_in(element: _Element) -> int:
    return len(words(element).split())


def main_element(body: _Element) -> _Element:
    """Return the smallest element with the page's content, by its markup or by what trafilatura extracts."""
    for candidate in _find_marked_candidates(body):
        return candidate
    return _element_of_kept_text(body)


def drop_boilerplate(main: _Element) -> None:
    """Remove navigation inside the content: named parts, in-page tables of contents, link-only asides and
    footers.
    """
    total = words_in(main)
    for element in list(main.iter()):
        if element is main or not is_element(element):
            continue
        if _is_boilerplate(element, total):
            _drop(element)


def _is_boilerplate(element: _Element, total: int) -> bool:
    name = f"{element.get('class', '')} {element.get('id', '')}"
    if element.tag == "a":
        return _is_heading_anchor(element)
    if element.tag in ("sup", "small", "span") and _is_remark_of_editors(element):
        return True
    if element.get("role") in ("navigation", "search", "contentinfo", "banner"):
        return True
    if element.tag in ("ul", "ol") and _is_page_contents(element):
        return True
    if element.tag in ("footer", "aside"):
        return _link_share(element) > 0.5 or (element.tag == "footer" and words_in(element) < 40)
    named = element.tag in ("div", "ul", "section", "td", "p", "span") and _BOILERPLATE.search(name)
    return bool(named) and words_in(element) <= total * _MAX_BOILERPLATE_SHARE


def _is_remark_of_editors(element: _Element) -> bool:
    """Return True for words in square brackets that speak of the page: a link to edit a heading, a raised "[when?]".

    A mark of a note leads to a place of the page, or is a letter or a number.
    """
    if element.tag != "sup" and not any(
        parent.tag in _HEADINGS for parent in islice(element.iterancestors(), 3)
    ):
        return False
    said = _BRACKETED.fullmatch(squash(words(element)))
    if said is None or any((link.get("href") or "").startswith("#") for link in element.iter("a")):
        return False
    has_words = len(re.findall(r"[^\W\d_]", said[1])) > 2
    if element.tag != "sup":
        return has_words and _link_share(element) > 0.5
    return has_words and (not re.search(r"\d", said[1]) or len(said[1].split()) > 2)


def _is_heading_anchor(anchor: _Element) -> bool:
    return squash(words(anchor)) in ("¶", "#", "§", "🔗", "\uf0c1", "permalink")


def _is_page_contents(links: _Element) -> bool:
    """Return True for a list whose links lead to other places on the same page."""
    targets = [a.get("href", "") for a in links.iter("a")]
    return (
        len(targets) >= 3 and all(target.startswith("#") for target in targets) and _link_share(links) > 0.8
    )


def _link_share(element: _Element) -> float:
    linked = sum(words_in(a) for a in element.iter("a"))
    return linked / max(1, words_in(element))


def _find_marked_candidates(body: _Element) -> Iterator[_Element]:
    # Several articles on one page are teasers or comments: then their common parent is the content.
    least = max(20, words_in(body) // 5)
    for path in _MAIN:
        found = [element for element in elements(body, path) if words_in(element) >= least]
        if len(found) == 1:
            yield found[0]


def _element_of_kept_text(body: _Element) -> _Element:
    kept = _find_trafilatura_texts(body)
    marked = [(element, len(text)) for element, text in _text_blocks(body) if text in kept]
    wanted = sum(length for _, length in marked) * _WITNESS_SHARE
    if not wanted or wanted < 0.4 * len(squash(words(body))):
        return body
    return _smallest_holding(body, marked, wanted)


def _find_trafilatura_texts(body: _Element) -> set[str]:
    page = html.Element("html")  # trafilatura reads elements of lxml.html only
    page.append(copy.deepcopy(body))
    document = trafilatura.bare_extraction(
        page, favor_recall=True, include_comments=False, include_tables=True, with_metadata=False
    )
    kept = getattr(document, "body", None)
    if kept is None:
        return set()
    return {text for _, text in _text_blocks(kept)}


def _text_blocks(root: _Element) -> Iterator[tuple[_Element, str]]:
    for element in root.iter(
        "p", "li", "item", "td", "cell", "h1", "h2", "h3", "h4", "head", "pre", "code", "dd"
    ):
        text = squash(words(element))
        if len(text) >= 25:
            yield element, text


def _smallest_holding(body: _Element, marked: Iterable[tuple[_Element, int]], wanted: float) -> _Element:
    held: dict[_Element, int] = {}
    for element, length in marked:
        for ancestor in element.iterancestors():
            held[ancestor] = held.get(ancestor, 0) + length
    best = body
    for element in body.iter():
        if held.get(element, 0) >= wanted:
            best = element  # document order: the last one with enough text is the deepest
    return best


def _drop(element: _Element) -> None:
    """Remove an element and keep the text that follows it."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        previous = element.getprevious()
        if previous is not None:
            previous.tail = (previous.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)
