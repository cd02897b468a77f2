from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.parsing.vectors import minilm, minilm_files
from research.parsing.vectors.embed_texts import HashEmbedder, MiniLmEmbedder, builtin_token_counts
from research.parsing.vectors.minilm import check_model, ensure_quantised_model
from research.parsing.vectors.minilm_files import ModelFilesError, load_weights, tokenizer_file
from tests.parsing.minilm_reference import reference_embedding

TEXTS = [
    "A password must be at least eight characters long.",
    "Passwords need a minimum of 8 characters.",
    "The cat sleeps on the sofa all day.",
    "Django uses the PBKDF2 algorithm with a SHA256 hash, a stretching mechanism recommended by NIST.",
    "SELECT count(*) FROM users WHERE failed_logins > 5;",
    "Lockout",
    "Verifiers SHALL NOT require memorized secrets to be changed arbitrarily (e.g., periodically). " * 2,
]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def embedder(models: Path) -> MiniLmEmbedder:
    return MiniLmEmbedder(models)


def test_rows_are_unit_vectors_in_the_order_of_the_texts(embedder: MiniLmEmbedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.dtype("float32")
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(vectors[2], embedder.embed([TEXTS[2]])[0])


def test_int8_agrees_with_the_exact_model(embedder: MiniLmEmbedder) -> None:
    weights = load_weights()
    exact = np.stack([reference_embedding(text, weights) for text in TEXTS])
    assert (exact * embedder.embed(TEXTS)).sum(axis=1).min() >= 0.99


def test_alike_sentences_are_near_and_others_far(embedder: MiniLmEmbedder) -> None:
    length, same, cat = embedder.embed(TEXTS[:3])
    assert length @ same > 0.8
    assert length @ cat < 0.2


def test_a_text_has_one_vector_whatever_stands_beside_it(embedder: MiniLmEmbedder) -> None:
    alone = embedder.embed([TEXTS[0]])[0]
    assert np.array_equal(alone, embedder.embed([*TEXTS, TEXTS[0]])[-1])


def test_what_stands_beyond_the_window_does_not_count(embedder: MiniLmEmbedder) -> None:
    long = "password " * 300
    assert np.array_equal(*embedder.embed([long, long + "cat " * 50]))


def test_no_text_and_empty_text_are_fine(embedder: MiniLmEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 384)
    assert np.isfinite(embedder.embed([""])).all()


def test_tokens_are_word_pieces_without_the_marks() -> None:
    assert builtin_token_counts(["password", "a b c", "", "word " * 400]) == [1, 3, 0, 400]


def test_the_model_file_is_built_once(models: Path) -> None:
    path = ensure_quantised_model(models)
    first = path.stat().st_mtime_ns
    assert ensure_quantised_model(models).stat().st_mtime_ns == first
    assert [entry.name for entry in models.iterdir()] == [path.name]


# --- the model's files ---


@pytest.fixture
def model_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder where the package's files are looked for."""
    monkeypatch.setattr(minilm_files, "_model_folder", lambda: tmp_path)
    return tmp_path


def test_another_models_file_is_refused(model_folder: Path) -> None:
    (model_folder / "tokenizer.json").write_bytes(b"other")
    with pytest.raises(ModelFilesError, match=r"tokenizer\.json is not the known file"):
        tokenizer_file()


def test_other_weights_are_never_loaded(model_folder: Path) -> None:
    (model_folder / "model.safetensors").write_bytes(b"other")
    with pytest.raises(ModelFilesError, match=r"model\.safetensors is not the known file"):
        load_weights()


def test_a_missing_file_is_named(model_folder: Path, models: Path) -> None:
    with pytest.raises(ModelFilesError, match=r"tokenizer\.json is missing"):
        check_model(models)


def test_weights_are_needed_until_the_small_model_is_built(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensure_quantised_model(models)
    (tmp_path / "tokenizer.json").symlink_to(tokenizer_file())
    monkeypatch.setattr(minilm_files, "_model_folder", lambda: tmp_path)
    check_model(models)
    with pytest.raises(ModelFilesError, match=r"model\.safetensors is missing"):
        check_model(tmp_path)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(minilm_files, "_PACKAGE", "no_such_package")
    with pytest.raises(ModelFilesError, match="not installed"):
        check_model(tmp_path)


@given(st.lists(st.text(max_size=80), min_size=1, max_size=4))
def test_hashed_rows_are_unit_vectors(texts: list[str]) -> None:
    vectors = HashEmbedder().embed(texts)
    assert vectors.shape == (len(texts), 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_hashed_texts_with_the_same_words_are_near() -> None:
    first, same, other = HashEmbedder().embed(
        ["long password rules", "rules: LONG password", "sleeping cats"]
    )
    assert first @ same > 0.99
    assert abs(first @ other) < 0.5


def test_a_full_disk_is_named_before_the_model_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minilm.shutil, "disk_usage", lambda _path: SimpleNamespace(free=3_000_000))
    with pytest.raises(ModelFilesError, match="full \\(3 MB free\\)"):
        ensure_quantised_model(tmp_path)
    assert list(tmp_path.iterdir()) == []
