"""Find excerpts that jointly support a statement when none supports all of it. Pure.

No excerpt says that the parts belong together, so such a statement is at best partially supported; facts that are in
no excerpt are named in the reasons. If any excerpt names the subject of a clause, a figure of that clause must be found
in an excerpt with that subject.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from citations.entailment.claim_parts import ClaimPart, PartKind, PartState
from citations.verification import Verdict, VerdictStatus

PARTED = "No excerpt says it whole: its parts stand in several."
FACTS = frozenset({PartKind.QUANTITY, PartKind.TIME, PartKind.NAME})
FIGURES = frozenset({PartKind.QUANTITY, PartKind.TIME})
MAX_TRIED = 8  # passages tried in combination: those with most facts
ENOUGH = 0.5  # least share of the statement's facts, and of its words, that must be found

_SEAM = re.compile(r"[,;:]\s|\b(?:and|but|while|whereas)\b")
Key = tuple[int, int]


@dataclass(frozen=True, slots=True)
class JointVerdict:
    """A verdict supported by several passages. `places`: their indexes; each has a part that the others lack."""

    places: tuple[int, ...]
    verdict: Verdict


def join(statement: str, verdicts: Sequence[Verdict], most: int) -> JointVerdict | None:
    """Return the joint verdict of two to `most` passages; None if no such group supports the statement.

    `verdicts`: the verdict on each passage alone.
    """
    if any(_turns(verdict) for verdict in verdicts) or not _has_its_words(verdicts):
        return None
    places = _find_covering_passages(statement, verdicts, most)
    facts = {_key(part): part for verdict in verdicts for part in verdict.parts if part.kind in FACTS}
    found = _collect_matched_facts([verdicts[place] for place in places])
    if not places or len(found) < ENOUGH * len(facts):
        return None
    lacking = [part.text for key, part in sorted(facts.items()) if key not in found]
    reasons = (PARTED, *(f"“{text}” is not in the source." for text in lacking))
    best = verdicts[places[0]]
    support = max(verdict.support for verdict in verdicts)
    return JointVerdict(
        places,
        Verdict(
            VerdictStatus.PARTIALLY_SUPPORTED, reasons, support, best.passage, best.span, parts=best.parts
        ),
    )


def _select_matched_keys(verdict: Verdict, kinds: frozenset[PartKind]) -> frozenset[Key]:
    found = (part for part in verdict.parts if part.kind in kinds and part.state is PartState.MATCHED)
    return frozenset(map(_key, found))


def _key(part: ClaimPart) -> Key:
    return part.span.start, part.span.end


def _find_covering_passages(statement: str, verdicts: Sequence[Verdict], most: int) -> tuple[int, ...]:
    """Return the indexes of the passages with most facts, each with one that the others lack; none if under two."""
    facts = [_select_matched_keys(verdict, FACTS) for verdict in verdicts]
    likely = sorted((at for at, keys in enumerate(facts) if keys), key=lambda at: (-len(facts[at]), at))[
        :MAX_TRIED
    ]
    sets = (
        tuple(sorted(combination))
        for size in range(2, most + 1)
        for combination in combinations(likely, size)
    )
    known = frozenset[Key]().union(
        *(_select_matched_keys(verdict, frozenset({PartKind.NAME})) for verdict in verdicts)
    )
    sound = [places for places in sets if _is_sound(statement, [verdicts[at] for at in places], known)]
    return min(
        sound,
        key=lambda places: (
            -len(_collect_matched_facts([verdicts[at] for at in places])),
            len(places),
            places,
        ),
        default=(),
    )


def _is_sound(statement: str, chosen: Sequence[Verdict], known: frozenset[Key]) -> bool:
    whole = len(_collect_matched_facts(chosen))
    adds = all(
        len(_collect_matched_facts([verdict for verdict in chosen if verdict is not left])) < whole
        for left in chosen
    )
    return adds and not _is_of_another(statement, chosen, known)


def _collect_matched_facts(chosen: Sequence[Verdict]) -> frozenset[Key]:
    return frozenset[Key]().union(*(_select_matched_keys(verdict, FACTS) for verdict in chosen))


def _has_its_words(verdicts: Sequence[Verdict]) -> bool:
    words = {PartKind.WORD}
    every = {_key(part) for verdict in verdicts for part in verdict.parts if part.kind in words}
    found = frozenset[Key]().union(*(_select_matched_keys(verdict, frozenset(words)) for verdict in verdicts))
    return len(found) >= ENOUGH * len(every)


def _turns(verdict: Verdict) -> bool:
    """Return True if the passage says the opposite of a part: “no” for “yes”, “fell” for “rose”."""
    against = (part for part in verdict.parts if part.state is PartState.CONFLICTING)
    return any(part.kind not in FACTS for part in against)


def _is_of_another(statement: str, verdicts: Sequence[Verdict], known: frozenset[Key]) -> bool:
    """Return True if no passage with a figure has a name of the figure's clause, although that name is `known`."""
    named = [_select_matched_keys(verdict, frozenset({PartKind.NAME})) for verdict in verdicts]
    figures = [_select_matched_keys(verdict, FIGURES) for verdict in verdicts]
    for names, figure in _about(statement, verdicts, known):
        holders = [place for place, keys in enumerate(figures) if figure in keys]
        if names and holders and not any(named[place] & names for place in holders):
            return True
    return False


def _about(
    statement: str, verdicts: Sequence[Verdict], known: frozenset[Key]
) -> Iterator[tuple[frozenset[Key], Key]]:
    """Yield each figure with the `known` names of its clause, or of the last clause before it that has a name."""
    parts = {_key(part): part for verdict in verdicts for part in verdict.parts}
    names: dict[int, frozenset[Key]] = {}
    for key, part in parts.items():
        if part.kind is PartKind.NAME:
            at = _stretch(statement, part)
            names[at] = names.get(at, frozenset()) | ({key} & known)
    for key, part in parts.items():
        if part.kind in FIGURES:
            before = [at for at in names if at <= _stretch(statement, part)]
            yield (names[max(before)] if before else frozenset()), key


def _stretch(statement: str, part: ClaimPart) -> int:
    return sum(seam.start() < part.span.start for seam in _SEAM.finditer(statement))
