"""Finds documents with the same text: exact copies are read once, near copies are marked.

Documents of different folders are not copies of each other: a run may search one folder only.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.db.models import F, QuerySet

from research.db.bulk_sql import open_prepared_cursor
from research.library.library_folders import WEB
from research.models import Content, DocumentStatus, LibraryDocument
from research.parsing.parsed_near_duplicates import PERMUTATIONS

# Estimated from 128 permutations; the standard error at 0.9 is 0.03.
NEAR = 0.9
# A news agency's text is shortened, or embedded in a site's own: most of the shorter text is in the longer one.
# Below the least similarity the estimate is too coarse for that (its error at 0.25 is 0.04).
CONTAINED, MIN_TO_TELL, MIN_WORDS = 0.8, 0.25, 60
_COMPARED_FIRST = 16  # of the positions of two signatures
_NO_HASH = np.iinfo(np.uint32).max  # hashes have 31 bits

SAME_TEXTS = """
SELECT DISTINCT ON (asked.id) asked.id, document.id, document.path
FROM unnest(%(folders)s::text[], %(ids)s::uuid[], %(texts)s::text[]) AS asked(folder, id, sha256)
JOIN research_content content ON content.sha256 = asked.sha256
JOIN research_librarydocument document ON document.content_id = content.id
WHERE document.folder = asked.folder AND document.status = 'ready' AND document.id <> asked.id
ORDER BY asked.id, document.path
"""

Shares = npt.NDArray[np.float64]
Table = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Original:
    """The document of which another is a copy. `similarity` is 1.0 and `is_exact` true for the same text."""

    document_id: UUID
    path: str
    similarity: float
    is_exact: bool


@dataclass(frozen=True, slots=True)
class DocumentText:
    """A document, saved or not, with the text that it has now."""

    document: LibraryDocument
    sha256: str
    minhash: bytes
    word_count: int


class KnownSignatures:
    """The signatures of a folder's documents in memory, so that an import does not load them for each document.

    They only say which documents are worth a comparison: rows may have changed since.
    """

    def __init__(self, folder: str) -> None:
        documents = LibraryDocument.objects.filter(
            folder=folder, status=DocumentStatus.READY, duplicate_of=None
        )
        rows = list(documents.values_list("pk", "content__minhash"))
        self._ids = [row[0] for row in rows]
        self._table = _signatures([bytes(row[1]) for row in rows])

    def add(self, document_id: UUID, minhash: bytes) -> None:
        if len(self._ids) == len(
            self._table
        ):  # doubled, so that adding takes the same time whatever their number
            self._table = np.concatenate([self._table, np.zeros_like(self._table), _signatures([b""])])
        self._table[len(self._ids)] = _signatures([minhash])[0]
        self._ids.append(document_id)

    def find_alike(self, minhash: bytes) -> list[UUID]:
        """Return the documents with a similarity of at least NEAR to the signature."""
        [own], table = _signatures([minhash]), self._table[: len(self._ids)]
        # So few positions of two such signatures differ that this many of the first ones are equal.
        fewest = _COMPARED_FIRST - int(PERMUTATIONS * (1 - NEAR))
        first = (table[:, :_COMPARED_FIRST] == own[:_COMPARED_FIRST]).sum(axis=1)
        near = np.flatnonzero(first >= fewest)
        return [self._ids[index] for index in near[_compute_shares(own, table[near]) >= NEAR]]


def find_originals(
    texts: Sequence[DocumentText], known: Mapping[str, KnownSignatures] | None = None
) -> list[Original | None]:
    """Return for each text the most similar readable document of the same folder with it or nearly with it, None if
    there is none.

    `known`: the signatures of folders, by their keys.
    """
    columns: Mapping[str, list[str] | list[UUID]] = {
        "folders": [text.document.folder for text in texts],
        "ids": [text.document.pk for text in texts],
        "texts": [text.sha256 for text in texts],
    }
    with open_prepared_cursor() as cursor:
        cursor.execute(SAME_TEXTS, columns)
        same = {asked: Original(found, path, 1.0, is_exact=True) for asked, found, path in cursor.fetchall()}
    known = known or {}
    return [
        same.get(text.document.pk) or _find_near_copy(text, known.get(text.document.folder)) for text in texts
    ]


def _find_near_copy(text: DocumentText, known: KnownSignatures | None) -> Original | None:
    document = text.document
    # A run compares its own pages; a comparison with all saved pages would not end.
    if document.folder == WEB:
        return None
    others = LibraryDocument.objects.filter(folder=document.folder, status=DocumentStatus.READY)
    others = others.exclude(pk=document.pk).order_by("path")
    # Copies are not originals, so that no two documents are copies of each other.
    others = others.filter(duplicate_of=None, content__word_count__range=_similar_lengths(text.word_count))
    if known is not None:
        if not (alike_ids := known.find_alike(text.minhash)):
            return None
        others = others.filter(pk__in=alike_ids)
    rows = list(others.values_list("pk", "path", "content__minhash"))
    alike = similarities(text.minhash, [bytes(row[2]) for row in rows])
    best = int(alike.argmax()) if len(alike) else -1
    if best < 0 or alike[best] < NEAR:
        return None
    return Original(rows[best][0], rows[best][1], float(alike[best]), is_exact=False)


def _similar_lengths(words: int) -> tuple[int, int]:
    """Return the fewest and the most words of a text that can be nearly the same as one of `words` words.

    Of two texts with a similarity of at least NEAR, one has at most 1 / NEAR times the other's shingles. Repeated
    shingles count once, and repetition differs little between such texts; the margin allows for it.
    """
    return int(words * NEAR * 0.9), int(words / NEAR / 0.9) + 1


def similarities(minhash: bytes, others: Sequence[bytes]) -> Shares:
    """Return the estimated Jaccard similarity to each of the others, 0.0–1.0; 0 if one has no signature."""
    [own], table = _signatures([minhash]), _signatures(others)
    return _compute_shares(own, table)


def text_groups(contents: Iterable[Content]) -> Mapping[UUID, str]:
    """Return a group name for each text: texts that are nearly equal, or of which one contains most of the other.

    Groups are transitive. The names fit `citations.claim_strength.Origin.text_group`: sources of one group count as one
    origin.
    """
    texts = sorted(contents, key=lambda content: content.pk)
    if len(texts) == 1:  # a single text needs no comparison, and its signature may not be loaded
        return {texts[0].pk: str(texts[0].pk)}
    table = _signatures([bytes(content.minhash) for content in texts])
    words = np.array([content.word_count for content in texts], dtype=np.float64)
    group = list(range(len(texts)))
    for index, own in enumerate(table):
        for other in np.flatnonzero(
            _one_voice(_compute_shares(own, table[:index]), words[index], words[:index])
        ):
            old, new = group[index], group[int(other)]
            group = [min(old, new) if each in (old, new) else each for each in group]
    return {content.pk: str(texts[group[index]].pk) for index, content in enumerate(texts)}


def _one_voice(alike: Shares, words: float, others: Shares) -> npt.NDArray[np.bool_]:
    """Return for each of the others whether it is nearly the same text, or one of the two contains most of the other.

    Containment is measured by common shingles, |A ∩ B| = J (|A| + |B|) / (1 + J), as a share of the shorter text's.
    """
    shorter = np.minimum(words, others)
    contained = alike * (words + others) / ((1 + alike) * np.maximum(shorter, 1.0))
    is_part = (contained >= CONTAINED) & (alike >= MIN_TO_TELL) & (shorter >= MIN_WORDS)
    found: npt.NDArray[np.bool_] = (alike >= NEAR) | is_part
    return found


def find_orphaned_copies(folder: str) -> QuerySet[LibraryDocument]:
    """Return copies whose original is gone or has another text now, so that they must be read."""
    copies = LibraryDocument.objects.filter(folder=folder, status=DocumentStatus.DUPLICATE)
    return copies.exclude(
        duplicate_of__status=DocumentStatus.READY, duplicate_of__content__sha256=F("content__sha256")
    )


def _signatures(minhashes: Sequence[bytes]) -> Table:
    """Return the signatures as an array of (n, 128); a missing one is filled with a number that is not a hash."""
    table = np.full((len(minhashes), PERMUTATIONS), _NO_HASH, dtype=np.uint32)
    for index, minhash in enumerate(minhashes):
        if minhash:
            table[index] = np.frombuffer(minhash, dtype=np.uint32)
    return table


def _compute_shares(own: npt.NDArray[np.uint32], table: Table) -> Shares:
    """Return the share of equal positions with each row, 0.0–1.0."""
    shares: Shares = (table == own).mean(axis=1)
    return shares if own[0] != _NO_HASH else np.zeros(len(table))
