"""docs/threats.md has a row for every threat of the model, and every test that it names is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
MODEL = PAGE[PAGE.index("## Threat model") : PAGE.index("## Attack lists")]
ROW = re.compile(r"^\| ([^|]+) \| [^|]+ \| [^|]+ \| ([^|]+) \|$", re.MULTILINE)
ASSETS = """
Run progress
User's credits
Our API bill
Metadata, Redis, Postgres
Server files
Availability
Other users' browser
Reader's spreadsheet
Report truth
Conversation, uploads
Tenant data
Deleted data
Secrets
Run state
Accounts
Operators
Fair use
Dependencies
"""


def is_there(file: str, name: str = "") -> bool:
    path = ROOT / file
    return path.is_file() and (not name or f"def {name}(" in path.read_text(encoding="utf-8"))


def test_every_asset_of_the_model_has_its_row_and_every_row_a_test():
    rows = ROW.findall(MODEL)[1:]  # behind the head
    assert [asset for asset, _ in rows] == ASSETS.strip().splitlines()
    assert [asset for asset, held in rows if "::test_" not in held] == []


def test_every_test_that_the_page_names_is_there():
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)
    assert len(named) > 60
    assert [one for one in named if not is_there(*one)] == []
