"""Judge sentences by their meaning and their function, beside the word lists of the fields.

Two models on the built-in embeddings are fitted once per process. A topic is dangerous if the nearest of the topics in
`topics.csv` is; a ridge regression on `labelled_sentences.csv` decides if a sentence gives dangerous advice. It reads
the meaning of the sentence and of its question, its words and pairs of words, and the signs of `judge_safety`. Where
it doubts the lists, a sentence that they withhold for its surroundings alone may be repeated. Both are English only,
like the embeddings.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.digest.safety import judge_digest_safety
from research.pipelines.digest.safety.digest_dangerous_fields import DangerArea, fields_in
from research.pipelines.digest.safety.judge_digest_safety import Danger, DangerReason
from research.pipelines.report.reading.report_note_vectors import embed_by_builtin

_ROOM = Path(__file__).parent
# Least lead of the nearest dangerous topic over the nearest other one; negative, since a miss costs more.
NEARER = -0.015
# Scores of the regression are about 1 for dangerous advice and -1 for other sentences. On a dangerous topic a sentence
# is withheld that scores more than DANGEROUS, or than DANGEROUS_ACT if it is an act in a field of the lists; on other
# topics such an act that scores more than ACT_ANYWHERE, and an order that scores more than ORDER_ANYWHERE.
# Below HARMLESS a sentence may be repeated that a list withholds for its surroundings alone.
DANGEROUS, DANGEROUS_ACT, ACT_ANYWHERE, ORDER_ANYWHERE, HARMLESS = 0.4, 0.3, 0.7, 0.9, -0.2
RIDGE = 0.5
# Shares of the parts of a sentence's vector beside its own meaning.
_QUESTION_WEIGHT, _SIGN_WEIGHT = 0.5, 0.3
FEWEST = 4  # labelled sentences with a word, or a pair of words, that counts


class LabelledSentence(NamedTuple):
    """A sentence of a discussion, the question it answers, and whether a digest must leave it out."""

    set: str
    field: str
    question: str
    sentence: str
    is_dangerous: bool


@dataclass(frozen=True, slots=True)
class ContextSentence:
    """A sentence with its surroundings, the arguments of `judge_digest_safety.danger_in`."""

    text: str
    near: str = ""
    around: str = ""


@dataclass(frozen=True, slots=True)
class MeaningModel:
    topics: tuple[str, ...]  # dangerous ones
    dangerous: NDArray[np.float32]  # their vectors
    harmless: NDArray[np.float32]
    words: Mapping[str, float]  # words and pairs of words, with the logarithm of their rarity
    weights: NDArray[np.float64]  # for the vector of a sentence

    def is_dangerous_topic(self, topics: Sequence[str]) -> NDArray[np.bool_]:
        vectors = builtin_embedder().embed(list(topics))
        nearer = (vectors @ self.dangerous.T).max(1) - (vectors @ self.harmless.T).max(1)
        return np.asarray(nearer > NEARER)

    def name_field(self, topic: str) -> DangerArea:
        """Return the field of the nearest dangerous topic, for a sentence whose words name none."""
        nearest = int((builtin_embedder().embed([topic]) @ self.dangerous.T).argmax())
        return next(iter(fields_in(self.topics[nearest])), DangerArea.OTHER)

    def score_advice(self, sentences: Sequence[ContextSentence]) -> NDArray[np.float64]:
        """Return about 1 for dangerous advice, about -1 for other advice, statements and warnings."""
        return _vectors(sentences, self.words) @ self.weights


def find_dangers(sentences: Sequence[ContextSentence]) -> list[Danger | None]:
    """Return for each sentence the reason why a digest may not repeat it, or None."""
    dangers = [
        judge_digest_safety.danger_in(sentence.text, near=sentence.near, around=sentence.around)
        for sentence in sentences
    ]
    doubtful = [at for at, danger in enumerate(dangers) if _is_doubtful(sentences[at], danger)]
    if not doubtful:
        return dangers
    model = fit_model()
    scores = model.score_advice([sentences[at] for at in doubtful])
    topics = list(dict.fromkeys(sentences[at].near for at in doubtful))
    dangerous = {
        topic for topic, is_so in zip(topics, model.is_dangerous_topic(topics), strict=True) if is_so
    }
    for at, score in zip(doubtful, scores, strict=True):
        is_topic = sentences[at].near in dangerous
        if (danger := dangers[at]) is not None:
            is_calm = not is_topic and score < DANGEROUS and _is_opinion(sentences[at], danger)
            dangers[at] = None if score < HARMLESS or is_calm else danger
        else:
            # Elsewhere a word of the question means little: starter smells of acetone, too.
            around = sentences[at].near if is_topic else ""
            fields = judge_digest_safety.fields_advised_in(sentences[at].text, near=around)
            is_act = bool(fields) and judge_digest_safety.gives_act(sentences[at].text)
            if is_topic:
                least = DANGEROUS_ACT if is_act else DANGEROUS
            else:
                is_order = judge_digest_safety.gives_order(sentences[at].text)
                least = ACT_ANYWHERE if is_act else ORDER_ANYWHERE if is_order else inf
            if score > least:
                field = next(iter(fields), None) or model.name_field(sentences[at].near)
                dangers[at] = Danger(DangerReason.INSTRUCTION, field)
    return dangers


def _is_doubtful(sentence: ContextSentence, danger: Danger | None) -> bool:
    """Return True if the lists do not decide: they know no danger, or only the surroundings name its field."""
    if not sentence.near or judge_digest_safety.is_german(sentence.text):
        return False
    if danger is None:
        return not (
            judge_digest_safety.states_consequence(sentence.text)
            or judge_digest_safety.gives_only_precautions(sentence.text)
        )
    return danger.is_inferred or _is_opinion(sentence, danger)


def _is_opinion(sentence: ContextSentence, danger: Danger) -> bool:
    """Return True for “Acetone smell is normal” where no word of the question names a field."""
    return danger.is_opinion and not fields_in(sentence.near)


@cache
def fit_model() -> MeaningModel:
    """Return the model fitted to all labelled sentences. Fitting takes some seconds, once per process."""
    return fit(read_labelled_sentences())


def fit(labelled: Iterable[LabelledSentence]) -> MeaningModel:
    rows = [row for row in labelled if not judge_digest_safety.is_german(row.sentence)]
    embed = builtin_embedder().embed
    with (_ROOM / "topics.csv").open(encoding="utf-8", newline="") as file:
        topics = [(row["topic"], row["is_dangerous"] == "1") for row in csv.DictReader(file)]
    words = weigh_words([row.sentence for row in rows])
    inputs = _vectors([ContextSentence(row.sentence, row.question) for row in rows], words)
    targets = np.array([1.0 if row.is_dangerous else -1.0 for row in rows])
    weights = inputs.T @ np.linalg.solve(inputs @ inputs.T + RIDGE * np.eye(len(rows)), targets)
    dangerous = tuple(topic for topic, is_dangerous in topics if is_dangerous)
    return MeaningModel(
        dangerous,
        embed(list(dangerous)),
        embed([topic for topic, is_dangerous in topics if not is_dangerous]),
        words,
        weights,
    )


@cache
def read_labelled_sentences() -> tuple[LabelledSentence, ...]:
    with (_ROOM / "labelled_sentences.csv").open(encoding="utf-8", newline="") as file:
        return tuple(
            LabelledSentence(
                row["set"], row["field"], row["question"], row["sentence"], row["is_dangerous"] == "1"
            )
            for row in csv.DictReader(file)
        )


def _vectors(sentences: Sequence[ContextSentence], words: Mapping[str, float]) -> NDArray[np.float64]:
    """Return for each sentence its meaning, that of its question, its words, the signs of its function, and 1."""
    embed = embed_by_builtin()
    topics = list(dict.fromkeys(sentence.near for sentence in sentences))
    meanings = dict(zip(topics, embed(topics), strict=True))
    texts = [sentence.text for sentence in sentences]
    found: NDArray[np.float64] = np.hstack(
        [
            embed(texts).astype(np.float64),
            _QUESTION_WEIGHT * np.array([meanings[sentence.near] for sentence in sentences]),
            word_vectors(texts, words),
            _SIGN_WEIGHT * np.array([judge_digest_safety.signs_of(text) for text in texts], dtype=np.float64),
            np.ones((len(sentences), 1)),
        ]
    )
    return found


def weigh_words(texts: Sequence[str]) -> dict[str, float]:
    """Return the words and pairs of words that several texts contain, with the logarithm of their rarity."""
    counts = Counter(word for text in texts for word in _words_in(text))
    return {word: float(np.log(len(texts) / count)) for word, count in counts.items() if count >= FEWEST}


def word_vectors(texts: Sequence[str], words: Mapping[str, float]) -> NDArray[np.float64]:
    """Return for each text a vector of these words of at most unit length."""
    places = {word: place for place, word in enumerate(words)}
    rarities = np.zeros((len(texts), len(words)))
    for row, text in enumerate(texts):
        for word in _words_in(text):
            if word in places:
                rarities[row, places[word]] = words[word]
    lengths: NDArray[np.float64] = np.linalg.norm(rarities, axis=1, keepdims=True)
    return rarities / np.maximum(lengths, 1.0)


def _words_in(text: str) -> set[str]:
    words = re.findall(r"[a-z']+", text.casefold())
    return {*words, *(" ".join(pair) for pair in pairwise(words))}
