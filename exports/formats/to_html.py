"""The report as one HTML file that works offline: it loads nothing and runs no scripts.

Each claim opens its evidence in a native popover; in print the evidence is a list at the end.
"""

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import override

from citations.citation_styles import FormattedReference
from citations.models import Strength
from exports.building.build_document_references import format_cited_references
from exports.document.document_tree import Document, SourceEntry, select_cited_sources
from exports.formats.export_forbidden_characters import clean
from exports.formats.export_options import ExportOptions, Progress
from exports.labels.format_document_values import describe_even_evidence

# The site's own style sheets, and one that is only for the file.
SHEETS = ("tokens", "base", "parts", "evidence", "report", "reader", "findings", "file")
_FOLDER = Path(settings.BASE_DIR) / "static" / "plumbline"
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_BLANKS = re.compile(r"\s*\n\s*")
_BETWEEN_TAGS = re.compile(r">\s*\n\s*(?=<)")
_REFERENCES_MADE = 0.2  # share of the work
_Listed = Sequence[tuple[SourceEntry, FormattedReference]]


@dataclass(frozen=True, slots=True)
class StrengthFilter:
    """Claims with evidence of one strength, which readers can hide."""

    strength: str
    count: int


def write(document: Document, options: ExportOptions, tell: Progress) -> bytes:
    """Return UTF-8. Raises PandocError if the references cannot be formatted."""
    with override(options.language):
        listed = (
            format_cited_references(document.sources, options.citation_style, options.language)
            if options.include_sources
            else []
        )
        tell(_REFERENCES_MADE)
        page = render_to_string("exports/report.html", _build_context(document, options, listed))
    tell(1.0)
    return _BETWEEN_TAGS.sub(">\n", clean(page.strip())).encode() + b"\n"


def _build_context(document: Document, options: ExportOptions, listed: _Listed) -> Mapping[str, object]:
    claims = document.claims
    styles = style_sheet()
    return {
        "document": document,
        "claims": claims,
        "answer": document.answer,
        "cited": select_cited_sources(document.sources),
        "listed": listed,
        "filters": _filters(document.counts),
        "even_evidence": describe_even_evidence(document.counts),
        "disputed": sum(claim.contradiction_status != "none" for claim in claims),
        "with_appendix": options.include_appendix,
        "language": options.language,
        "styles": styles,
        "policy": _policy(styles),
    }


def _filters(counts: Mapping[str, int]) -> list[StrengthFilter]:
    """Return the filters by strength of evidence; none if all claims have the same strength."""
    found = [StrengthFilter(value, counts.get(value, 0)) for value in Strength.values]
    return found if sum(choice.count > 0 for choice in found) > 1 else []


@cache
def style_sheet() -> SafeString:
    """Return all styles of the file, without comments."""
    sheets = [(_FOLDER / f"{name}.css").read_text(encoding="utf-8") for name in SHEETS]
    return mark_safe(_BLANKS.sub("\n", _COMMENT.sub("", "\n".join(sheets))).strip())  # noqa: S308 - our own files


def _policy(styles: str) -> str:
    """Return the content security policy: nothing is loaded or run; the only style sheet is allowed by its hash."""
    digest = b64encode(sha256(styles.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
