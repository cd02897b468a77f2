"""The exchange formats that need no style."""

import json
from dataclasses import replace

from citations.bibliography.csl_references import Name, Reference, WorkType, clean, csl_item, csl_json, ris
from tests.citations.works import ARTICLE, BOOK, PAGE, REPORT, WORKS


def test_csl_json_has_what_is_known_and_nothing_else():
    assert csl_item(BOOK) == {
        "id": "book",
        "type": "book",
        "title": "The cold house",
        "author": [{"family": "Okafor", "given": "Ngozi Ada"}],
        "issued": {"date-parts": [[2019]]},
        "publisher": "Harbour Press",
        "publisher-place": "Leeds",
        "ISBN": "9780000000002",
    }


def test_csl_json_is_a_list_of_all():
    assert [item["id"] for item in json.loads(csl_json(WORKS))] == [work.id for work in WORKS]


def test_an_organization_is_a_literal_name():
    assert csl_item(REPORT)["author"] == [{"literal": "Ministry of Building"}]


def test_ris_gives_pages_as_first_and_last_and_dates_with_slashes():
    lines = ris([ARTICLE, PAGE]).split("\r\n")
    assert lines[0] == "TY  - JOUR"
    assert {"AU  - Müller, Anton", "SP  - 101", "EP  - 118", "PY  - 2023", "DA  - 2023///"} <= set(lines)
    assert {"TY  - ELEC", "DA  - 2024/06/03/", "Y2  - 2026/11/02/"} <= set(lines)
    assert lines.count("ER  - ") == 2


def test_every_type_of_work_has_one_in_ris():
    assert all(ris([Reference("x", kind)]).startswith("TY  - ") for kind in WorkType)


def test_a_line_break_in_a_title_begins_no_field():
    assert "\nER" not in ris([replace(BOOK, title="A\r\nER  - \r\nTY  - BOOK")]).replace(
        "\r\nER  - \r\n", "", 1
    )


def test_what_cannot_be_written_is_left_out():
    assert clean("a\x00b\ud800c\u202ed\n e") == "a b c d e"
    assert len(clean("x" * 10_000_000)) == 2_000


def test_a_name_of_nothing_is_an_empty_one():
    assert "AU  - \r\n" in ris([Reference("x", authors=(Name(),))])
