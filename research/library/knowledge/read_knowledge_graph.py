"""Read the graph: list entities, and return the findings about one. All functions need the tenant set."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any
from uuid import UUID

from django.db.models import Aggregate, Count, QuerySet, Sum, TextField

from citations.models import Citation
from research.library.knowledge.knowledge_folded_names import fold
from research.library.knowledge.knowledge_graph_shape import (
    Account,
    ChangePoint,
    Dispute,
    EntityKnowledge,
    EntityList,
    EntityRelation,
    EntitySummary,
    Statement,
)
from research.models import ClaimLink, EntityKind, EntityMention, LinkKind, RunKnowledge, Source

MAX_CLAIMS = 200  # the newest claims of an entity, which are shown
MAX_RELATED = 14
_COUNTS = {
    LinkKind.AGREEMENT: "agreements",
    LinkKind.CONTRADICTION: "contradictions",
    LinkKind.CHANGE: "changes",
}


class _Mode(Aggregate):
    """The most common value (SQL `mode`)."""

    function = "mode"
    template = "%(function)s() WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = TextField()


def list_entities(query: str = "", *, limit: int = 50, offset: int = 0) -> EntityList:
    """Return the entities whose names contain these words, those in the most runs first.

    Without words, subjects in ordinary words that only one claim has are left out.
    """
    rows = EntityMention.objects.all()
    if words := fold(query):
        named = EntityMention.objects.filter(folded__contains=words).values("key")
        rows = rows.filter(key__in=named)
    summaries = _summarize(rows, with_lone_subjects=bool(words))
    shown = [_summary(row) for row in summaries[offset : offset + limit]]
    keys_by_claim = _keys_by_claim([entity.key for entity in shown])
    counted = RunKnowledge.objects.aggregate(runs=Count("pk"), claims=Sum("claims"))
    return EntityList(
        entities=_with_link_counts(shown, keys_by_claim),
        relations=_relations(keys_by_claim),
        total=summaries.count(),
        runs=counted["runs"],
        claims=counted["claims"] or 0,
    )


def read_entity(key: str) -> EntityKnowledge | None:
    """Return the findings about an entity; None if no claim mentions it."""
    rows = _summarize(EntityMention.objects.filter(key=key))
    row = rows.first()
    if row is None:
        return None
    newest = EntityMention.objects.filter(key=key).order_by("-run__completed_at", "claim__number")
    claims = list(newest.values_list("claim", flat=True)[: MAX_CLAIMS + 1])
    accounts, sources = _read_accounts(claims[:MAX_CLAIMS])
    links = list(ClaimLink.objects.filter(claim__in=accounts, other__in=accounts))
    related = EntityMention.objects.filter(claim__in=accounts).exclude(key=key)
    [entity] = _with_link_counts([_summary(row)], _keys_by_claim([key]))
    return EntityKnowledge(
        entity=entity,
        statements=_statements(accounts, sources, links),
        changes=_changes(accounts, [link for link in links if link.kind == LinkKind.CHANGE]),
        related=[_summary(related_row) for related_row in _summarize(related, by_claims=True)[:MAX_RELATED]],
        is_complete=len(claims) <= MAX_CLAIMS,
    )


def _summarize(
    rows: QuerySet[EntityMention], *, by_claims: bool = False, with_lone_subjects: bool = True
) -> "QuerySet[EntityMention, Any]":
    order = ("-claims", "key") if by_claims else ("-runs", "-claims", "key")
    found = rows.values("key").annotate(
        claims=Count("pk"), runs=Count("run", distinct=True), most=_Mode("name"), is_of=_Mode("kind")
    )
    if not with_lone_subjects:
        found = found.exclude(is_of=EntityKind.SUBJECT, claims=1)
    return found.order_by(*order)


def _summary(row: Mapping[str, object]) -> EntitySummary:
    return EntitySummary.model_validate(
        {
            "key": row["key"],
            "name": row["most"],
            "kind": row["is_of"],
            "claims": row["claims"],
            "runs": row["runs"],
        }
    )


def _keys_by_claim(keys: Sequence[str]) -> dict[UUID, set[str]]:
    """Return the claims that mention the entities, each with those that it mentions.

    Pairs are counted in Python: the database would join the table with itself, which takes seconds as long as it has
    no statistics of a workspace that has just grown.
    """
    found: dict[UUID, set[str]] = defaultdict(set)
    for claim, key in EntityMention.objects.filter(key__in=keys).values_list("claim", "key"):
        found[claim].add(key)
    return dict(found)


def _with_link_counts(
    entities: Sequence[EntitySummary], keys_by_claim: Mapping[UUID, set[str]]
) -> list[EntitySummary]:
    """Return the entities with the numbers of links between claims that both mention them."""
    counts = {entity.key: Counter[str]() for entity in entities}
    links = ClaimLink.objects.filter(claim__in=list(keys_by_claim)).values_list("claim", "other", "kind")
    for claim, other, kind in links:
        for key in keys_by_claim[claim] & keys_by_claim.get(other, set()):
            counts[key][_COUNTS[LinkKind(kind)]] += 1
    return [entity.model_copy(update=dict(counts[entity.key])) for entity in entities]


def _relations(keys_by_claim: Mapping[UUID, set[str]]) -> list[EntityRelation]:
    pairs = Counter(pair for keys in keys_by_claim.values() for pair in combinations(sorted(keys), 2))
    ranked = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))
    return [EntityRelation(a=a, b=b, claims=count) for (a, b), count in ranked]


def _read_accounts(claims: Sequence[UUID]) -> tuple[dict[UUID, Account], dict[UUID, list[Source]]]:
    """Return the accounts in the order of the claims, and all sources of each."""
    rows = Citation.objects.filter(claim__in=claims).select_related("claim__run", "source")
    rows = rows.only(
        "claim__text", "claim__number", "claim__run__topic", "claim__run__completed_at", "quote",
        "source__title", "source__canonical_url", "source__url", "source__published_date", "source__domain",
        "source__publisher", "source__author", "source__content_hash", "source__syndicated_from",
    )  # fmt: skip
    cited: dict[UUID, list[Citation]] = defaultdict(list)
    for citation in rows.order_by("citation_index", "pk"):
        cited[citation.claim_id].append(citation)
    known = [claim for claim in claims if claim in cited]
    return (
        {claim: _account(cited[claim][0]) for claim in known},
        {claim: [citation.source for citation in cited[claim]] for claim in known},
    )


def _account(citation: Citation) -> Account:
    claim, source = citation.claim, citation.source
    return Account(
        claim=claim.pk,
        run=claim.run_id,
        question=claim.run.topic,
        number=claim.number or 0,
        completed_at=claim.run.completed_at,
        text=claim.text,
        quote=citation.quote,
        source=source.pk,
        source_title=str(source),
        source_url=source.url,
        published=source.published_date,
    )


def _statements(
    accounts: Mapping[UUID, Account], sources: Mapping[UUID, Sequence[Source]], links: Sequence[ClaimLink]
) -> list[Statement]:
    """Return groups of agreeing claims as statements; disputed ones first, then those with the most sources."""
    agreeing = [link for link in links if link.kind == LinkKind.AGREEMENT]
    disputes = _disputes(accounts, [link for link in links if link.kind == LinkKind.CONTRADICTION])
    statements = []
    for group in _components(accounts, agreeing):
        cited = {source.pk: source for claim in group for source in sources[claim]}
        statements.append(
            Statement(
                text=accounts[group[0]].text,
                runs=len({accounts[claim].run for claim in group}),
                sources=_count_independent(cited.values()),
                accounts=[accounts[claim] for claim in group],
                disputes=[dispute for claim in group for dispute in disputes[claim]],
            )
        )
    return sorted(
        statements, key=lambda statement: (not statement.disputes, -statement.sources, -statement.runs)
    )


def _disputes(
    accounts: Mapping[UUID, Account], links: Iterable[ClaimLink]
) -> defaultdict[UUID, list[Dispute]]:
    disputes = defaultdict[UUID, list[Dispute]](list)
    for link in links:
        for mine, theirs, words in (
            (link.claim_id, link.other_id, (link.mine, link.theirs)),
            (link.other_id, link.claim_id, (link.theirs, link.mine)),
        ):
            other = accounts[theirs]
            disputes[mine].append(
                Dispute(text=other.text, number=other.number, run=other.run, mine=words[0], theirs=words[1])
            )
    return disputes


def _changes(accounts: Mapping[UUID, Account], links: Sequence[ClaimLink]) -> list[list[ChangePoint]]:
    """Return series of one quantity: claims linked as changes, oldest first."""
    values: dict[UUID, tuple[str, str]] = {}
    for link in links:
        values.setdefault(link.claim_id, (link.my_time, link.mine))
        values.setdefault(link.other_id, (link.their_time, link.theirs))
    series = [
        sorted(
            (
                ChangePoint(time=values[claim][0], value=values[claim][1], account=accounts[claim])
                for claim in group
            ),
            key=lambda point: point.time,
        )
        for group in _components({claim: accounts[claim] for claim in accounts if claim in values}, links)
    ]
    return sorted(series, key=lambda points: -len(points))


def _components(claims: Iterable[UUID], links: Iterable[ClaimLink]) -> list[list[UUID]]:
    """Return the claims in groups connected by links, in the order of the claims."""
    near: dict[UUID, list[UUID]] = defaultdict(list)
    for link in links:
        near[link.claim_id].append(link.other_id)
        near[link.other_id].append(link.claim_id)
    order = list(claims)
    place = {claim: index for index, claim in enumerate(order)}
    seen: set[UUID] = set()
    components = []
    for first in order:
        if first in seen:
            continue
        group, waiting = set[UUID](), [first]
        while waiting:
            claim = waiting.pop()
            if claim not in group:
                group.add(claim)
                waiting += [other for other in near[claim] if other in place]
        seen |= group
        components.append(sorted(group, key=place.__getitem__))
    return components


def _count_independent(sources: Iterable[Source]) -> int:
    """Count the independent sources, each once even if several runs cite it."""
    from citations.bibliography.author_names import author_names
    from citations.claim_strength import (  # imported here, as loading it would slow down every web process
        Origin,
        independent,
        work_key,
    )

    return independent(
        Origin(
            source=source.content_hash or source.canonical_url,
            text_group=source.content_hash,
            domain=source.domain,
            publisher=source.publisher,
            authors=author_names(source.author),
            work=work_key(source.title),
            repeats=source.syndicated_from,
        )
        for source in sources
    )
