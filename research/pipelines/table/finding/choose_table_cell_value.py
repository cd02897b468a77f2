"""Choosing the value of a column from those of all sources, with the values that contradict it."""

from collections.abc import Sequence
from dataclasses import dataclass

from citations.claim_confidence import MatchKind
from research.pipelines.table.convert_table_cell_values import Value, same
from research.pipelines.table.finding.found_table_values import FoundCell, Other, ValueEvidence
from research.pipelines.table.finding.labelled_table_values import StatementForm
from research.pipelines.table.finding.table_cell_candidates import ValueCandidate
from research.pipelines.table.table_columns import TableField

_PLAIN_FIT = 0.85  # from which a labelled value counts as said in so many words
_NEAR = 0.1  # of the best fit: what lies further below is another thing, and disputes nothing
MAX_EVIDENCE = 5  # quotes of one value


@dataclass(frozen=True, slots=True)
class _CandidateGroup:
    """Candidates that say the same."""

    value: Value
    members: tuple[ValueCandidate, ...]

    @property
    def best(self) -> ValueCandidate:
        return min(self.members, key=_rank)

    @property
    def sources(self) -> int:
        return len({member.source.key for member in self.members})

    @property
    def is_former(self) -> bool:
        return all(member.is_former for member in self.members)


def choose(field: TableField, found: Sequence[ValueCandidate], order: Sequence[str]) -> FoundCell | None:
    """Return the cell for the candidates, or None if none is current. The `order` of the sources breaks ties."""
    groups = _group_by_value(
        [*_current_of_each(found), *(candidate for candidate in found if candidate.is_former)]
    )
    current = [group for group in groups if not group.is_former]
    if not current:
        return None
    taken = min(
        current, key=lambda group: (-group.sources, *_rank(group.best), order.index(group.best.source.key))
    )
    others = [_other(group) for group in groups if group is not taken]
    return FoundCell(field, _select_best_value(taken), _evidence(taken), tuple(others))


def find_outdated_values(found: Sequence[ValueCandidate]) -> tuple[Other, ...]:
    return tuple(_other(group) for group in _group_by_value(found) if group.is_former)


def _select_best_value(group: _CandidateGroup) -> Value:
    return group.best.value


def _rank(candidate: ValueCandidate) -> tuple[float, int, int, int]:
    """Return a sort key, smallest for the best: good fit, plain statement, late year, early place in the text."""
    return -round(candidate.fit, 2), int(candidate.form), -(candidate.year or 0), candidate.quote.start


def _current_of_each(candidates: Sequence[ValueCandidate]) -> list[ValueCandidate]:
    """Return the current values of each source: its best, those that agree with it, and those as good that differ.

    Where values name their years, the latest is the current one, and the others do not contradict it.
    """
    kept: list[ValueCandidate] = []
    for key in dict.fromkeys(candidate.source.key for candidate in candidates):
        mine = [
            candidate for candidate in candidates if candidate.source.key == key and not candidate.is_former
        ]
        if mine:
            best = min(mine, key=_rank)
            kept.extend(
                current
                for current in mine
                if same(current.value, best.value) or _stands_against(current, best)
            )
    return kept


def _stands_against(candidate: ValueCandidate, best: ValueCandidate) -> bool:
    is_as_good = candidate.fit >= best.fit - _NEAR and candidate.form is not StatementForm.LOOSE
    return (
        is_as_good
        and candidate.year == best.year
        and not candidate.quote.within(best.quote)
        and not best.quote.within(candidate.quote)
    )


def _group_by_value(found: Sequence[ValueCandidate]) -> list[_CandidateGroup]:
    groups: list[list[ValueCandidate]] = []
    for candidate in sorted(found, key=_rank):
        home = next((group for group in groups if same(group[0].value, candidate.value)), None)
        if home is None:
            groups.append([candidate])
        else:
            home.append(candidate)
    return [_CandidateGroup(group[0].value, tuple(group)) for group in groups]


def _other(group: _CandidateGroup) -> Other:
    return Other(group.best.value, _evidence(group), is_outdated=group.is_former)


def _evidence(group: _CandidateGroup) -> tuple[ValueEvidence, ...]:
    """Return the evidence of a group: the best quote of each source, then further quotes."""
    members = sorted(group.members, key=_rank)
    firsts: dict[str, ValueCandidate] = {}
    for member in members:
        firsts.setdefault(member.source.key, member)
    ordered = dict.fromkeys([*firsts.values(), *members])
    evidence: dict[tuple[str, int, int], ValueEvidence] = {}
    for candidate in ordered:
        evidence.setdefault(
            (candidate.source.key, candidate.quote.start, candidate.quote.end), _to_evidence(candidate)
        )
    return tuple(evidence.values())[:MAX_EVIDENCE]


def _to_evidence(candidate: ValueCandidate) -> ValueEvidence:
    is_plain = candidate.form is not StatementForm.LOOSE and candidate.fit >= _PLAIN_FIT
    kind = MatchKind.NORMALIZED if is_plain else MatchKind.PARAPHRASE
    return ValueEvidence(
        candidate.source.key,
        candidate.quote.start,
        candidate.quote.end,
        candidate.span.start,
        candidate.span.end,
        kind,
        round(candidate.fit, 4),
    )
