"""Parse a tool's result into hits from typed content, JSON texts, or plain text with links, as servers differ."""

import json
import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from mcp_types import CallToolResult, EmbeddedResource, ResourceLink, TextContent, TextResourceContents

from config.mcp_server_settings import McpTool, ResultFields
from research.fetching.canonical_urls import canonical_url
from research.models import SourceType
from research.parsing.clean_text import clean
from research.parsing.lenient_json import Json, read_json
from research.search.providers.scholarly_search_results import plain
from research.search.search_hits import day, hit
from research.search.search_protocol import SearchHit

MAX_TEXT = 2_000_000  # characters of all texts together
DEEPEST = 6  # levels of nesting that are searched for a list of results
_URL = ("url", "html_url", "link", "href", "web_url", "uri")
_TITLE = ("title", "full_name", "name", "headline", "path")
_SNIPPET = ("description", "snippet", "summary", "abstract", "content", "text", "body")
_PUBLISHED = ("published", "published_date", "publishedDate", "date", "page_age", "pushed_at", "updated_at")
_LINK = re.compile(r"\[([^\[\]\n]{1,500})\]\((https?://[^\s()<>]+)\)")
_MARK = re.compile(r"\s*(?:\d{1,3}[.)]|[-*#]+)")  # the mark of the next list item
_BARE = re.compile(r"https?://[^\s()<>\"'\]]+")
_LINE = re.compile(r"[\s*#-]*(title|name|url|link|description|snippet|summary)\W*:\s*(.+)", re.IGNORECASE)
_NOTHING = re.compile(r"\bno\b.{0,30}\b(?:results?|matches|items|found)\b|\bnothing found\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ParsedResults:
    """The hits of a result. `unreadable`: the number of results without a URL."""

    hits: tuple[SearchHit, ...]
    unreadable: int = 0


def read(result: CallToolResult, tool: McpTool) -> ParsedResults:
    found = [hit for result_object in _results(result, tool) for hit in [_hit(result_object, tool)]]
    hits = tuple(hit for hit in found if hit is not None)
    return ParsedResults(hits, len(found) - len(hits))


def text_of(result: CallToolResult) -> str:
    """Return the text of a tool's result, cleaned."""
    texts = (block.text for block in result.content if isinstance(block, TextContent))
    return clean("\n".join(texts)[:MAX_TEXT])


def file_text(result: CallToolResult) -> str:
    """Return the text of a file that a tool has read, cleaned; "" if there is none.

    GitHub's server sends it as a resource beside a remark; others as text, or in base64 as GitHub's API
    does.
    """
    for block in result.content:
        if isinstance(block, EmbeddedResource) and isinstance(block.resource, TextResourceContents):
            return clean(block.resource.text[:MAX_TEXT])
    text = text_of(result)
    given = read_json(text) if text.lstrip().startswith("{") else None
    if isinstance(given, dict) and isinstance(content := given.get("content"), str):
        if given.get("encoding") != "base64":
            return clean(content)
        with suppress(ValueError):
            return clean(b64decode(content).decode("utf-8", "replace"))
        return ""
    return text


def says_nothing_found(result: CallToolResult) -> bool:
    """Return True if nothing was found, which some servers report as an error."""
    text = text_of(result)
    return len(text) < 300 and _NOTHING.search(text) is not None


def _results(result: CallToolResult, tool: McpTool) -> Iterator[dict[str, Json]]:
    """Yield the typed results if there are any, else those in links and texts: servers often repeat results in both."""
    if result.structured_content is not None:
        typed = list(_find_results(_as_json(result.structured_content), tool.results))
        if typed:
            yield from typed
            return
    left = MAX_TEXT
    for block in result.content:
        if isinstance(block, ResourceLink):
            yield {
                "url": str(block.uri),
                "title": block.title or block.name,
                "description": block.description,
            }
        elif isinstance(block, TextContent) and left > 0:
            yield from _in_text(block.text[:left], tool.results)
            left -= len(block.text)


def _as_json(value: object) -> Json:
    """Return the value as JSON with cleaned texts; None if it is not valid."""
    try:
        return read_json(json.dumps(value))
    except (ValueError, RecursionError):
        return None


def _in_text(text: str, way: str) -> Iterator[dict[str, Json]]:
    try:
        value = read_json(text)
    except ValueError:
        yield from _in_words(clean(text))
    else:
        yield from _find_results(value, way)


def _find_results(value: Json, way: str) -> Iterator[dict[str, Json]]:
    """Yield the results at the configured path, else the first list of objects with addresses, or the object itself."""
    for name in filter(None, way.split(".")):
        value = value.get(name) if isinstance(value, dict) else None
    found = value if way and isinstance(value, list) else _first_list(value)
    yield from (item for item in found if isinstance(item, dict))


def _first_list(value: Json) -> Sequence[Json]:
    level: list[Json] = [value]
    for _ in range(DEEPEST):
        for item in level:
            if isinstance(item, list) and any(isinstance(each, dict) and _address(each) for each in item):
                return item
            if isinstance(item, dict) and _address(item):
                return [item]
        level = [inner for item in level for inner in _inner(item)]
    return ()


def _inner(value: Json) -> Sequence[Json]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else ()


def _hit(item: dict[str, Json], tool: McpTool) -> SearchHit | None:
    fields: ResultFields = tool.fields
    url = _text(item, fields.url, _URL)
    if not canonical_url(url):
        return None
    published = _text(item, fields.published, _PUBLISHED)
    return hit(
        url,
        plain(_title(item, fields.title)),
        plain(_text(item, fields.snippet, _SNIPPET)),
        day(published),
        SourceType.CODE if tool.types == {"code"} else None,
        has_code="code" in tool.types,
    )


def _title(item: dict[str, Json], field: str) -> str:
    """Return the title of a result; for a file in a repository, both names."""
    repository, path = item.get("repository"), item.get("path")
    if not field and isinstance(repository, dict) and isinstance(path, str):
        return f"{repository.get('full_name') or ''}: {path}".removeprefix(": ")
    return _text(item, field, _TITLE)


def _address(item: dict[str, Json]) -> str:
    return _text(item, "", _URL)


def _text(item: dict[str, Json], field: str, usual: Sequence[str]) -> str:
    for name in [field] if field else usual:
        value = item.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def _without_mark(text: str) -> str:
    """Remove a list mark at the end, matched on the last line alone: a pattern over line breaks would backtrack."""
    before, _newline, last = text.rstrip().rpartition("\n")
    return before.rstrip() if _MARK.fullmatch(last) else text.rstrip()


def _in_words(text: str) -> Iterator[dict[str, Json]]:
    """Yield the results in a plain text: paragraphs "Title: … URL: …", else Markdown links, else bare addresses."""
    told = [found for part in re.split(r"\n\s*\n|\n-{3,}\n", text) if (found := _parse_paragraph(part))]
    if told:
        yield from told
        return
    links = list(_LINK.finditer(text))
    for at, link in enumerate(links):
        end = links[at + 1].start() if at + 1 < len(links) else len(text)
        yield {
            "url": link[2],
            "title": link[1],
            "description": _without_mark(text[link.end() : end]).strip(" \n-–:"),
        }
    if not links:
        for match in _BARE.finditer(text):
            yield {"url": match[0].rstrip(".,;:"), "title": match[0].rstrip(".,;:")}


def _parse_paragraph(paragraph: str) -> dict[str, Json]:
    """Parse a paragraph into a result; empty if it names no address."""
    found: dict[str, Json] = {}
    for match in map(_LINE.fullmatch, paragraph.split("\n")):
        if match:
            found.setdefault(match[1].lower(), match[2].strip())
    return found if _address(found) else {}
