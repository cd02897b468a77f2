"""Build the graph: the claims of a finished run, their entities, and their relations to claims of other runs.

A run is added in one transaction, and adding it again gives the same rows. Builds of one workspace are serialised, so
that if two runs end together, the later build sees the claims of the other.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from uuid import UUID

import numpy as np
from django.db import connection
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from citations.models import Citation, Claim, ClaimStatus
from research.db.tenancy import current_tenant_id, tenant_context
from research.engine.outbox import enqueue_knowledge
from research.library.knowledge.find_knowledge_mentions import EntityInClaim, find_mentions, find_name_keys
from research.library.knowledge.knowledge_folded_names import MAX_FOLDED, fold
from research.library.knowledge.relate_known_claims import (
    FoundLink,
    KnownClaim,
    count_shared_words,
    may_be_related,
    relate,
)
from research.models import ClaimLink, EntityMention, Kind, Run, RunKnowledge, State
from research.runtime.logs import logger

MAX_CLAIMS = 1_000  # per run, most trusted first: a table of 2,000 rows has more cells than anybody compares
MAX_COMPARED = 30  # claims of other runs that a claim is compared with, those with the most words in common
COMMON = 500  # an entity with more mentions says nothing about a claim's subject
_BUILDS = 0x6B6E6F77  # class of the advisory locks; a number that nothing else uses
_REFUSED = (ClaimStatus.UNSUPPORTED, ClaimStatus.CONTRADICTED, ClaimStatus.UNVERIFIABLE)
_COMPARED = (  # fields of a citation and its source; loading all columns would take a quarter of a build
    "claim",
    "start_offset",
    "end_offset",
    *(
        f"source__{name}"
        for name in "title publisher published_date content_hash canonical_url content language".split()
    ),
)

log = logger(__name__)


def build_run(tenant_id: UUID, run_id: UUID) -> bool:
    """Add the claims of a finished run to the graph, or remove them if it no longer has any.

    Return False if the run does not exist or did not complete.
    """
    with tenant_context(tenant_id):
        _wait_for_other_builds()
        run = Run.objects.filter(pk=run_id, state=State.COMPLETED).only("topic", "kind").first()
        if run is None:
            return False
        clear_run(run_id)
        claims = load_claims(Claim.objects.filter(run=run_id))
        mentions = _find_run_mentions(run, claims)
        EntityMention.objects.bulk_create(
            EntityMention(
                run_id=run_id,
                claim_id=claim,
                key=mention.key,
                name=mention.name,
                folded=fold(mention.name)[:MAX_FOLDED],
                kind=mention.kind,
            )
            for claim, found in mentions.items()
            for mention in found
        )
        links = _find_links(claims, mentions, timezone.now().date())
        ClaimLink.objects.bulk_create(links)
        RunKnowledge.objects.create(run_id=run_id, claims=len(claims))
    log.info("knowledge_built", run=str(run_id), claims=len(claims), links=len(links))
    return True


def clear_run(run_id: UUID) -> None:
    """Remove a run's claims from the graph. Needs the tenant set."""
    links = ClaimLink.objects.filter(Q(claim__run=run_id) | Q(other__run=run_id))
    ClaimLink.objects.filter(pk__in=list(links.values_list("pk", flat=True))).delete()
    EntityMention.objects.filter(run=run_id).delete()
    RunKnowledge.objects.filter(run=run_id).delete()


def rebuild_all(tenant_id: UUID) -> int:
    """Rebuild the graph of a workspace, oldest run first. Return the number of runs."""
    with tenant_context(tenant_id):
        runs = list(_select_completed_runs().values_list("pk", flat=True))
    return sum(build_run(tenant_id, run_id) for run_id in runs)


def ask_for_missing(tenant_id: UUID) -> int:
    """Enqueue the runs that are not in the graph yet. Return how many."""
    with tenant_context(tenant_id):
        missing = list(_select_completed_runs().filter(knowledge=None).values_list("pk", flat=True))
        for run_id in missing:
            enqueue_knowledge(run_id, f"missing.{timezone.now():%Y%m%d}")
    return len(missing)


def _select_completed_runs() -> QuerySet[Run]:
    return Run.objects.filter(state=State.COMPLETED).order_by("completed_at", "pk")


def _wait_for_other_builds() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [_BUILDS, str(current_tenant_id())])


