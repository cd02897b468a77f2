"""Typed queries on an HTML tree; lxml's own xpath() may return anything."""

from __future__ import annotations

from lxml import etree
from lxml.etree import _Element


def elements(root: _Element, path: str) -> list[_Element]:
    found = root.xpath(path)
    return [item for item in found if isinstance(item, _Element)] if isinstance(found, list) else []


def values(root: _Element, path: str) -> list[str]:
    """Return attribute values or texts."""
    found = root.xpath(path)
    return [str(item) for item in found if isinstance(item, str)] if isinstance(found, list) else []


def words(element: _Element) -> str:
    """Return all text inside an element, unchanged."""
    return etree.tostring(element, method="text", encoding="unicode", with_tail=False)


def is_element(node: _Element) -> bool:
    """Return True for an element; comments and processing instructions are nodes whose tag is a function."""
    tag: object = node.tag
    return isinstance(tag, str)
