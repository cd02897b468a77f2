"""No function, class or method of the product is there for tests alone."""

import gc
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from tests.config.reached_code import PRODUCT, ProductCode

ROOT = Path(settings.BASE_DIR)
BESIDE = ("templates", "manage.py", "pyproject.toml", "Makefile", "compose.yaml", "Dockerfile", ".ci")


def test_the_product_reaches_all_its_code() -> None:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *PRODUCT, *BESIDE]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [path for path in map(Path, names.splitlines()) if (ROOT / path).is_file()]
    gc.disable()  # millions of nodes come and go
    try:
        unreached = ProductCode(ROOT, paths).unreached()
    finally:
        gc.enable()
    assert sorted(map(str, unreached)) == []


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return the names in a small product that nothing reaches."""
    monkeypatch.syspath_prepend(tmp_path)

    def find(**modules: str) -> list[str]:
        for name, text in modules.items():
            (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        return sorted(map(str, ProductCode(tmp_path, [Path(f"{name}.py") for name in modules]).unreached()))

    return find


def test_code_is_unreached_if_only_itself_and_imports_name_it(small) -> None:
    assert small(
        first="def again(n):\n    return again(n - 1)\n\ndef used():\n    pass\n\ndef imported():\n    pass\n",
        second="from first import imported, used\n\nused()\n",
    ) == ["first.again", "first.imported"]


def test_code_is_unreached_if_only_unreached_code_names_it(small) -> None:
    assert small(first="def outer():\n    inner()\n\ndef inner():\n    pass\n") == [
        "first.inner",
        "first.outer",
    ]


def test_code_of_the_same_name_elsewhere_reaches_nothing(small) -> None:
    assert small(first="def one():\n    pass\n\none()\n", second="def one():\n    pass\n") == ["second.one"]


def test_a_method_is_reached_by_its_name_if_its_class_is(small) -> None:
    classes = "class Used:\n    def go(self): pass\n    def rest(self): pass\n\nclass Unused:\n    def go(self): pass\n"
    assert small(with_classes=f"{classes}\nUsed().go()\n") == [
        "with_classes.Unused",
        "with_classes.Unused.go",
        "with_classes.Used.rest",
    ]


def test_a_method_is_reached_if_a_class_of_others_has_it(small) -> None:
    text = "from html.parser import HTMLParser\n\nclass Reader(HTMLParser):\n    def handle_data(self, data): pass\n"
    assert small(with_parser=f"{text}\n    def other(self): pass\n\nReader()\n") == [
        "with_parser.Reader.other"
    ]


def test_what_is_registered_or_named_by_a_string_is_reached(small) -> None:
    assert (
        small(
            first="def kept():\n    pass\n\ndef named():\n    pass\n",
            second="from celery import task\n\nNAMES = ['first.named', 'first:kept']\n\n@task\ndef work():\n    pass\n",
        )
        == []
    )


def test_docstrings_and_comments_reach_nothing(small) -> None:
    assert small(first='"""first.one"""\n\n# first.one\ndef one():\n    """first.one"""\n') == ["first.one"]
