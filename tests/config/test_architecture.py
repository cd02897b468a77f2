"""Pages about the code name files, functions and tests that exist."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.settings import BASE_DIR

DOCS = BASE_DIR / "docs"
ARCHITECTURE, PATHS = DOCS / "architecture.md", DOCS / "paths.md"
PAGES = [ARCHITECTURE, PATHS, DOCS / "adding.md", DOCS / "glossary.md", BASE_DIR / "CONTRIBUTING.md"]
SUFFIXES = "py|md|html|js|css|lua|po|toml"
FILE = re.compile(rf"[\w./-]*\w\.(?:{SUFFIXES})")
SECTION = re.compile(r"^## (?P<name>.+) \((?P<count>\d+) files\)$")
LINE = re.compile(r"^(?P<number>\d+)\. `(?P<file>[^`]+)`(?P<names>(?:,? `[\w.]+`)*) – ")
PLACEHOLDER = re.compile(r"[<{…*]")


def read_code_spans(page: Path) -> list[str]:
    return re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8"))


def read_named_files(page: Path) -> set[str]:
    """Return the paths from the root of the repository that the page names, without their `::test`."""
    words = (word.split("::")[0] for span in read_code_spans(page) for word in span.split())
    return {word for word in words if FILE.fullmatch(word) and not PLACEHOLDER.search(word)}


def read_definitions(path: Path) -> set[str]:
    """Return the functions and classes of a module, and its methods as `Class.method`."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            methods = (one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
            found.update(f"{node.name}.{method.name}" for method in methods)
    return found


def read_steps() -> Iterator[tuple[str, int, str, list[str]]]:
    """Yield the section, number, file and functions of each line of docs/paths.md."""
    section = ""
    for line in PATHS.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line
        elif re.match(r"\d+\. ", line):
            step = LINE.match(line)
            assert step, f"not “number. `file` `function` – what happens”: {line}"
            yield section, int(step["number"]), step["file"], re.findall(r"`([\w.]+)`", step["names"])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_named_file_exists(page: Path) -> None:
    named = read_named_files(page)
    assert named
    assert sorted(name for name in named if not (BASE_DIR / name).is_file()) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_linked_page_exists(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_each_invariant_has_a_test_that_exists() -> None:
    tests = [span.split("::") for span in read_code_spans(ARCHITECTURE) if "::" in span]
    assert len(tests) >= 8
    assert [name for file, name in tests if name not in read_definitions(BASE_DIR / file)] == []


def test_each_function_of_a_path_exists() -> None:
    steps = [(file, names) for _, _, file, names in read_steps() if file.endswith(".py")]
    assert len(steps) > 50
    missing = [
        f"{file} {name}"
        for file, names in steps
        for name in names
        if name not in read_definitions(BASE_DIR / file)
    ]
    assert missing == []


def test_each_path_counts_its_files() -> None:
    files: dict[str, list[str]] = {}
    for section, number, file, _ in read_steps():
        files.setdefault(section, []).append(file)
        assert number == len(files[section]), section
    assert len(files) >= 6
    for section, named in files.items():
        heading = SECTION.match(section)
        assert heading, section
        assert int(heading["count"]) == len(named) == len(set(named)), section
