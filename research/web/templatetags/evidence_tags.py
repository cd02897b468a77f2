"""Template filters that format values: labels, percentages, dates as precise as known, durations, sizes."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from django import template
from django.conf.locale import LANG_INFO
from django.core.serializers.json import DjangoJSONEncoder
from django.forms import BoundField
from django.utils.dateparse import parse_datetime
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.html import conditional_escape, escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import JsonValue

from exports.building import build_document_authorship
from exports.building.build_document_method import build_searched_entry
from exports.document import document_plain_text
from exports.document.document_attribution import date_of, makers_of
from exports.document.document_marked_text import Piece
from exports.document.document_original_links import original_url
from exports.document.document_tree import CellEntry, RowEntry, SourceEntry, TableEntry
from exports.document.format_document_dates import as_known
from exports.labels import format_document_values
from exports.labels.document_labels import folder_name
from exports.labels.format_document_values import duration
from exports.stored.exported_headings import translate_heading
from exports.stored.translate_exported_sentences import translate_stored_text
from research.agents.tools.evidence.tool_source_handles import TEXTS, find_sources
from research.llm.call_store.read_model_calls import indent_json
from research.models import AgentMessage, Schedule, Source
from research.pipelines.synthesis.synthesis_result import StudyRow
from research.web.ask.library_scope_field import ScopeField
from research.web.ask.run_kind_pages import PAGES, KindPage, page_of
from research.web.report.evidence_mix_view import EvidenceMix
from research.web.report.studies_page import study_orders as orders_of_studies
from research.web.runs.step_notes_view import step_notes
from research.web.runs.trace.step_failure_labels import what_follows, without_failures
from research.web.site.value_labels import word as word_for

_LONG_WORD = re.compile(r"[^\s&;<>]{20,}")  # characters: about half a line on a phone; entities stay whole
_JOINT = re.compile(r"(?<=\w)[._/:]+(?=\w)")

register = template.Library()
register.filter("folder_name", folder_name)
register.filter("headed", translate_heading)
register.filter("searched_of", build_searched_entry)
for function in (
    format_document_values.percent,
    as_known,
    format_document_values.duration,
    format_document_values.origins,
    format_document_values.sources_and_publishers,
    format_document_values.labels,
    format_document_values.doubt,
    format_document_values.sources_missing,
    format_document_values.describe_attribution,
    format_document_values.describe_list_attribution,
    format_document_values.describe_shared_attribution,
    format_document_values.describe_open_parts,
    format_document_values.newest_source,
    build_document_authorship.describe_authorship,
    build_document_authorship.describe_unjudged_answer,
    build_document_authorship.manner,
    build_document_authorship.select_shown_degradations,
    build_document_authorship.stages,
    build_document_authorship.why_without_model,
    format_document_values.between_claims,
    format_document_values.empty_section,
    date_of,
    makers_of,
    format_document_values.describe_check,
    format_document_values.describe_degradation,
    format_document_values.describe_even_evidence,
    format_document_values.is_exact,
    format_document_values.match,
    format_document_values.cell_names,
    format_document_values.direction,
    format_document_values.link_to_words,
    format_document_values.describe_search_scope,
    format_document_values.setting_value,
):
    register.filter(function.__name__, function)


@register.filter
def breakable(text: str) -> SafeString:
    """Let long names break behind their dots and the like, as `django.contrib.auth.hashers`, which else break anywhere
    where a line is short.
    """
    return mark_safe(_LONG_WORD.sub(_break_word, escape(text)))  # noqa: S308  # escaped before


def _break_word(word: re.Match[str]) -> str:
    return _JOINT.sub(r"\g<0><wbr>", word[0])


@register.filter
def scope_words(bound: BoundField) -> str:
    """Return the chosen folders by name and number of documents."""
    return bound.field.in_words(_read_choices(bound)) if isinstance(bound.field, ScopeField) else ""


@register.filter
def scope_gone(bound: BoundField) -> str:
    """Return the names of chosen folders that have no documents any more."""
    return (
        ", ".join(bound.field.find_gone_folders(_read_choices(bound)))
        if isinstance(bound.field, ScopeField)
        else ""
    )


@register.filter
def scope_of_schedule(schedule: Schedule) -> str:
    """Return the names of the folders that the schedule's runs search."""
    if schedule.config.get("sources") == "web":
        return _("the web")
    return ", ".join(map(folder_name, schedule.config.get("folders", []))) or _("the whole library")


