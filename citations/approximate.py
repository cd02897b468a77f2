"""The window of a text that is nearest to a pattern by edit distance (Levenshtein), when it is near enough.

Candidates come from seeds: a pattern with at most k errors, cut into k + 1 pieces, has at least one piece
unharmed (Wu and Manber 1992). Each candidate is checked by Myers' bit-parallel algorithm (J. ACM 46(3),
1999, doi:10.1145/316542.316550), whose bit vectors are Python integers of the pattern's length.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from citations.normalizing import Span

# Seeds are searched one by one: 64 keep the guarantee for patterns of up to some 600 characters; longer
# ones are found by the runs that any honest copy leaves unharmed.
MAX_SEEDS = 64
# A seed that stands everywhere tells nothing; the other seeds find the place.
MAX_HITS_PER_SEED = 1_000
# Checked windows, those with most seeds first. One check costs about 1 ms for a pattern of 300 characters.
MAX_WINDOWS = 24


@dataclass(frozen=True, slots=True)
class Window:
    """A span of the text and its edit distance from the pattern."""

    span: Span
    distance: int


def _distances(pattern: str, text: str, *, anchored: bool) -> Iterator[int]:
    """Edit distance of the whole pattern to the best piece of text that ends at each character.

    With `anchored` that piece begins where the text begins.
    """
    length = len(pattern)
    mask, last = (1 << length) - 1, 1 << (length - 1)
    where: defaultdict[str, int] = defaultdict(int)
    for index, character in enumerate(pattern):
        where[character] |= 1 << index
    positive, negative, distance = mask, 0, length
    for character in text:
        equal = where.get(character, 0)
        vertical = equal | negative
        horizontal = (((equal & positive) + positive) ^ positive) | equal
        up = negative | (~(horizontal | positive) & mask)
        down = positive & horizontal
        distance += bool(up & last) - bool(down & last)
        up = (up << 1) | anchored
        down <<= 1
        positive = (down | ~(vertical | up)) & mask
        negative = up & vertical & mask
        yield distance


def edit_distance(a: str, b: str) -> int:
    """Levenshtein distance of two texts."""
    if not a or not b:
        return len(a) + len(b)
    return list(_distances(a, b, anchored=True))[-1]


def _seeds(pattern: str, allowed: int) -> list[tuple[int, str]]:
    count = min(allowed + 1, MAX_SEEDS)
    cuts = [len(pattern) * index // count for index in range(count + 1)]
    return [(start, pattern[start:end]) for start, end in zip(cuts, cuts[1:], strict=False)]


def _hits(seed: str, text: str) -> Iterator[int]:
    position = text.find(seed)
    for _ in range(MAX_HITS_PER_SEED):
        if position < 0:
            return
        yield position
        position = text.find(seed, position + 1)


def _candidates(pattern: str, text: str, allowed: int) -> list[int]:
    """Likely starts of the pattern in the text, those with most seeds first."""
    band = allowed + 1
    votes: Counter[int] = Counter()
    for offset, seed in _seeds(pattern, allowed):
        votes.update({(position - offset) // band for position in _hits(seed, text)})
    ranked = sorted(votes, key=lambda bucket: (-votes[bucket] - votes[bucket + 1], bucket))
    return [bucket * band for bucket in ranked[:MAX_WINDOWS]]


def _best_window(pattern: str, text: str, start: int, allowed: int) -> Window | None:
    """The best match that begins near `start`, give or take the allowed errors."""
    begin = max(0, start - allowed)
    region = text[begin : start + len(pattern) + 3 * allowed + 2]
    ends = list(_distances(pattern, region, anchored=False))
    distance = min(ends, default=allowed + 1)
    if distance > allowed:
        return None
    # Among equally good ends the last character of the pattern should be that of the window.
    end = max(
        (position + 1 for position, each in enumerate(ends) if each == distance),
        key=lambda position: (region[position - 1] == pattern[-1], -position),
    )
    backwards = list(_distances(pattern[::-1], region[:end][::-1], anchored=True))
    length = max(
        (index + 1 for index, each in enumerate(backwards) if each == distance),
        key=lambda length: (region[end - length] == pattern[0], -length),
    )
    return Window(Span(begin + end - length, begin + end), distance)


def nearest_window(pattern: str, text: str, allowed: int, hint: int | None = None) -> Window | None:
    """The window of `text` nearest to `pattern` with at most `allowed` edits.

    Of equally near ones it is the one nearest to the offset `hint`, else the first. Raises ValueError for an
    empty pattern, which would match everywhere.
    """
    if not pattern:
        raise ValueError("empty pattern")
    found = (_best_window(pattern, text, start, allowed) for start in _candidates(pattern, text, allowed))
    near = 0 if hint is None else hint
    return min(
        (window for window in found if window is not None),
        key=lambda window: (window.distance, abs(window.span.start - near)),
        default=None,
    )
