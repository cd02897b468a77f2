import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from citations.contradiction.claim_comparison_measures import ComparedClaim, build_gates
from citations.contradiction.compare_claim_statements import compare_terms
from citations.contradiction.contradiction_probability import FEATURES, features
from citations.contradiction.contradiction_profiles import NOMINAL, ClashFigures, clash_profile
from research.evaluation.evaluation_of_similarity import run
from research.evaluation.evaluation_pair_calibration import (
    MeasuredPair,
    Settings,
    calibrate,
    climb,
    cross_validated,
    curve,
    figures_of,
    fit_clash,
    value_of,
    with_clash,
)
from research.evaluation.labelled_cases import BadLine
from research.management.commands import calibrate_embeddings
from research.parsing.vectors.embed_texts import HashEmbedder

TOWNS = [
    "Bergen",
    "Lima",
    "Accra",
    "Hanoi",
    "Quito",
    "Porto",
    "Turin",
    "Leeds",
    "Graz",
    "Cork",
    "Riga",
    "Ghent",
]
FORMS = [
    (
        "duplicate",
        "The tower of {} is 40 metres high today.",
        "the tower of {} is forty metres high today",
        0.97,
    ),
    ("corroboration", "The mill of {} burned in 1802 with the barn.", "The mill of {} burned in 1802.", 0.85),
    ("contradiction", "The port of {} has 12 cranes now.", "The port of {} has 19 cranes now.", 0.96),
    ("related", "The port of {} has 12 cranes now.", "Many ships call at {} in spring.", 0.55),
    ("different", "The tower of {} is 40 metres high today.", "Bananas are yellow.", 0.1),
]


def pair(label: str, a: str, b: str, cosine: float, document: str) -> MeasuredPair:
    found = compare_terms(a, b)
    return MeasuredPair(
        label, document, build_gates(ComparedClaim(a), ComparedClaim(b), cosine, found), features(found)
    )


@pytest.fixture(scope="module")
def pairs() -> list[MeasuredPair]:
    return [
        pair(label, a.format(town), b.format(town), cosine, town)
        for town in TOWNS
        for label, a, b, cosine in FORMS
    ]


START = Settings(clash_profile().model, NOMINAL)


def test_weights_tell_conflicts_from_the_rest(pairs):
    model = fit_clash([each.features for each in pairs], [each.label == "contradiction" for each in pairs])
    chances = {each.label: each.gates.clash for each in with_clash(pairs, model)}
    assert set(model.weights) == set(FEATURES)
    assert chances["contradiction"] > 0.5 > max(chances["duplicate"], chances["corroboration"])


def test_climbing_never_ends_below_its_start(pairs):
    assert value_of(pairs, climb(pairs, START)) >= value_of(pairs, START)


def test_a_setting_is_deterministic(pairs):
    assert calibrate(pairs, "m") == calibrate(pairs, "m")


def test_a_profile_keeps_the_curve_of_each_threshold_and_where_it_stands_on_it(pairs):
    words, profile = calibrate(pairs, "m")
    assert words.setting is not None
    assert profile.setting is not None
    assert set(words.setting.curves) == {"cut"}
    chosen = {point.at: point.figures for point in profile.setting.curves["related"]}[profile.related]
    assert chosen.macro_f1 >= profile.setting.cross_validated.macro_f1
    assert (profile.model_id, profile.setting.pairs, profile.setting.documents) == (
        "m",
        len(pairs),
        len(TOWNS),
    )


def test_figures_of_documents_left_out_are_shares(pairs):
    found = cross_validated(pairs, "m")
    assert all(
        0 <= share <= 1
        for share in (found.macro_f1, found.false_merges, found.merge_recall, found.contradictions_passed)
    )


def test_a_curve_leaves_out_what_would_put_thresholds_out_of_order(pairs):
    assert all(point.at <= NOMINAL.corroboration for point in curve(pairs, START, "related"))


def test_figures_count_merges_by_what_was_right():
    outcomes = [
        ("duplicate", "corroboration"),
        ("contradiction", "duplicate"),
        ("contradiction", "contradiction"),
        ("different", "different"),
    ]
    found = figures_of(outcomes)
    assert (found.merge_recall, found.false_merges, found.contradictions_passed) == (1.0, 0.3333, 0.5)


def test_no_pairs_have_no_figures():
    assert figures_of([]) == ClashFigures(0.0, 0.0, 0.0, 0.0)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(calibrate_embeddings, "builtin_embedder", HashEmbedder)
    monkeypatch.setattr(calibrate_embeddings, "CLASH", tmp_path / "clash.json")
    monkeypatch.setattr(calibrate_embeddings, "EMBEDDINGS", tmp_path / "embeddings")
    rows = [
        {"id": f"{town}{label}", "a": a.format(town), "b": b.format(town), "label": label, "doc_id": town}
        for town in TOWNS[:6]
        for label, a, b, _ in FORMS
    ]
    (tmp_path / "pairs.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path


def run_calibration(folder: Path, *arguments: str) -> str:
    output = StringIO()
    call_command("calibrate_embeddings", "--pairs", str(folder / "pairs.jsonl"), *arguments, stdout=output)
    return output.getvalue()


def test_the_command_prints_the_curve_and_writes_nothing_unasked(folder):
    assert "on documents left out: macro-F1" in run_calibration(folder)
    assert not (folder / "clash.json").exists()


def test_the_command_writes_a_profile_named_after_the_model(folder):
    run_calibration(folder, "--write")
    written = json.loads((folder / "embeddings" / "hash.json").read_text())
    assert written["model_id"] == "hash"
    assert json.loads((folder / "clash.json").read_text())["setting"]["folds"] > 1


def test_the_command_names_a_bad_line(folder):
    (folder / "pairs.jsonl").write_text('{"id": "1", "a": "x", "b": "y"}')
    with pytest.raises(CommandError, match="line 1: doc_id"):
        run_calibration(folder)


def test_the_command_says_when_the_file_is_missing(folder):
    (folder / "pairs.jsonl").unlink()
    with pytest.raises(CommandError, match=r"pairs\.jsonl"):
        run_calibration(folder)


def test_known_pairs_are_told_apart_as_well_as_the_specification_asks():
    path = Path(__file__).parents[3] / "shared" / "data" / "grounding" / "similarity_pairs.jsonl"
    if not path.exists():
        pytest.skip("the labelled pairs are not here")
    lines = path.read_text(encoding="utf-8").splitlines()[::3]
    try:
        outcomes = [
            (json.loads(asked)["label"], json.loads(found)["label"])
            for asked, found in zip(lines, run(lines), strict=True)
        ]
    except BadLine as error:
        pytest.fail(str(error))
    found = figures_of(outcomes)
    assert found.contradictions_passed <= 0.15
    assert found.macro_f1 >= 0.65
    assert found.false_merges <= 0.12
