"""The command that sets the profile of verification from labelled claims."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from research.management.commands import calibrate_verification
from research.parsing.vectors.embed_texts import HashEmbedder

TOWNS = ("Graz", "Oulu", "Ghent", "Lyon", "Cork", "Riga", "Porto", "Turin")
PASSAGE = (
    "The council of {0} decided in March to replace all oil boilers in its schools with heat pumps by 2030. "
    "It expects the work to cost 40 million euros."
)
CLAIMS = {
    "supported": "By 2030 heat pumps are to replace the oil boilers of all schools in {0}, the council decided.",
    "contradicted": "By 2030 oil boilers are to replace the heat pumps of 90 hospitals in {0}, a minister refused.",
}


@pytest.fixture
def profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file that the command writes."""
    monkeypatch.setattr(calibrate_verification, "builtin_embedder", HashEmbedder)
    monkeypatch.setattr(calibrate_verification, "PROFILE", tmp_path / "verification.json")
    return tmp_path / "verification.json"


def rows(*labels: str) -> list[dict[str, str]]:
    return [
        {
            "id": f"{town}-{label}",
            "doc_id": town,
            "label": label,
            "claim": CLAIMS[label or "supported"].format(town),
            "evidence_text": PASSAGE.format(town),
        }
        for town in TOWNS
        for label in labels
    ]


def run_calibration(folder: Path, given: list[dict[str, str]], *options: str) -> str:
    claims, output = folder / "claims.jsonl", StringIO()
    claims.write_text("\n".join(map(json.dumps, given)))
    call_command("calibrate_verification", "--claims", str(claims), *options, stdout=output)
    return output.getvalue()


def test_the_curve_is_printed_and_nothing_written_unasked(tmp_path, profile):
    printed = run_calibration(tmp_path, rows("supported", "contradicted"))
    assert "16 cases of 8 documents" in printed
    assert "balanced accuracy 100.0%" in printed
    assert not profile.exists()


def test_the_profile_is_written_when_asked_for(tmp_path, profile):
    run_calibration(tmp_path, rows("supported", "contradicted"), "--write")
    written = json.loads(profile.read_text())
    assert (written["cases"], written["documents"]) == (16, 8)
    assert written["accurate"] in [point["threshold"] for point in written["curve"]]


def test_claims_of_one_kind_set_nothing(tmp_path, profile):
    with pytest.raises(CommandError, match="that are not"):
        run_calibration(tmp_path, rows("supported"), "--write")
    assert not profile.exists()


def test_a_claim_without_a_label_is_refused(tmp_path, profile):
    with pytest.raises(CommandError, match="needs a label"):
        run_calibration(tmp_path, rows("supported", ""))


def test_a_file_that_is_not_text_is_named(tmp_path, profile):
    (tmp_path / "scan.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CommandError, match=r"scan\.jsonl"):
        call_command("calibrate_verification", "--claims", str(tmp_path / "scan.jsonl"))
