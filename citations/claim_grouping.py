"""Groups claims that agree; the work grows about linearly with their number.

A claim is compared with the first claim of each candidate group: groups that share two of its rarer words, or are near
by embedding (citations.contradiction.candidate_claim_pairs). It joins the group whose first claim it agrees with.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from citations.claim_similarity import ComparedClaim, Similarity, SimilarityKind, compare
from citations.contradiction.candidate_claim_pairs import candidate_pairs
from citations.contradiction.contradiction_profiles import NOMINAL, EmbeddingProfile
from citations.contradiction.nearest_claim_vectors import Vectors, nearest
from citations.text.claim_words_and_stems import content_stems

NEAREST = 6
# Share of the shorter claim's content words that two claims must have in common to be compared: others hardly agree.
# Unless the cosine alone makes them agree, one must contain nearly all of the other.
_SHARED = 0.5
_SHARED_CARRIED = 0.7
AGREEING = frozenset({SimilarityKind.DUPLICATE, SimilarityKind.CORROBORATION})


@dataclass(frozen=True, slots=True)
class Grouping:
    """Ids of claims by group, each beginning with its first claim, and pairs in possible conflict."""

    groups: tuple[tuple[str, ...], ...]
    conflicts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Claims:
    """The data for comparing two claims, by their names."""

    statements: Mapping[str, ComparedClaim]
    stems: Mapping[str, frozenset[str]]
    rows: Mapping[str, int]
    vectors: Vectors
    profile: EmbeddingProfile

    def compare_pair(self, first: str, second: str) -> Similarity | None:
        """Compare two claims; None if they are too different to agree or to conflict."""
        mine, theirs = self.stems[first], self.stems[second]
        shared = len(mine & theirs) / max(1, min(len(mine), len(theirs)))
        if shared < _SHARED and mine and theirs:
            return None
        cosine = float(self.vectors[self.rows[first]] @ self.vectors[self.rows[second]])
        wanted = _SHARED if cosine >= self.profile.corroboration else _SHARED_CARRIED
        if cosine < self.profile.related or (shared < wanted and mine and theirs):
            return None
        return compare(self.statements[first], self.statements[second], cosine, self.profile)


def group(
    statements: Mapping[str, ComparedClaim], vectors: Vectors, profile: EmbeddingProfile = NOMINAL
) -> Grouping:
    """Group claims whose embeddings are the rows of `vectors`, in the order of the claims.

    Raises ValueError if claims and vectors differ in number.
    """
    if len(statements) != len(vectors):
        raise ValueError(f"{len(statements)} claims and {len(vectors)} vectors")
    stems = {name: content_stems(statement.text) for name, statement in statements.items()}
    rows = {name: row for row, name in enumerate(statements)}
    return _group_claims(_Claims(statements, stems, rows, vectors, profile))


def _group_claims(claims: _Claims) -> Grouping:
    partners = _earlier_partners(claims)
    first_of: dict[str, str] = {}
    groups: dict[str, list[str]] = {}
    conflicts: dict[tuple[str, str], None] = {}
    for name in claims.statements:
        leaders = dict.fromkeys(first_of[other] for other in partners[name])
        joined, opposed = _assign_group(claims, name, leaders)
        first_of[name] = joined or name
        groups.setdefault(first_of[name], []).append(name)
        conflicts |= dict.fromkeys((leader, first_of[name]) for leader in opposed)
    return Grouping(tuple(map(tuple, groups.values())), tuple(conflicts))


def _assign_group(claims: _Claims, name: str, leaders: Iterable[str]) -> tuple[str | None, list[str]]:
    """Return the group that a claim joins, None for a new one, and the groups with which it may conflict."""
    opposed: list[str] = []
    for leader in leaders:
        found = claims.compare_pair(leader, name)
        if found and found.kind in AGREEING:
            return leader, opposed
        if found and found.is_possible_contradiction:
            opposed.append(leader)
    return None, opposed


def _earlier_partners(claims: _Claims) -> dict[str, list[str]]:
    """Return for each claim the earlier ones that are worth comparing with it, nearest by embedding first."""
    names = list(claims.statements)
    near = {
        names[row]: [(names[other], cosine) for other, cosine in others]
        for row, others in enumerate(nearest(claims.vectors, NEAREST))
    }
    partners: dict[str, list[tuple[float, str]]] = {name: [] for name in names}
    for first, second, cosine in candidate_pairs(claims.stems, near):
        partners[second].append((-(cosine or 0.0), first))
    return {name: [other for _, other in sorted(found)] for name, found in partners.items()}
