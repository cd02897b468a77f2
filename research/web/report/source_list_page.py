"""The sources of a run: cited, read but not used, failed with the reason; and a reference list of the cited ones."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Func, JSONField
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from citations.bibliography.bibliography_by_pandoc import PandocError
from citations.bibliography.csl_references import Reference, csl_json, ris
from citations.citation_styles import CitationStyle, FormattedReference, UnknownStyle, bibtex, style_of
from exports.building.build_document import number_cited_sources
from exports.building.build_document_evidence import OF_SOURCE, source_entry, source_rows
from exports.building.build_document_references import load_formatted_references, references
from exports.document.document_charts import chart_of_kinds, chart_of_years, select_nonempty_charts
from exports.document.document_tree import SourceEntry, select_cited_sources
from exports.labels.document_labels import CITATION_STYLES
from research.models import Run, SourceStatus
from research.web.site.page_fragment_cache import part_of
from research.web.site.view_access import find, members_only

NOT_READ = frozenset({SourceStatus.FAILED, SourceStatus.PENDING, SourceStatus.FETCHING})
SOURCES_A_PAGE = 100
# Counts the hidden passages in the reading of each source, by reason, without loading their text.
_HIDDEN = Func(
    "content__dropped",
    template="jsonb_path_query_array(%(expressions)s, '$[*].passages')",
    output_field=JSONField(),
)
FILES: dict[str, tuple[str, Callable[[Sequence[Reference]], str]]] = {
    "bib": ("application/x-bibtex", bibtex),
    "ris": ("application/x-research-info-systems", ris),
    "json": ("application/vnd.citationstyles.csl+json", csl_json),
}


@dataclass(frozen=True, slots=True)
class ListedSource:
    """A row of the page."""

    entry: SourceEntry
    hidden: int  # number of hidden passages that were left out


@dataclass(frozen=True, slots=True)
class SourceGroup:
    """One of the page's lists, with its current page."""

    name: str
    page: Page[ListedSource]
    earlier: str  # queries of the previous and next pages; empty if there is none
    later: str

    @property
    def total(self) -> int:
        return self.page.paginator.count


@members_only
@require_safe
def sources(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(Run.objects.defer("plan", "outline"), run_id)

    def render_list() -> str:
        return render_to_string("research/report/_source_list.html", _build_context(run, request.GET))

    # Formatting a reference list may fail and succeed at the next try, so pages with one are not cached.
    what = "sources", request.GET.urlencode()
    shown = render_list() if "style" in request.GET else part_of(request, run, what, render_list)
    return render(request, "research/report/sources.html", {"run": run, "list": shown})


def _build_context(run: Run, asked: QueryDict) -> dict[str, object]:
    entries, hidden = _entries(run.pk)
    cited = select_cited_sources(entries)
    unused = [s for s in entries if not s.number and s.status not in NOT_READ]
    failed = [s for s in entries if not s.number and s.status in NOT_READ]
    groups = {"cited": cited, "unused": unused, "failed": failed}
    return {
        "run": run,
        "total": len(entries),
        "hidden": sum(hidden.values()),
        "groups": {name: _group(asked, name, of_it, hidden) for name, of_it in groups.items()},
        "charts": select_nonempty_charts(chart_of_years(entries), chart_of_kinds(entries)),
        "styles": CITATION_STYLES.items(),
        **_reference_list(cited, asked.get("style", "")),
    }


@members_only
@require_safe
def reference_file(request: HttpRequest, run_id: UUID, suffix: str) -> HttpResponse:
    """Return the cited sources in a file for reference managers."""
    find(Run.objects.only("pk"), run_id)
    if suffix not in FILES:
        raise Http404
    media_type, write = FILES[suffix]
    try:
        text = write(references(select_cited_sources(_entries(run_id)[0])))
    except PandocError as error:
        return HttpResponse(str(error), status=503, content_type="text/plain; charset=utf-8")
    headers = {"Content-Disposition": f'attachment; filename="references-{run_id}.{suffix}"'}
    return HttpResponse(text, content_type=f"{media_type}; charset=utf-8", headers=headers)


def _entries(run_id: UUID) -> tuple[list[SourceEntry], Mapping[UUID, int]]:
    """Return the run's sources, and the number of hidden passages left out of each."""
    numbers = number_cited_sources(run_id)
    rows = list(source_rows(run_id).only(*OF_SOURCE).annotate(hidden=_HIDDEN))
    return [source_entry(row, numbers.get(row.pk)) for row in rows], {
        row.pk: sum(row.hidden or ()) for row in rows
    }


def _group(
    asked: QueryDict, name: str, entries: Sequence[SourceEntry], hidden: Mapping[UUID, int]
) -> SourceGroup:
    lines = [ListedSource(entry, hidden[entry.id]) for entry in entries]
    page = Paginator(lines, SOURCES_A_PAGE).get_page(asked.get(name))
    return SourceGroup(
        name,
        page,
        _page_query(asked, name, page.previous_page_number()) if page.has_previous() else "",
        _page_query(asked, name, page.next_page_number()) if page.has_next() else "",
    )


def _page_query(asked: QueryDict, name: str, number: int) -> str:
    changed = asked.copy()
    changed[name] = str(number)
    return changed.urlencode()


def _reference_list(
    cited: Sequence[SourceEntry], style_name: str
) -> dict[str, CitationStyle | str | Sequence[FormattedReference]]:
    """Return the context of the reference list: empty until a style is chosen; a reason if the list cannot be made."""
    if not style_name or not cited:
        return {}
    try:
        style = style_of(style_name)
        return {"style": style, "listed": load_formatted_references(references(cited), style)}
    except UnknownStyle as error:
        return {"style_error": str(error)}
    except PandocError as error:
        return {"style": style, "style_error": str(error)}
