"""all-MiniLM-L6-v2 in plain numpy, in 32-bit floats: what the built graph is compared with."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from research.parsing.vectors.minilm_files import DIMENSION, MAX_TOKENS, Weights, tokenizer_file
from research.parsing.vectors.minilm_graph import HEADS, LAYERS

Floats = npt.NDArray[np.float32]


def reference_embedding(text: str, weights: Weights) -> Floats:
    """(384,) of unit length."""
    hidden = _embed_ids(_ids(text), weights)
    for layer in range(LAYERS):
        hidden = _layer(hidden, weights, f"encoder.layer.{layer}")
    mean = hidden.mean(axis=0)
    unit: Floats = mean / np.linalg.norm(mean)
    return unit


def _ids(text: str) -> list[int]:
    tokenizer = Tokenizer.from_file(str(tokenizer_file()))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    ids: list[int] = tokenizer.encode(text).ids
    return ids


def _embed_ids(ids: list[int], weights: Weights) -> Floats:
    words = weights["embeddings.word_embeddings.weight"][ids]
    places = weights["embeddings.position_embeddings.weight"][: len(ids)]
    kind = weights["embeddings.token_type_embeddings.weight"][0]
    return _norm(words + places + kind, weights, "embeddings.LayerNorm")


def _layer(hidden: Floats, weights: Weights, name: str) -> Floats:
    attended = _linear(
        _attention(hidden, weights, f"{name}.attention.self"), weights, f"{name}.attention.output.dense"
    )
    hidden = _norm(hidden + attended, weights, f"{name}.attention.output.LayerNorm")
    inner = _gelu(_linear(hidden, weights, f"{name}.intermediate.dense"))
    outer = _linear(inner, weights, f"{name}.output.dense")
    return _norm(hidden + outer, weights, f"{name}.output.LayerNorm")


def _attention(hidden: Floats, weights: Weights, name: str) -> Floats:
    size = DIMENSION // HEADS
    query, key, value = (
        _linear(hidden, weights, f"{name}.{part}").reshape(-1, HEADS, size).transpose(1, 0, 2)
        for part in ("query", "key", "value")
    )
    scores = query @ key.transpose(0, 2, 1) / math.sqrt(size)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    mixed: Floats = (shares @ value).transpose(1, 0, 2).reshape(-1, DIMENSION)
    return mixed


def _linear(hidden: Floats, weights: Weights, name: str) -> Floats:
    result: Floats = hidden @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    return result


def _gelu(hidden: Floats) -> Floats:
    error = np.vectorize(math.erf, otypes=[np.float32])(hidden / math.sqrt(2))
    result: Floats = (0.5 * hidden * (1 + error)).astype(np.float32)
    return result


def _norm(hidden: Floats, weights: Weights, name: str) -> Floats:
    centred = hidden - hidden.mean(axis=-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
    result: Floats = scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]
    return result
