import json
import random
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from citations.table_claims.fit_table_claim_weights import (
    CalibrationCase,
    calibrate,
    false_support_at,
    figures,
    folds,
    learn,
    predict_out_of_fold,
)
from citations.table_claims.judge_table_claim import weigh
from citations.table_claims.parse_cited_tables import parse_table
from citations.table_claims.score_claim_readings import Ballot, ScoredReading
from citations.table_claims.table_claim_weights import PROFILE, TableProfile, table_profile, write_profile
from tests.citations.table_claims.passages import LIDOS, table

SHARED = Path(__file__).parents[4] / "shared" / "data" / "grounding" / "tabfact.jsonl"
CLAIMS = [
    ("Sandhithe opened in 1949", True),
    ("Sandhithe opened in 1954", False),
    ("Low Ferry is in Werrow", True),
    ("Low Ferry is in Aldermoor", False),
    ("Northgate had the most visitors", False),
    ("Sandhithe had the most visitors", True),
]


def cases():
    lidos = table(LIDOS)
    return [
        CalibrationCase(weigh(claim, lidos), label, f"lake {at}") for at, (claim, label) in enumerate(CLAIMS)
    ]


def case(name, holds, label, document="d"):
    return CalibrationCase(
        Ballot((ScoredReading(holds, {name: 1.0}), ScoredReading(not holds, {})), 1.0), label, document
    )


def test_a_feature_of_right_readings_gets_a_positive_weight():
    assert learn([case("good", True, True), case("bad", True, False)])["good"] > 0
    assert learn([case("good", True, True), case("bad", True, False)])["bad"] < 0


def test_learning_twice_gives_the_same_weights():
    assert learn(cases()) == learn(cases())


def test_a_greater_penalty_gives_smaller_weights():
    strict, lax = (learn([case("good", True, True)], penalty=penalty)["good"] for penalty in (10, 0.1))
    assert strict < lax


def test_no_document_is_in_two_parts():
    found = [case("a", True, True, f"d{at % 7}") for at in range(30)]
    owners = [{found[at].document for at in part} for part in folds(found)]
    assert sum(map(len, owners)) == len(set().union(*owners))


def test_every_case_is_left_out_once():
    assert len(predict_out_of_fold(cases())) == len(CLAIMS)
    assert sorted(at for part in folds(cases()) for at in part) == list(range(len(CLAIMS)))


def test_figures_are_shares_of_either_label():
    found = figures([0.9, 0.4, 0.6, 0.1], [True, True, False, False], 0.5)
    assert (found.recall, found.false_support, found.balanced_accuracy) == (0.5, 0.5, 0.5)


def test_false_support_is_read_where_half_of_the_true_ones_are_kept():
    assert false_support_at([0.9, 0.4, 0.6, 0.1], [True, True, False, False], 0.5) == 0.0
    assert false_support_at([0.9, 0.4, 0.6, 0.1], [True, True, False, False], 1.0) == 0.5
    assert false_support_at([0.5], [False], 0.5) == 0.0


def test_a_profile_says_how_it_was_set():
    setting = calibrate(cases()).setting
    assert (setting.claims, setting.documents) == (6, 6)
    assert [point.at for point in setting.curve] == sorted(point.at for point in setting.curve)


# --- the profile ---


def test_the_stored_profile_was_set_on_claims():
    assert table_profile().setting.claims > 0


@pytest.mark.parametrize("cut", [0.0, 1.0, 2.0])
def test_a_cut_lies_between_0_and_1(cut):
    with pytest.raises(ValueError, match="cut"):
        TableProfile({}, cut)


def test_a_written_profile_is_read_back(tmp_path, monkeypatch):
    profile = calibrate(cases())
    write_profile(profile, tmp_path / "tables.json")
    monkeypatch.setattr("citations.table_claims.table_claim_weights.PROFILE", tmp_path / "tables.json")
    assert table_profile.__wrapped__() == profile


# --- the command ---