def _read_choices(bound: BoundField) -> list[str]:
    return list(map(str, bound.value() or ()))


BLANK_LINES = re.compile(r"\n\s*\n")
DOTS = {"strong": 3, "moderate": 2, "limited": 1}


@register.filter
def as_read(words: str, source: SourceEntry) -> str:
    """Return the words of a source without the markup of its format."""
    return document_plain_text.as_read(words, (source.media_type,))


@register.filter
def cells_of(row: RowEntry, table: TableEntry) -> Iterator[tuple[CellEntry, str, tuple[str, str]]]:
    """Yield each cell of a row with the title of its column and its row and column headers."""
    for cell, column in zip(row.cells, table.columns, strict=True):
        yield cell, column.title, (row.input, column.title)


@register.filter
def strip_markup(sentence: str) -> str:
    """Return a sentence of a source of unknown format, without characters that can only be markup."""
    return document_plain_text.plain(document_plain_text.plain_rst(sentence, is_certain=False))


@register.simple_tag
def study_orders() -> Sequence[tuple[str, Promise]]:
    """Return the possible orders of an evidence table."""
    return orders_of_studies()


@register.filter
def older_markdown(text: str) -> SafeString:
    """Render a synthesis of the older format, in which nothing but Markdown is markup."""
    from research.pipelines.synthesis.synthesis_markdown import (
        safe_html,  # imported here, since few pages need it
    )

    return mark_safe(safe_html(text))  # noqa: S308  # the reader escapes every tag, address and picture of the text


@register.simple_tag
def kind_pages() -> Sequence[KindPage]:
    """Return the kinds of run that have a page of their own."""
    return PAGES


@register.filter
def kind_page(kind: str) -> KindPage | None:
    """Return the page on which runs of this kind are started; None for reports and tables."""
    return page_of(kind)


@register.filter
def word(value: str, kind: str) -> str:
    return word_for(value, kind)


register.filter("own_words", format_document_values.own_words)
register.filter("indented_json", indent_json)
# A text that a run stored in English, in the reader's language.
register.filter("stored", translate_stored_text)


def fill_dots(strength: str) -> list[bool]:
    """Return three dots, filled from the left."""
    return [index < DOTS.get(strength, 0) for index in range(3)]


@register.filter
def dots(strength: str) -> SafeString:
    """Render the dots, which screen readers skip: the label stands beside. A report has hundreds of them."""
    drawn = format_html_join("", "<i{}></i>", ((_ON if filled else "",) for filled in fill_dots(strength)))
    return format_html('<span class="dots" aria-hidden="true">{}</span>', drawn)


_ON = mark_safe(' class="on"')


@register.filter
def bar(mix: EvidenceMix) -> SafeString:
    """Render the shares of evidence as a bar with a text alternative. A list of runs has dozens."""
    label = ", ".join(f"{share.count} {word_for(share.strength, 'strength')}" for share in mix.shares)
    shares = format_html_join(
        "",
        '<rect class="{}" x="{}" width="{}" height="4" />',
        (
            (share.strength, svg_number(share.start), svg_number(share.width))
            for share in mix.shares
            if share.count
        ),
    )
    return format_html(
        '<svg class="mix" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label="{} {}">{}</svg>',
        _("Evidence:"),
        label,
        shares,
    )


@register.filter
def tongue(code: str) -> str:
    """Return the name of a language in the reader's language: "de" → "German"; an unknown code itself."""
    name = str(LANG_INFO.get(code, {}).get("name", ""))
    return _(name) if name else code


@register.filter
def moment(iso: str) -> datetime | None:
    """Parse a time in JSON, for `date`; None if it is invalid."""
    try:
        return parse_datetime(iso)
    except ValueError:
        return None


