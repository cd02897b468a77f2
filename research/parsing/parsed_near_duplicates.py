"""Detection of near-duplicate texts by MinHash (128 permutations) over word shingles (Broder 1997)."""

from __future__ import annotations

import hashlib
import re

import numpy as np
import numpy.typing as npt

PERMUTATIONS = 128
SHINGLE_WORDS = 5
_PRIME = np.uint64((1 << 31) - 1)  # products of two residues fit in 64 bits
_WORD = re.compile(r"\w+")
_BATCH = 4_096  # shingles at a time: 4 MB of hashes

Signature = npt.NDArray[np.uint32]


def _coefficients() -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    random = np.random.default_rng(20_240_101)
    return (
        random.integers(1, int(_PRIME), PERMUTATIONS, dtype=np.uint64)[:, None],
        random.integers(0, int(_PRIME), PERMUTATIONS, dtype=np.uint64)[:, None],
    )


_FACTORS, _OFFSETS = _coefficients()


def signature(text: str) -> Signature:
    """Return the signature, of shape (128,).

    A text shorter than a shingle counts as one; an empty text equals only others.
    """
    hashes = _shingle_hashes(text)
    least = np.full(PERMUTATIONS, _PRIME, dtype=np.uint64)
    for start in range(0, len(hashes), _BATCH):
        permuted = (_FACTORS * hashes[None, start : start + _BATCH] + _OFFSETS) % _PRIME
        np.minimum(least, permuted.min(axis=1), out=least)
    return least.astype(np.uint32)


def _shingle_hashes(text: str) -> npt.NDArray[np.uint64]:
    words = _WORD.findall(text.casefold())
    if not words:
        return np.empty(0, dtype=np.uint64)
    word_hashes = {word: _word_hash(word) for word in set(words)}
    sequence = np.array([word_hashes[word] for word in words], dtype=np.uint64)
    width = min(SHINGLE_WORDS, len(words))
    combined = np.zeros(len(words) - width + 1, dtype=np.uint64)
    for position in range(width):
        window = sequence[position : position + len(combined)]
        combined = (combined * np.uint64(1_000_003) + window) % _PRIME
    return np.unique(combined)


def _word_hash(word: str) -> int:
    digest = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=4).digest()
    return int.from_bytes(digest, "big") % int(_PRIME)
