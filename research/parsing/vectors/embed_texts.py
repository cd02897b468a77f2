"""Embeds texts as unit vectors: by the built-in all-MiniLM-L6-v2, or feature hashing as a test double."""

from __future__ import annotations

import functools
import hashlib
import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from research.parsing.vectors.minilm import check_model, ensure_quantised_model
from research.parsing.vectors.minilm_files import DIMENSION, MAX_TOKENS, WEIGHTS_ID, tokenizer_file

if TYPE_CHECKING:
    import onnxruntime

Vectors = npt.NDArray[np.float32]
COUNTED_AT_ONCE = 1_000  # texts: until they are counted, each token takes some 100 bytes


class Embedder(Protocol):
    """An embedding model.

    `embed` returns (n, dimension) float32 rows of unit length, in the order of the texts.

    Only vectors with the same `model_id` are comparable.
    """

    @property
    def model_id(self) -> str: ...
    def embed(self, texts: Sequence[str]) -> Vectors: ...


class MiniLmEmbedder:
    """all-MiniLM-L6-v2 in int8, run by onnxruntime.

    Texts are truncated to 256 tokens; the session starts at first use.
    """

    # int8 and fp32 vectors are different models: their cosine is 0.99, not 1.
    model_id = f"all-MiniLM-L6-v2/int8/{WEIGHTS_ID}"

    def __init__(self, cache_dir: Path, threads: int | None = None) -> None:
        self._cache_dir = cache_dir
        self._threads = threads or min(2, os.cpu_count() or 1)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed one text at a time, so that a vector never depends on its neighbours: int8 scales are
        computed per batch.

        This is not slower: 48 texts of 200 tokens per CPU second one by one, 40 in batches of 8.
        """
        encoded = [
            encoding.ids for encoding in _tokenizer().encode_batch_fast([text or " " for text in texts])
        ]
        # Longest first, which keeps the threads busy until the end.
        order = sorted(range(len(encoded)), key=lambda index: -len(encoded[index]))
        vectors = np.empty((len(texts), DIMENSION), dtype=np.float32)
        run = self._session.run  # started before the threads, each of which would start one
        with ThreadPoolExecutor(self._threads) as pool:
            outputs = pool.map(lambda index: run(["embedding"], _inputs(encoded[index]))[0], order)
            for index, output in zip(order, outputs, strict=True):
                vectors[index] = output[0]
        return vectors

    @functools.cached_property
    def _session(self) -> onnxruntime.InferenceSession:
        import onnxruntime  # starts a thread, which a process forked later would lack

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # texts run concurrently instead
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        path = ensure_quantised_model(self._cache_dir)
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _inputs(ids: Sequence[int]) -> dict[str, npt.NDArray[np.int64] | npt.NDArray[np.float32]]:
    return {
        "input_ids": np.array([ids], dtype=np.int64),
        "attention_mask": np.ones((1, len(ids)), dtype=np.float32),
    }


class HashEmbedder:
    """Feature hashing of words (Weinberger et al. 2009), without meaning. A test double."""

    model_id = "hash/1"

    def embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.casefold()):
                digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
                vectors[row, int.from_bytes(digest[:4], "big") % DIMENSION] += 1.0 if digest[4] & 1 else -1.0
            if not vectors[row].any():
                vectors[row, 0] = 1.0
        unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


@functools.cache
def builtin_embedder() -> MiniLmEmbedder:
    """Return the built-in model, one per process. Raises ModelFilesError if its files are missing or unknown."""
    from django.conf import settings  # reading works without Django; only the model's folder needs it

    cache_dir = Path(settings.PLUMBLINE_DATA) / "models"
    check_model(cache_dir)
    return MiniLmEmbedder(cache_dir)


def builtin_token_counts(texts: Sequence[str]) -> list[int]:
    """Return the number of word pieces of each text, without the two special tokens around it."""
    counts: list[int] = []
    for start in range(0, len(texts), COUNTED_AT_ONCE):
        some = list(texts[start : start + COUNTED_AT_ONCE])
        counts += [len(encoding) for encoding in _counter().encode_batch_fast(some, add_special_tokens=False)]
    return counts


@functools.cache
def _tokenizer() -> Tokenizer:
    tokenizer = _load()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


@functools.cache
def _counter() -> Tokenizer:
    tokenizer = _load()
    tokenizer.no_truncation()
    return tokenizer


def _load() -> Tokenizer:
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # workers fork
    tokenizer = Tokenizer.from_file(str(tokenizer_file()))
    tokenizer.no_padding()
    return tokenizer