@register.filter
def milliseconds(value: int | None) -> str:
    if value is None:
        return ""
    return _("%(number)s ms") % {"number": value} if value < 1000 else duration(value / 1000)


TONES = {
    "queued": "live",
    "taken": "good",
    "refused": "warn",
    "verified": "good",
    "paraphrased_accurate": "good",
    "corrected": "good",
    "disputed": "bad",
    "partially_supported": "warn",
    "unsupported": "bad",
    "contradicted": "bad",
    "unverifiable": "warn",
    "needs_revision": "warn",
    "failed": "bad",
    "critical": "bad",
    "major": "warn",
    "still there": "good",
    "changed": "warn",
    "gone": "bad",
    "unreadable": "warn",
}


@register.filter
def tone(status: str) -> str:
    """Return the CSS class that colours the outcome of a check; the outcome is also named in words."""
    return TONES.get(status, "")


@register.filter
def count_left_out(dropped: Sequence[Mapping[str, object]]) -> str:
    """Return a sentence with the number of hidden passages that were left out."""
    return count_hidden_passages(sum(int(str(stretch["passages"])) for stretch in dropped))


@register.filter
def count_hidden_passages(count: int) -> str:
    words = ngettext(
        "%(count)s hidden passage was left out", "%(count)s hidden passages were left out", count
    )
    return words % {"count": number_format(count)}


@register.filter
def passages(count: int) -> str:
    words = ngettext("%(count)s passage", "%(count)s passages", count)
    return words % {"count": number_format(count)}


@register.filter
def characters(count: int) -> str:
    words = ngettext("%(count)s character", "%(count)s characters", count)
    return words % {"count": number_format(count)}


@register.filter
def notes(output: object, error_code: str = "") -> tuple[str, ...]:
    """Return sentences on what did not go as planned, from the output of a step or a tool."""
    return step_notes(output, error_code) if isinstance(output, Mapping) else ()


@register.filter
def browsed_source(message: AgentMessage) -> Source | None:
    """Return the source that a call of browse made of a page; None if it is gone."""
    output = (message.result or {}).get("output", {})
    handle = str(output.get("id", ""))
    return find_sources(message.run_id, {handle}, but=TEXTS).get(handle)


@register.filter
def result_of(output: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return a step's output without the parts that are described beside it."""
    return without_failures(output)


@register.filter
def follows(error_code: str) -> str:
    """Return the consequence of a failure, as defined for its code, if no try is left."""
    return what_follows(error_code, None, is_last=True)


@register.filter
def render_pieces(pieces: Iterable[Piece]) -> SafeString:
    """Render the pieces without spaces between them; each piece that differs is in an element of its own."""
    return format_html_join("", "{}", ((_render_piece(piece),) for piece in pieces))


def _render_piece(piece: Piece) -> SafeString:
    if not piece.state:
        return conditional_escape(piece.text)
    return format_html('<span class="part {}">{}</span>', piece.state, piece.text)


@register.filter
def paragraph_a_line(text: str) -> str:
    """Remove the blank lines of the source from the words around a quote."""
    return BLANK_LINES.sub("\n", text)


@register.filter
def web_address(url: str) -> str:
    """Return the address if it is safe to follow; else empty."""
    return original_url(url)


@register.filter
def link_to_original(source: SourceEntry) -> str:
    return original_url(source.url, source.media_type)


@register.filter
def percentage(share: float) -> float:
    """Return the percentage for drawing: 0.824 → 82.4."""
    return 100 * share


@register.filter
def points(value: float | None) -> str:
    """Format a part of a sum: "+0.15"; empty if it is unknown."""
    if value is None:
        return ""
    return ("-" if value < 0 else "+") + number_format(abs(value), 2)


@register.filter
def svg_number(value: float) -> str:
    """Format a number for SVG, independent of the interface's language."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


@register.filter
def format_json(value: object) -> str:
    """Format a JSON value for people."""
    return DjangoJSONEncoder(ensure_ascii=False, indent=2).encode(value)


@register.filter
def is_on_lack(direction: str, finding: str) -> bool:
    """Return True if the direction of a study is that of having less of something, or none."""
    return StudyRow(number=0, label="", title="", direction=direction, finding=finding).is_without
