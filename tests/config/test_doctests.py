"""The examples in docstrings come out as they say."""

import doctest
import re
from importlib import import_module

import pytest

from config.settings import BASE_DIR

ROOMS = ("citations", "exports", "research", "slides")
MODULES = sorted(
    path.relative_to(BASE_DIR).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
    for room in ROOMS
    for path in (BASE_DIR / room).rglob("*.py")
    if "migrations" not in path.parts
    and re.search(r"^\s+>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_come_out_as_they_say(name: str) -> None:
    assert not doctest.testmod(import_module(name)).failed
