"""docs/architecture.md speaks of the code that there is."""

import ast
import re
from pathlib import Path

import pytest

from config.settings import BASE_DIR

PAGES = [BASE_DIR / "docs" / name for name in ("architecture.md", "paths.md", "adding.md")]
CODE = [BASE_DIR / name for name in ("config", "research", "citations", "exports", "slides", "tests")]


def _code_spans(page: Path) -> list[str]:
    return re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8"))


def _tests_of(path: Path) -> set[str]:
    return {node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_file_that_the_page_names_exists(page: Path) -> None:
    spans = [span.split("::")[0] for span in _code_spans(page) if re.search(r"\w\.py\b", span)]
    named = {re.sub("^R/", "recipes/report/", span) for span in spans if "<" not in span}
    files = {path.relative_to(BASE_DIR).as_posix() for folder in CODE for path in folder.rglob("*.py")}
    missing = {name for name in named if not any(f"/{file}".endswith(f"/{name}") for file in files)}
    assert named
    assert not missing


def test_each_test_that_holds_an_invariant_exists() -> None:
    tests = [span.split("::") for span in _code_spans(PAGES[0]) if "::" in span]
    assert len(tests) >= 8
    assert [name for file, name in tests if name not in _tests_of(BASE_DIR / file)] == []
