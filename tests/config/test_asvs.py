"""docs/asvs.md has a row for every requirement that the product promises, and every test that it names is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "asvs.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| (.+) \| (.+) \|$", re.MULTILINE)
# OWASP ASVS 5.0, chapter.section: the requirements of levels 1 and 2 that apply, and those of level 3 that are met.
PROMISED = {
    "1.2": "1-5 9-10", "1.3": "1-7 10-12", "1.5": "1-2", "2.2": "1-3", "2.3": "1-4", "2.4": "1",
    "3.2": "1-2", "3.3": "1-4", "3.4": "1-6", "3.5": "1-4", "3.7": "2",
    "5.1": "1", "5.2": "1-6", "5.3": "1-3", "5.4": "1-3",
    "6.1": "1", "6.2": "1-12", "6.3": "1-4", "6.4": "1-3", "6.5": "1-5",
    "7.2": "1-4", "7.3": "1-2", "7.4": "1-5", "7.5": "1-2",
    "8.1": "1-2", "8.2": "1-3", "8.3": "1", "8.4": "1",
    "13.2": "1-5", "13.3": "1-2", "13.4": "1-5", "14.2": "1-4", "14.3": "1-3",
    "15.1": "1-3", "15.2": "1-3", "15.3": "1-7",
    "16.1": "1", "16.2": "1-5", "16.3": "1-4", "16.4": "1-3", "16.5": "1-3",
}  # fmt: skip


def list_promised_requirements() -> list[str]:
    found = []
    for section, ranges in PROMISED.items():
        for one in ranges.split():
            first, _, last = one.partition("-")
            found += [f"{section}.{number}" for number in range(int(first), int(last or first) + 1)]
    return found


def test_every_requirement_has_its_row_once():
    assert [number for number, _, _ in ROW.findall(PAGE)] == list_promised_requirements()


def test_every_row_names_a_test_that_is_there_or_says_that_none_holds_it():
    missing = []
    for number, _, held in ROW.findall(PAGE):
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", held)
        if not named and not held.startswith("no test: "):
            missing.append(number)
        for file, name in named:
            path = ROOT / file
            if not path.is_file() or f"def {name}(" not in path.read_text(encoding="utf-8"):
                missing.append(f"{number}: {file}::{name}")
    assert missing == []
