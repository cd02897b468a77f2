"""The saved copy of a source: its frozen text with the cited passages, or an image of the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import validate_integer
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

from citations.models import Citation
from exports.building.build_document_evidence import alignment_of, source_entry
from exports.document.document_tree import AlignmentEntry
from research.models import Content, Kind, Source
from research.parsing.render_pdf_pages import Busy
from research.pipelines.table.table_config import CLAIMS_A_ROW
from research.storage.object_store import ObjectError, get_object
from research.web.report.frozen_text_view import (
    CitedPassages,
    CitedSpan,
    ParagraphGroup,
    build_paragraph_groups,
    parts,
    place_of,
    stretches,
)
from research.web.report.pdf_page_view import PageView, page_png_of, page_view
from research.web.report.recheck_page import recheck_view
from research.web.site.page_fragment_cache import part_of
from research.web.site.view_access import find, members_only, wants_fragment

# Columns of related rows that the page hardly needs.
NOT_SHOWN = (
    *(f"run__{name}" for name in ("plan", "outline", "config", "result", "sufficiency", "degradations")),
    *("content__tables", "content__minhash", "duplicate_of__assessment", "library_document__error_message"),
)
IMAGE_CACHED_SECONDS = 86_400  # the bytes of a content never change


@dataclass(frozen=True, slots=True)
class TextView:
    """One part of the frozen text."""

    groups: Sequence[ParagraphGroup]
    part: int  # from 1
    part_count: int


@dataclass(frozen=True, slots=True)
class Position:
    """The reader's position among the passages that the run cites from this source; numbers from 1."""

    number: int
    total: int
    current: Citation
    alignment: AlignmentEntry  # of the current passage's claim with this source
    previous: Citation | None
    following: Citation | None


@members_only
@require_safe
def source(request: HttpRequest, source_id: UUID) -> HttpResponse:
    rows = Source.objects.select_related("run", "content", "library_document", "duplicate_of")
    shown_source = find(rows.defer(*NOT_SHOWN), source_id)
    citations = _citations(shown_source)
    position = _position(request, citations)
    is_pane = wants_fragment(request)
    shown: dict[str, object] = {
        "source": shown_source,
        "entry": source_entry(shown_source, None),
        "content": shown_source.content,
        "position": position,
        "voices": part_of(
            request, shown_source.run, ("voices", shown_source.pk), lambda: _voices(shown_source)
        ),
        "is_cited": bool(citations),
        "is_pane": is_pane,
    }
    if position and shown_source.run.kind == Kind.TABLE:
        shown["row"] = (position.current.claim.number or 0) // CLAIMS_A_ROW
    if citations:
        shown["recheck"] = recheck_view(shown_source)
    if shown_source.content and shown_source.content.pages and request.GET.get("view") == "page":
        shown["page_view"] = _page_view(request, shown_source.content, citations, position)
    elif shown_source.content:
        shown["text_view"] = _text_view(request, shown_source.content, citations, position)
    response = render(
        request, "research/report/_viewer.html" if is_pane else "research/report/source.html", shown
    )
    patch_vary_headers(response, ["HX-Request"])
    return response


def _voices(source: Source) -> str:
    from research.web.report.source_groups_view import (
        find_sources_of_same_origin,  # imported here because it is large
    )

    return render_to_string("research/report/_voices.html", {"voices": find_sources_of_same_origin(source)})


@members_only
@require_safe
def page_image(request: HttpRequest, source_id: UUID, number: int) -> HttpResponse:
    found = find(Source.objects.select_related("content"), source_id)
    if found.content is None or not any(page["number"] == number for page in found.content.pages):
        raise Http404
    try:
        image = page_png_of(found.content, number)
    except Busy:
        return HttpResponse(status=503, headers={"Retry-After": "10"})
    if image is None:
        raise Http404
    response = HttpResponse(image, content_type="image/png")
    response["X-Content-Type-Options"] = "nosniff"
    patch_cache_control(response, private=True, max_age=IMAGE_CACHED_SECONDS, immutable=True)
    return response


@members_only
@require_safe
def source_picture(request: HttpRequest, source_id: UUID) -> HttpResponse:
    """Serve the picture that the browser took of a page before it was read."""
    content = find(Source.objects.select_related("content"), source_id).content
    key = content.rendering.get("picture", "") if content is not None and content.rendering else ""
    try:
        image = get_object(key)
    except ObjectError as error:
        raise Http404 from error
    response = HttpResponse(image, content_type="image/jpeg")
    response["X-Content-Type-Options"] = "nosniff"
    patch_cache_control(response, private=True, max_age=IMAGE_CACHED_SECONDS, immutable=True)
    return response


def _citations(source: Source) -> list[Citation]:
    """Return the report's citations of the source, in the order of its text."""
    placed = Citation.objects.filter(source=source, claim__section__isnull=False)
    rows = placed.select_related("claim").defer("claim__embedding")
    return list(rows.order_by("start_offset", "end_offset", "id"))


def _position(request: HttpRequest, citations: Sequence[Citation]) -> Position | None:
    """Return the position of the requested citation or claim, by default the first; None if there are no citations."""
    if not citations:
        return None
    wanted = request.GET.get("citation", ""), request.GET.get("claim", "")
    index = next((n for n, citation in enumerate(citations) if _is_wanted(citation, *wanted)), 0)
    current = citations[index]
    return Position(
        number=index + 1,
        total=len(citations),
        current=current,
        alignment=alignment_of(current.claim, current.pk),
        previous=citations[index - 1] if index else None,
        following=citations[index + 1] if index + 1 < len(citations) else None,
    )


def _is_wanted(citation: Citation, citation_id: str, claim_number: str) -> bool:
    if citation_id:
        return str(citation.pk) == citation_id
    return bool(claim_number) and str(citation.claim.number) == claim_number


def _text_view(
    request: HttpRequest, content: Content, citations: Sequence[Citation], position: Position | None
) -> TextView:
    current = _passage(position.current) if position else None
    laid = position.alignment.source_marks if position else ()
    cited = CitedPassages([_passage(citation) for citation in citations], current, laid)
    found = parts(stretches(content.text, content.blocks))
    asked = number_in(request, "part", len(found))
    index = asked - 1 if asked else place_of(current, found) if current else 0
    return TextView(build_paragraph_groups(content.text, found[index], cited), index + 1, len(found))


def _page_view(
    request: HttpRequest, content: Content, citations: Sequence[Citation], position: Position | None
) -> PageView | None:
    asked = number_in(request, "page", len(content.pages))
    cited = position.current.page_number if position else None
    return page_view(content, asked or cited or 1, citations, position.current if position else None)


def _passage(citation: Citation) -> CitedSpan:
    return CitedSpan(f"passage-{citation.pk}", citation.start_offset, citation.end_offset)


def number_in(request: HttpRequest, name: str, highest: int) -> int | None:
    """Return a number from 1 to `highest` from the query string; None if there is none."""
    given = request.GET.get(name, "")
    try:
        validate_integer(given)
    except ValidationError:
        return None
    return int(given) if len(given) < 9 and 1 <= int(given) <= highest else None
