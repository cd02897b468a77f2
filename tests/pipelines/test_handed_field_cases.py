"""The field cases as they were handed in: each question and table of their checks. Skipped without the data."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from research.accounts.people import PersonalAccount
from research.library.import_library_folder import import_folder
from research.models import Kind
from research.parsing.parse_document import read
from research.pipelines.pipeline_in_foreground import ask
from research.pipelines.table.convert_table_cell_values import format_value
from research.pipelines.table.decomposing.decompose_table_request_by_rules import decompose
from research.pipelines.table.finding import ReadText, find_cells
from tests.often import one_in

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "field-cases"
CHECKS = {path.parent.name: json.loads(path.read_text()) for path in sorted(DATA.glob("*/checks.json"))}
QUESTIONS = [(case, number) for case, checks in CHECKS.items() for number in range(len(checks["questions"]))]
# What the README of a case says of a row: values of columns by their place.
CELLS: Mapping[tuple[str, str], Mapping[int, str | None]] = {
    ("07", "Wold"): {1: "47.5"},
    ("07", "Esk"): {0: "North", 1: "33"},
    ("10", "Kreis Ostheim"): {0: "1234.56"},
    ("12", "Skarn"): {0: "1234567"},
    ("12", "Velm"): {1: "1250000", 2: "1310000"},
    ("12", "Ostby"): {0: None, 2: "460000"},
    ("15", "Adult"): {1: "14"},
    ("15", "Child"): {1: "7"},
    ("21", "W-14"): {1: "6.4"},
    ("23", "Tarn"): {2: "61"},
    ("23", "Wold"): {1: "83"},
    ("23", "Skell"): {0: "South"},
    ("26", "Esk"): {0: "North", 1: "413"},
}

pytestmark = pytest.mark.skipif(not CHECKS, reason=f"the field cases are not in {DATA.name}")


@pytest.fixture(scope="module")
def folders(account: PersonalAccount) -> Mapping[str, str]:
    asked = {case for case, _ in QUESTIONS}
    return {case: import_folder(account.tenant_id, DATA / case / "lib").folder for case in sorted(asked)}


@pytest.mark.parametrize(("case", "number"), one_in(6, QUESTIONS))
def test_a_question_is_answered_as_the_case_says(account, folders, case, number):
    asked = CHECKS[case]["questions"][number]
    must = [words.split("|") for words in asked.get("must", ())]
    said = " ".join(read(path.read_bytes(), path.name).text for path in (DATA / case / "lib").iterdir())
    if not all(any(word in said for word in words) for words in must):
        pytest.skip("no file of the case says this")
    document = ask(account, Kind.REPORT, asked["question"], {"folders": [folders[case]]})
    claims = " ".join(claim.text for claim in document.claims)
    may_abstain = asked["status"] == "any" and not claims
    for words in () if may_abstain else must:
        assert any(word in claims for word in words), claims
    assert not [words for words in asked.get("must_not", ()) if words in claims], claims
    if CHECKS[case].get("no_contradictions"):
        assert not document.contradictions


@pytest.mark.parametrize(("case", "item"), CELLS)
def test_a_row_of_a_table_is_filled_as_the_case_says(case, item):
    name, checks = next((name, checks) for name, checks in CHECKS.items() if name.startswith(case))
    items = checks["table"]["items"]
    fields = decompose(checks["table"]["columns"], "\n".join(items)).fields
    sources = [
        ReadText(path.name, parsed.text, parsed.title, "", parsed.blocks, parsed.tables)
        for path in sorted((DATA / name / "lib").iterdir())
        for parsed in [read(path.read_bytes(), path.name)]
    ]
    cells = find_cells(item, fields, sources, [other for other in items if other != item])
    expected = CELLS[case, item]
    found = {place: cells[place].value for place in expected}
    assert {
        place: None if value is None else format_value(value) for place, value in found.items()
    } == expected
