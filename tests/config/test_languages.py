"""The translations: complete, whole, and compiled where there is nothing but Python."""

import ast
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management import call_command
from django.utils.translation import gettext, ngettext, override

from config.catalogues import compile_catalogues

ROOT = settings.BASE_DIR
GERMAN = ROOT / "locale/de/LC_MESSAGES/django.po"
NAMES = re.compile(r"%\((\w+)\)|%([ds])|\{(\w*)\}")
ELEMENTS = re.compile(r"<[^>]+>")


def messages() -> list[Message]:
    with GERMAN.open("rb") as source:
        return [message for message in read_po(source) if message.id]


def forms(text: str | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else text


@pytest.fixture
def folder(tmp_path):
    """A catalogue with one string, not compiled yet."""
    po = tmp_path / "de/LC_MESSAGES/django.po"
    po.parent.mkdir(parents=True)
    po.write_text('msgid "Yes"\nmsgstr "Ja"\n')
    return tmp_path


def test_a_catalogue_is_compiled_once_and_again_when_it_changed(folder):
    compiled = folder / "de/LC_MESSAGES/django.mo"
    assert compile_catalogues(folder) == [compiled]
    assert b"Ja" in compiled.read_bytes()
    assert compile_catalogues(folder) == []
    changed = compiled.with_suffix(".po")
    changed.write_text('msgid "Yes"\nmsgstr "Jawohl"\n')
    os.utime(changed, (1, 1))  # whenever that was
    assert compile_catalogues(folder) == [compiled]
    assert b"Jawohl" in compiled.read_bytes()
    assert sorted(path.name for path in compiled.parent.iterdir()) == ["django.mo", "django.po"]


def test_a_fresh_clone_speaks_german_after_one_command(folder, settings, capsys):
    settings.LOCALE_PATHS = [folder]
    call_command("compilemessages")
    assert capsys.readouterr().out.split() == ["de/LC_MESSAGES/django.mo", "written"]
    with override("de"):
        assert gettext("Yes") == "Ja"


def test_a_folder_that_is_read_only_stops_nothing(folder, monkeypatch, settings, capsys):
    def refuse(*args: object, **options: object) -> None:
        raise PermissionError(13, "Permission denied", "django.mo")

    settings.LOCALE_PATHS = [folder]
    monkeypatch.setattr("tempfile.NamedTemporaryFile", refuse)
    call_command("compilemessages")
    assert "stay as they are" in capsys.readouterr().err


def test_every_translation_names_nothing_that_its_original_does_not():
    wrong = []
    for message in messages():
        wanted = set().union(*(NAMES.findall(text) for text in forms(message.id)))
        wrong += [text for text in forms(message.string) if not wanted >= set(NAMES.findall(text))]
    assert wrong == []


def test_every_translation_has_the_elements_of_its_original():
    pairs = [
        pair for message in messages() for pair in zip(forms(message.id), forms(message.string), strict=True)
    ]
    wrong = [new for old, new in pairs if sorted(ELEMENTS.findall(old)) != sorted(ELEMENTS.findall(new))]
    assert wrong == []


def test_only_the_singular_may_leave_out_what_is_counted():
    for message in messages():
        many = (
            (message.id, message.string)
            if isinstance(message.id, str)
            else (message.id[1], message.string[-1])
        )
        assert set(NAMES.findall(many[0])) == set(NAMES.findall(many[1])), many


def test_counts_have_their_plural_in_german():
    with override("de"):
        told = [
            ngettext("%(count)d independent source", "%(count)d independent sources", n) % {"count": n}
            for n in (1, 2)
        ]
    assert told == ["1 unabhängige Quelle", "2 unabhängige Quellen"]


def copy_of_the_tree(to: Path) -> Path:
    """Copy what extraction reads: one template, one module, the German catalogue."""
    (to / "templates").mkdir()
    (to / "research").mkdir()
    (to / "locale/de/LC_MESSAGES").mkdir(parents=True)
    shutil.copy(GERMAN, to / "locale/de/LC_MESSAGES")
    return to


def extract(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / ".ci/messages"), *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


TEMPLATE = """{% load i18n %}
{% if count %}
    <p title="{% translate "Kept for now" %}">{% blocktranslate count n=count trimmed %}
      {{ n }} thing
      {% plural %}
      {{ n }} things
    {% endblocktranslate %}</p>
{% endif %}
"""
MODULE = (
    "from django.utils.translation import pgettext\n\n\ndef told():\n    return pgettext('tree', 'Bark')\n"
)


def test_strings_of_templates_and_code_come_in_and_those_without_use_go_out(tmp_path):
    tree = copy_of_the_tree(tmp_path)
    (tree / "templates/page.html").write_text(TEMPLATE)
    (tree / "research/page.py").write_text(MODULE)
    told = extract(tree)
    assert told.returncode == 0, told.stderr
    with (tree / "locale/de/LC_MESSAGES/django.po").open("rb") as source:
        found = {(one.context, one.id) for one in read_po(source) if one.id}
    assert found == {(None, "Kept for now"), (None, ("%(n)s thing", "%(n)s things")), ("tree", "Bark")}


def test_a_string_without_its_translation_is_named(tmp_path):
    tree = copy_of_the_tree(tmp_path)
    (tree / "templates/page.html").write_text(TEMPLATE)
    before = (tree / "locale/de/LC_MESSAGES/django.po").read_bytes()
    told = extract(tree, "--check")
    assert told.returncode == 1
    assert "not translated: 'Kept for now'" in told.stdout
    assert (tree / "locale/de/LC_MESSAGES/django.po").read_bytes() == before


def test_german_is_complete():
    told = extract(ROOT, "--check")
    assert told.returncode == 0, told.stdout


def test_strings_are_found_by_every_name_that_marks_them():
    known = runpy.run_path(str(ROOT / ".ci/messages"))
    sources = (path.read_text(encoding="utf-8") for path in known["files"]() if path.suffix == ".py")
    given = {name for source in sources for name in re.findall(r"\bn?p?n?gettext\w* as (\w+)", source)}
    assert given <= set(known["KEYWORDS"])


def find_phrases(path: Path) -> set[str]:
    """The phrases that a module's code asks the catalogue for."""
    calls = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))
    asking = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in {"_", "gettext"}]
    return {one.args[0].value for one in asking if isinstance(one.args[0], ast.Constant)}


def test_every_phrase_of_the_code_is_in_the_catalogue_however_it_is_written():
    """The extraction of messages sees nothing within an f-string."""
    known = {forms(message.id)[0] for message in messages()}
    modules = [
        path for name in ("research", "exports", "slides", "config") for path in (ROOT / name).rglob("*.py")
    ]
    assert {phrase for path in modules for phrase in find_phrases(path)} - known == set()
