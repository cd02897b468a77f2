"""Judge sentences by their meaning if no word list covers the work that a discussion is about.

Two models on the built-in embeddings are fitted once per process. A topic is dangerous if the nearest of the topics in
`topics.csv` is; a ridge regression on `labelled_sentences.csv` decides if a sentence tells people to act. Both are
English only, like the embeddings.
"""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.digest.safety import dangerous_work_verbs, judge_safety
from research.pipelines.digest.safety.dangerous_fields import FIELDS, DangerArea
from research.pipelines.digest.safety.judge_safety import Danger, DangerReason

_ROOM = Path(__file__).parent
# Least lead of the nearest dangerous topic over the nearest other one; negative, since a miss costs more.
NEARER = -0.015
# Least score of the regression (-1 to 1) for a sentence with a dangerous act, and for one without.
WITH_ACT, WITHOUT_ACT = 0.1, 0.4
RIDGE = 3.0
# Dangerous acts of a field that are harmless in most others.
_TOO_COMMON = frozenset(
    "drive eat get give go hold keep leave put quit run share stand swim take use walk".split()
)


class LabelledSentence(NamedTuple):
    """A sentence of a discussion, the question it answers, and whether a digest must leave it out."""

    set: str
    field: str
    question: str
    sentence: str
    is_dangerous: bool


@dataclass(frozen=True, slots=True)
class ContextSentence:
    """A sentence with its surroundings, the arguments of `judge_safety.danger_in`."""

    text: str
    near: str = ""
    around: str = ""


@dataclass(frozen=True, slots=True)
class MeaningModel:
    dangerous: NDArray[np.float32]  # topics
    harmless: NDArray[np.float32]
    weights: NDArray[np.float64]  # for a sentence's vector; the last is the intercept

    def is_dangerous_topic(self, topics: Sequence[str]) -> NDArray[np.bool_]:
        vectors = builtin_embedder().embed(list(topics))
        nearer = (vectors @ self.dangerous.T).max(1) - (vectors @ self.harmless.T).max(1)
        return np.asarray(nearer > NEARER)

    def score_advice(self, sentences: Sequence[str]) -> NDArray[np.float64]:
        """Return about 1 for sentences that tell people to act dangerously, about -1 for statements and warnings."""
        return _with_constant(builtin_embedder().embed(list(sentences))) @ self.weights


def find_dangers(sentences: Sequence[ContextSentence]) -> list[Danger | None]:
    """Return for each sentence the reason why a digest may not repeat it, or None: by words first, then by meaning."""
    dangers = [
        judge_safety.danger_in(sentence.text, near=sentence.near, around=sentence.around)
        for sentence in sentences
    ]
    open_to_doubt = [
        at for at, danger in enumerate(dangers) if danger is None and may_advise(sentences[at].text)
    ]
    nears = list(dict.fromkeys(sentences[at].near for at in open_to_doubt if sentences[at].near))
    if not nears:
        return dangers
    model = fit_model()
    dangerous = {near for near, is_so in zip(nears, model.is_dangerous_topic(nears), strict=True) if is_so}
    doubtful = [at for at in open_to_doubt if sentences[at].near in dangerous]
    if doubtful:
        scores = model.score_advice([sentences[at].text for at in doubtful])
        for at, score in zip(doubtful, scores, strict=True):
            if score > (WITH_ACT if has_act(sentences[at].text) else WITHOUT_ACT):
                dangers[at] = Danger(DangerReason.INSTRUCTION, DangerArea.OTHER)
    return dangers


def may_advise(sentence: str) -> bool:
    """Return False for refusals, precautions, advice to see a professional, and German sentences."""
    return not judge_safety.is_german(sentence) and not judge_safety.has_precaution(sentence)


def has_act(sentence: str) -> bool:
    """Return True if the sentence tells people to do something that is dangerous in some field."""
    return any(
        (dangerous_work_verbs.base_of(verb) or verb) in _dangerous_acts()
        for verb in judge_safety.acts_in(sentence)
    )


@cache
def _dangerous_acts() -> frozenset[str]:
    return dangerous_work_verbs.by_hand().union(*(rules.own_verbs for rules in FIELDS.values())) - _TOO_COMMON


@cache
def fit_model() -> MeaningModel:
    """Return the model fitted to all labelled sentences. Fitting takes about two seconds, once per process."""
    return fit(read_labelled_sentences())


def fit(labelled: Iterable[LabelledSentence]) -> MeaningModel:
    rows = list(labelled)
    embed = builtin_embedder().embed
    with (_ROOM / "topics.csv").open(encoding="utf-8", newline="") as file:
        topics = [(row["topic"], row["is_dangerous"] == "1") for row in csv.DictReader(file)]
    inputs = _with_constant(embed([row.sentence for row in rows]))
    targets = np.array([1.0 if row.is_dangerous else -1.0 for row in rows])
    penalty = RIDGE * np.eye(inputs.shape[1])
    penalty[-1, -1] = 0.0  # the intercept is not penalized
    return MeaningModel(
        embed([topic for topic, is_dangerous in topics if is_dangerous]),
        embed([topic for topic, is_dangerous in topics if not is_dangerous]),
        np.linalg.solve(inputs.T @ inputs + penalty, inputs.T @ targets),
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


def _with_constant(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    return np.hstack([vectors.astype(np.float64), np.ones((len(vectors), 1))])