def load_claims(rows: QuerySet[Claim]) -> list[KnownClaim]:
    """Return claims with a source cited in their report, each with its first source.

    Needs the tenant set.
    """
    placed = rows.filter(number__isnull=False).exclude(verification_status__in=_REFUSED)
    chosen = {
        claim.pk: claim
        for claim in placed.only("run", "text", "embedding").order_by(
            F("confidence").desc(nulls_last=True), "number"
        )[:MAX_CLAIMS]
    }
    cited = Citation.objects.filter(claim__in=chosen).select_related("source").only(*_COMPARED)
    places: dict[UUID, list[Citation]] = defaultdict(list)
    for citation in cited.order_by("citation_index", "pk"):
        places[citation.claim_id].append(citation)
    return [_build_known_claim(claim, places[pk]) for pk, claim in chosen.items() if places[pk]]


def _build_known_claim(claim: Claim, citations: Sequence[Citation]) -> KnownClaim:
    vector = None if claim.embedding is None else np.asarray(claim.embedding, dtype=np.float32)
    return KnownClaim(
        id=claim.pk,
        run=claim.run_id,
        text=claim.text,
        source=citations[0].source,
        places=tuple(
            (str(citation.source.content_id), citation.start_offset, citation.end_offset)
            for citation in citations
        ),
        vector=vector,
    )


def _find_run_mentions(run: Run, claims: Sequence[KnownClaim]) -> dict[UUID, tuple[EntityInClaim, ...]]:
    texts = [text for claim in claims for text in (claim.text, claim.source.title)]
    known = find_name_keys(run.topic, texts, [claim.source.publisher for claim in claims])
    return {
        claim.id: find_mentions(
            claim.text,
            run.topic,
            known,
            language=claim.source.language or "en",
            is_cell=run.kind == Kind.TABLE,
        )
        for claim in claims
    }


def _find_links(
    claims: Sequence[KnownClaim], mentions: Mapping[UUID, Sequence[EntityInClaim]], today: date
) -> list[ClaimLink]:
    """Return links between claims of this run and claims of other runs that share an entity."""
    others = _claims_by_key(
        {mention.key for claim_mentions in mentions.values() for mention in claim_mentions}
    )
    loaded = {
        claim.id: claim for claim in load_claims(Claim.objects.filter(pk__in=set().union(*others.values())))
    }
    links = []
    # Runs on one subject repeat sentences: a pair of them is compared once.
    relations: dict[tuple[tuple[str, ...], tuple[str, ...]], FoundLink | None] = {}
    for claim in claims:
        near = {other for mention in mentions[claim.id] for other in others.get(mention.key, ())}
        for other in _nearest(claim, (loaded[pk] for pk in near if pk in loaded)):
            if not may_be_related(claim, other):
                continue
            earlier, later = sorted((claim, other), key=lambda either: either.id)
            pair = (earlier.statement, later.statement)
            if pair not in relations:
                relations[pair] = relate(earlier, later, today)
            if (relation := relations[pair]) is not None:
                links.append(_link_row(earlier, later, relation))
    return links


def _claims_by_key(keys: Iterable[str]) -> dict[str, set[UUID]]:
    """Return the claims in the graph that mention each entity; none for very frequent entities."""
    rows = EntityMention.objects.filter(key__in=list(keys))
    counts = rows.values("key").annotate(total=Count("pk")).values_list("key", "total")
    telling = [key for key, total in counts if total <= COMMON]
    found: dict[str, set[UUID]] = defaultdict(set)
    for key, claim in rows.filter(key__in=telling).values_list("key", "claim"):
        found[key].add(claim)
    return found


def _nearest(claim: KnownClaim, others: Iterable[KnownClaim]) -> list[KnownClaim]:
    shared = Counter({other: count_shared_words(claim, other) for other in others if other.run != claim.run})
    ranked = sorted(shared, key=lambda other: (-shared[other], other.id))
    return [other for other in ranked[:MAX_COMPARED] if shared[other]]


def _link_row(claim: KnownClaim, other: KnownClaim, found: FoundLink) -> ClaimLink:
    return ClaimLink(
        claim_id=claim.id,
        other_id=other.id,
        kind=found.kind,
        mine=found.mine,
        theirs=found.theirs,
        my_time=found.my_time,
        their_time=found.their_time,
    )
