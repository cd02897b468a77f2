"""Claims of finished runs that may help to answer a question: found by one indexed query, checked before use."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Left, Substr

from citations.models import Citation, RecheckedCitation, RecheckOutcome
from research.library.knowledge.knowledge_folded_names import fold, fold_phrases
from research.models import EntityKind, EntityMention, LibraryDocument

MAX_OFFERED = 40  # claims
_MAX_READ = 2_000  # mentions
_OPENING = 2_000  # characters at the start of a source that may state its withdrawal
_PREFIX = 5  # letters by which two forms of a word are considered equal
_MIN_POINTS = 2
_WORD = re.compile(r"\w{4,}|\w*\d\w*")
_ASKING = frozenset(  # words common in questions, folded
    "what which when where whose whom does have been were with from that this these those into about there their they"
    " many much most more than will would could should does welche welcher welches wann wieviel viele gibt sind wird"
    " werden haben hatte eine einen einem einer oder nicht auch nach uber".split()
)


@dataclass(frozen=True, slots=True)
class OfferedClaim:
    """A claim of a finished run that shares entities and words with a question."""

    id: UUID
    run: UUID
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Offer:
    """The claims that may answer a question, best first."""

    claims: tuple[OfferedClaim, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.claims)

    @property
    def statements(self) -> int:
        return len(self.claims)

    @property
    def runs(self) -> int:
        return len({claim.run for claim in self.claims})


def find_known_claims(question: str, *, without_run: UUID | None = None) -> Offer:
    """Return the claims of finished runs about the entities of a question. One query. Needs the tenant set."""
    phrases = fold_phrases(question.replace("\x00", " "))
    if not phrases:
        return Offer()
    keys = EntityMention.objects.filter(folded__in=phrases).values("key")
    rows = EntityMention.objects.filter(key__in=keys, claim__number__isnull=False).order_by("-pk")
    claims: dict[UUID, OfferedClaim] = {}
    kinds: dict[UUID, set[str]] = defaultdict(set)
    columns = rows.values_list("claim", "run", "claim__number", "claim__text", "kind")
    for claim, run, number, text, kind in columns[:_MAX_READ]:
        if run != without_run and number is not None:
            claims[claim] = OfferedClaim(claim, run, number, text)
            kinds[claim].add(kind)
    question_words = _words(question)
    points = {
        pk: len(question_words & _words(claim.text)) + bool(kinds[pk] - {EntityKind.PLACE})
        for pk, claim in claims.items()
    }
    least = min(_MIN_POINTS, len(question_words))
    ranked = sorted(
        (claim for claim in claims.values() if points[claim.id] >= least),
        key=lambda offered: -points[offered.id],
    )
    return Offer(tuple({fold(claim.text): claim for claim in reversed(ranked)}.values())[::-1][:MAX_OFFERED])


def _words(text: str) -> frozenset[str]:
    found = (match.group() for match in _WORD.finditer(fold(text)))
    return frozenset(word[:_PREFIX] for word in found if word not in _ASKING)


class Dropped(StrEnum):
    """The reason why a known quote is not used."""

    GONE = "gone"  # its document is no longer in the library
    OUT_OF_SCOPE = "out of scope"
    CHANGED = "changed"  # the document was read again and has another text at the place
    WITHDRAWN = "withdrawn"  # the source states that it was withdrawn or replaced


@dataclass(frozen=True, slots=True)
class KnownQuote:
    """A quote of an earlier run that is still at its place in a document that may be used."""

    claim: UUID
    run: UUID
    document: UUID
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CheckedQuotes:
    kept: tuple[KnownQuote, ...]
    dropped: Counter[Dropped]


def check_quotes(claims: Sequence[UUID], allowed: Iterable[QuerySet[LibraryDocument]]) -> CheckedQuotes:
    """Check the quotes of claims against their current documents. `allowed` are documents that may be read.

    Needs the tenant set.
    """
    kept, dropped = [], Counter[Dropped]()
    readable = {pk for documents in allowed for pk in _documents_of(claims, documents)}
    for citation in _read_citations(claims):
        reason = _why_dropped(citation, readable)
        document = citation.source.library_document_id
        if reason is not None or document is None:
            dropped[reason or Dropped.GONE] += 1
        else:
            start, end = citation.start_offset, citation.end_offset
            kept.append(KnownQuote(citation.claim_id, citation.claim.run_id, document, start, end))
    return CheckedQuotes(tuple(kept), dropped)


def _documents_of(claims: Sequence[UUID], documents: QuerySet[LibraryDocument]) -> Iterable[UUID]:
    return documents.filter(sources__citations__claim__in=claims).values_list("pk", flat=True).distinct()


def _read_citations(claims: Sequence[UUID]) -> QuerySet[Citation]:
    outcomes = RecheckedCitation.objects.filter(citation=OuterRef("pk")).order_by("-created_at")
    rows = Citation.objects.filter(claim__in=claims).select_related("claim", "source__library_document")
    return (
        rows.only(
            "quote",
            "start_offset",
            "end_offset",
            "claim__run",
            "source__title",
            "source__content",
            "source__library_document__content",
        )  # fmt: skip
        .annotate(
            opening=Left("source__content__text", _OPENING),
            there=Substr("source__content__text", F("start_offset") + 1, F("end_offset") - F("start_offset")),
            last_outcome=Subquery(outcomes.values("outcome")[:1]),
        )
        .order_by("claim", "citation_index", "pk")
    )


def _why_dropped(citation: Citation, readable: set[UUID]) -> Dropped | None:
    from citations.credibility.withdrawn_sources import is_withdrawn

    source, read = citation.source, vars(citation)
    document = source.library_document
    if document is None:
        return Dropped.GONE
    if document.pk not in readable:
        return Dropped.OUT_OF_SCOPE
    is_elsewhere = read["last_outcome"] in (RecheckOutcome.CHANGED, RecheckOutcome.GONE)
    if document.content_id != source.content_id or read["there"] != citation.quote or is_elsewhere:
        return Dropped.CHANGED
    return Dropped.WITHDRAWN if is_withdrawn(source.title, read["opening"] or "") else None
