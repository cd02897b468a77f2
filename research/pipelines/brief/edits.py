"""Edits of an image's prompt: what a claim says, as a change that its consumer can make. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence

from citations.credibility.brief_scores import GOOD_EDIT, MOST_EDITS
from research.pipelines.brief.stored import Action, DraftClaim, DraftEdit, KeyClaim, PromptEdit, Target

LONGEST_VALUE, LONGEST_REASON = 200, 400  # characters
_AGAINST = re.compile(
    r"\b(?:avoid\w*|never|without|no|not|\w+n['’]t|remove|forbid\w*|prohibit\w*|rather than)\b", re.IGNORECASE
)
_WHERE = re.compile(
    r"\b(?:background|foreground|left|right|top|bottom|centre|center|corner|sky|horizon|edge|middle)\b",
    re.IGNORECASE,
)
_EXCHANGE = re.compile(r"\b(?:instead of|rather than|replace\w*|in place of)\b", re.IGNORECASE)


def edits_by_rules(claims: Sequence[DraftClaim]) -> list[DraftEdit]:
    """One for each claim that an image can show: what is seen and felt first, then what can be acted on."""
    order = {"visual": 0, "tonal": 1, "strategic": 2, "factual": 3}
    usable = [
        index for index, one in enumerate(claims) if one.actionable or one.category in ("visual", "tonal")
    ]
    usable.sort(key=lambda index: order[claims[index].category])
    return [_edit(index, claims[index]) for index in usable[:MOST_EDITS]]


def _edit(index: int, claim: DraftClaim) -> DraftEdit:
    target, action = target_of(claim.text)
    return DraftEdit(
        target=target,
        action=action,
        value=shorten_text(claim.text, LONGEST_VALUE),
        reasoning=f"Claim {index + 1} says so.",
        claims=[index],
    )


def target_of(text: str) -> tuple[Target, Action]:
    """Return the part of the prompt that a text is for, and whether to add to that part or to replace in it.

    A text against something goes to the negative prompt, one with a place to that place, one on style to the style.

    >>> target_of("Avoid harsh light."), target_of("The sky should be pale.")
    (('negative_prompt', 'add'), ('regional_constraint', 'add'))
    """
    if _EXCHANGE.search(text):
        return "base_prompt", "replace"
    if _AGAINST.search(text):
        return "negative_prompt", "add"
    if _WHERE.search(text):
        return "regional_constraint", "add"
    is_style = re.search(r"\b(?:style|tone|mood|light\w*|colou?r\w*|palette|texture)\b", text, re.IGNORECASE)
    return ("style_modifier" if is_style else "base_prompt"), "add"


def shorten_text(text: str, most: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[:most].rsplit(' ', 1)[0]} …"


def rank_edits(
    edits: Iterable[DraftEdit], numbers: Sequence[int | None], claims: Iterable[KeyClaim]
) -> list[PromptEdit]:
    """Each with the mean confidence of the claims that support it; one that no claim of the brief supports is dropped.

    `numbers`: of each draft claim the number that it has in the brief, None where it left it. Good ones come first.
    """
    known = {claim.number: claim.confidence for claim in claims}
    found = list(_score_edits(edits, numbers, known))
    found.sort(key=lambda one: -one.confidence)
    good = [one for one in found if one.confidence > GOOD_EDIT]
    return (good if len(good) >= MOST_EDITS else found)[:MOST_EDITS]


def _score_edits(
    edits: Iterable[DraftEdit], numbers: Sequence[int | None], known: dict[int, float]
) -> Iterator[PromptEdit]:
    seen = set()
    for edit in edits:
        placed = {numbers[index] for index in edit.claims if 0 <= index < len(numbers)}
        support = sorted(one for one in placed if one is not None and one in known)
        value, place = (
            shorten_text(edit.value, LONGEST_VALUE),
            (edit.target, edit.action, edit.value.casefold()),
        )
        if support and value and place not in seen:
            seen.add(place)
            yield PromptEdit(
                target=edit.target,
                action=edit.action,
                value=value,
                reasoning=shorten_text(edit.reasoning, LONGEST_REASON),
                confidence=round(sum(known[one] for one in support) / len(support), 4),
                supporting_claims=support,
            )
