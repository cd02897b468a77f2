"""The sources of a report as a bibliography, with the numbers of the claims that cite each."""

from collections import defaultdict
from dataclasses import replace

from citations.bibliography.csl_references import Reference
from exports.building.build_document_references import references
from exports.document.document_tree import Document, select_cited_sources


def bibliography(document: Document) -> list[Reference]:
    """Return the references in the order of their numbers.

    The annotation is "Claims 1, 4", which reference managers keep as a note.
    """
    citing = _claims_by_source(document)
    cited = select_cited_sources(document.sources)
    return [
        replace(reference, annotation=_annotation(citing[source.number or 0]))
        for source, reference in zip(cited, references(cited), strict=True)
    ]


def _claims_by_source(document: Document) -> defaultdict[int, list[int]]:
    """Return for each source number the numbers of the claims that cite it, each once."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for claim in document.claims:
        for number in dict.fromkeys(citation.source.number or 0 for citation in claim.citations):
            found[number].append(claim.number)
    return found


def _annotation(claims: list[int]) -> str:
    if not claims:
        return ""
    return f"{'Claims' if len(claims) > 1 else 'Claim'} {', '.join(map(str, claims))}"
