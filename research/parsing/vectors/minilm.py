"""The int8 model that embeds texts, built once on each machine from verified files."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from research.parsing.vectors.minilm_files import (
    WEIGHTS_ID,
    ModelFilesError,
    load_weights,
    tokenizer_file,
    weights_file,
)

# Part of the file name; increase it whenever the graph (minilm_graph) changes.
_GRAPH_VERSION = 1
BUILD_BYTES = 150_000_000  # the exact graph with its weights (87 MB), the int8 one (23 MB), and a margin


def check_model(cache_dir: Path) -> None:
    """Raise ModelFilesError if a required file is missing or not the known one.

    Once the int8 model is built, the weights are no longer required.
    """
    tokenizer_file()
    if not is_built(cache_dir):
        weights_file()


def ensure_quantised_model(cache_dir: Path) -> Path:
    """Return the int8 model file, built at first use (about 3 s) and put in place atomically.

    It is safe to run concurrently.
    """
    path = _int8_path(cache_dir)
    if path.is_file():
        return path
    from research.parsing.vectors.minilm_graph import write_quantised  # onnx is needed only here

    cache_dir.mkdir(parents=True, exist_ok=True)
    _require_room(cache_dir)
    with tempfile.TemporaryDirectory(dir=cache_dir, prefix=".building-") as folder:
        built = Path(folder) / "model.onnx"
        write_quantised(load_weights(), built)
        os.replace(built, path)
    return path


def is_built(cache_dir: Path) -> bool:
    """Return True if the int8 model is built."""
    return _int8_path(cache_dir).is_file()


def _int8_path(cache_dir: Path) -> Path:
    return cache_dir / f"all-MiniLM-L6-v2-int8-{WEIGHTS_ID}-v{_GRAPH_VERSION}.onnx"


def _require_room(folder: Path) -> None:
    # onnx does not notice a truncated write: it fails later, on a corrupt file.
    free = shutil.disk_usage(folder).free
    if free < BUILD_BYTES:
        raise ModelFilesError(
            f"The disk that holds {folder} is full ({free // 10**6} MB free): preparing the embedding model takes "
            f"{BUILD_BYTES // 10**6} MB once. Free some space and try again."
        )