def write_claims(tmp_path, *claims):
    lines = [
        json.dumps(
            {
                "id": str(at),
                "claim": claim,
                "evidence_text": LIDOS,
                "label": "supported" if label else "contradicted",
                "doc_id": str(at),
            }
        )
        for at, (claim, label) in enumerate(claims)
    ]
    (tmp_path / "claims.jsonl").write_text("\n".join(lines))
    return tmp_path / "claims.jsonl"


def test_the_command_prints_figures_and_the_curve(tmp_path):
    out = StringIO()
    before = PROFILE.read_bytes()
    call_command("calibrate_tables", claims=write_claims(tmp_path, *CLAIMS), stdout=out)
    assert "6 claims of 6 documents" in out.getvalue()
    assert "balanced accuracy" in out.getvalue()
    assert PROFILE.read_bytes() == before


def test_the_command_needs_claims_of_both_kinds(tmp_path):
    with pytest.raises(CommandError, match="do not"):
        call_command("calibrate_tables", claims=write_claims(tmp_path, *CLAIMS[:1]))


def test_the_command_names_a_file_it_cannot_read(tmp_path):
    with pytest.raises(CommandError, match="absent"):
        call_command("calibrate_tables", claims=tmp_path / "absent.jsonl")


# --- what was learned ---

VILLAGES = "Ashby Brill Corve Denham Elmsett Frome Garth Holme Irby Kelby".split()


def village_cases(rng, document):
    """A true and a false claim of each kind about a table that is made up anew."""
    names = rng.sample(VILLAGES, 6)
    rows = [(name, year, souls) for name, year, souls in zip(names, _years(rng), _souls(rng), strict=True)]
    lines = ["Village | Founded | Inhabitants", *(" | ".join(map(str, row)) for row in rows)]
    found = table("\n".join(lines))
    name, year, souls = rng.choice(rows)
    other = rng.choice([row for row in rows if row[0] != name])
    largest, least = max(rows, key=lambda row: row[2]), min(rows, key=lambda row: row[2])
    claims = [
        (f"{name} was founded in {year}", f"{name} was founded in {other[1]}"),
        (f"{name} has {souls:,} inhabitants", f"{name} has {other[2]:,} inhabitants"),
        (f"{largest[0]} has the most inhabitants", f"{least[0]} has the most inhabitants"),
        (
            f"{largest[0]} has more inhabitants than {least[0]}",
            f"{least[0]} has more inhabitants than {largest[0]}",
        ),
    ]
    for true, false in claims:
        yield CalibrationCase(weigh(true, found), True, document)
        yield CalibrationCase(weigh(false, found), False, document)


def _years(rng):
    return rng.sample(range(1100, 1900), 6)


def _souls(rng):
    return rng.sample(range(2_200, 90_000), 6)


def test_weights_from_some_made_up_tables_serve_for_others():
    rng = random.Random(14)
    taught = [case for at in range(20) for case in village_cases(rng, f"taught {at}")]
    tried = [case for at in range(20) for case in village_cases(rng, f"tried {at}")]
    weights = learn(taught)
    chances = [each.ballot.probability(weights) for each in tried]
    assert figures(chances, [each.is_carried for each in tried], 0.5).balanced_accuracy >= 0.95


# --- the shared claims ---


@pytest.mark.skipif(not SHARED.is_file(), reason="../shared/data is not here")
def test_weights_from_some_documents_serve_for_others():
    """A quarter teaches, a quarter is asked: a guard against loss, not the figure that is reported."""
    rows = [json.loads(line) for line in SHARED.read_text().splitlines()]
    parts = [[row for row in rows if sum(row["doc_id"].encode()) % 4 == part] for part in (0, 1)]
    taught, tried = (
        [
            CalibrationCase(
                weigh(row["claim"], parse_table(row["evidence_text"])),
                row["label"] == "supported",
                row["doc_id"],
            )
            for row in part
        ]
        for part in parts
    )
    weights = learn(taught)
    chances = [each.ballot.probability(weights) for each in tried]
    assert figures(chances, [each.is_carried for each in tried], 0.5).balanced_accuracy >= 0.65
