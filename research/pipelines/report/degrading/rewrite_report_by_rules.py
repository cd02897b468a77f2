"""Have rules rewrite sections that say what no source says (spec: lifecycle.md, HALLUCINATION_DETECTED).

A hallucination is a claim that cites nothing, or an address that is no source's (spec: grounding.md). The model that
made it up is not asked again: a section in strict mode holds the sources' own sentences, or leaves the claim out.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.credibility.uncited_prose import foreign_urls
from citations.models import Citation, Claim, Section
from research.llm.budgets.budget_degradations import Loss, Shortfall, record_loss
from research.models import Run, Source

IMPACT = 0.25  # of a report whose sections are all written so
UNCITED = "It cites nothing that stands in a source."
FOREIGN = "It names an address that is no source's: {}."


@dataclass(frozen=True, slots=True)
class Hallucination:
    """Words of a section that no source says. `claim` is None if they are between the claims."""

    section: int
    text: str
    reason: str
    claim: UUID | None = None


def find_hallucinations(run: Run) -> list[Hallucination]:
    """Return the hallucinations in the report's order. Needs the tenant set; makes four queries."""
    sections = list(Section.objects.filter(run=run, report_version=run.report_version).order_by("index"))
    claims = {claim.pk: claim for claim in Claim.objects.filter(section__in=sections)}
    quotes: dict[UUID, list[str]] = {}
    for claim_id, quote in Citation.objects.filter(claim__in=claims).values_list("claim_id", "quote"):
        quotes.setdefault(claim_id, []).append(quote)
    known = _addresses(run)
    return [
        hallucination for section in sections for hallucination in _of_section(section, claims, quotes, known)
    ]


def _addresses(run: Run) -> list[str]:
    rows = Source.objects.filter(run=run).values_list("url", "final_url", "canonical_url")
    return [url for row in rows for url in row if url]


def _of_section(
    section: Section, claims: dict[UUID, Claim], quotes: dict[UUID, list[str]], known: Sequence[str]
) -> Iterator[Hallucination]:
    for sentence in sentences_of(section.body):
        claim = claims.get(UUID(sentence["claim"])) if "claim" in sentence else None
        if claim is not None and claim.pk not in quotes:
            yield Hallucination(section.index, claim.text, UNCITED, claim.pk)
            continue
        text = claim.text if claim else sentence.get("text", "")
        said = quotes[claim.pk] if claim else []
        for url in find_hallucinated_urls(text, known, said):
            yield Hallucination(section.index, text, FOREIGN.format(url), claim.pk if claim else None)


def find_hallucinated_urls(text: str, known: Sequence[str], quotes: Iterable[str]) -> list[str]:
    """Return addresses that are neither a source's nor in the cited words. Pure."""
    said = " ".join(quotes)
    return [url for url in foreign_urls(text, known) if url not in said]


def sentences_of(body: dict[str, list[dict[str, list[dict[str, str]]]]]) -> Iterator[dict[str, str]]:
    for block in body.get("blocks", ()):
        yield from block.get("sentences", ())


def strict_sections(run: Run) -> frozenset[int]:
    """Return the indexes of the sections to be written strictly, and record them. Needs the tenant set."""
    found = frozenset(hallucination.section for hallucination in find_hallucinations(run))
    if found:
        headings = dict(Section.objects.filter(
            run=run, report_version=run.report_version, index__in=found
        ).values_list("index", "heading"))  # fmt: skip
        record_loss(run.pk, loss_of([headings[index] for index in sorted(found)], run.total_sections))
    return found


def loss_of(headings: Collection[str], sections: int) -> Loss:
    """Return the loss. Pure."""
    named = ", ".join(f"“{heading}”" for heading in headings)
    words = f"What no source says was found in {named}; rules wrote it again, in the sources' own sentences."
    return Loss(Shortfall.STRICT_SECTIONS, IMPACT * len(headings) / max(sections, len(headings)), words)
