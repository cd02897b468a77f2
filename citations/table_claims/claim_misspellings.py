"""Detects misspellings: one letter added, missing, replaced or swapped; two in a long word."""

MIN_MISSPELT_LENGTH = 6  # letters; shorter words that differ by one are too often different words
_LONG = 10


def is_misspelling(a: str, b: str) -> bool:
    """True for two words that begin alike and are one edit apart, or two in words of ten letters and more."""
    if a == b or a[0] != b[0] or min(len(a), len(b)) < MIN_MISSPELT_LENGTH:
        return False
    allowed = 2 if min(len(a), len(b)) >= _LONG else 1
    return abs(len(a) - len(b)) <= allowed and edits(a, b) <= allowed


def edits(a: str, b: str) -> int:
    """Count insertions, deletions, substitutions and swaps of neighbours (optimal string alignment)."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before, last = last, row
    return last[-1]
