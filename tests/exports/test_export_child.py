"""A writer in a child: its file comes back, and whatever it does beside that costs only itself."""

import socket
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.conf import settings

from exports.document.document_tree import Document
from exports.files import export_child_settings
from exports.files.export_child import ExportChildError, ExportLimits, write_in_child
from exports.formats.export_options import CannotWrite, ExportOptions
from tests.exports.generated import document as generated

FAULTY = "tests.exports.writers.faulty"
QUICK = ExportLimits(wall_seconds=20)


def make_document(title: str) -> Document:
    return replace(generated("one_claim", "report"), title=title)


def ignore_progress(_share: float) -> None:
    """Ignore the progress."""


def write_titled(
    title: str,
    limits: ExportLimits = QUICK,
    path: str = FAULTY,
    tell: Callable[[float], None] = ignore_progress,
) -> bytes:
    return write_in_child(make_document(title), path, ExportOptions(language="de"), tell, limits)


def test_the_file_and_how_far_it_is_come_back():
    told: list[float] = []
    data = write_titled("Ein Titel", path="tests.exports.writers.plain", tell=told.append)
    assert (data.splitlines()[0], told) == (b"de: Ein Titel", [0.5])


def test_a_refusal_comes_back_in_words():
    with pytest.raises(CannotWrite, match="A word is missing"):
        write_titled("refuse this")


@pytest.mark.parametrize(
    ("title", "limits", "code"),
    [
        ("fall over", QUICK, "EXPORT_BROKEN"),
        ("devour all memory", QUICK, "EXPORT_TOO_LARGE"),
        ("die at once", QUICK, "EXPORT_TOO_LARGE"),
        ("dally", ExportLimits(wall_seconds=2), "EXPORT_TOO_LONG"),
        ("compute for ever", ExportLimits(cpu_seconds=2, wall_seconds=60), "EXPORT_TOO_LONG"),
    ],
)
def test_a_death_has_a_code(title, limits, code):
    with pytest.raises(ExportChildError) as death:
        write_titled(title, limits)
    assert death.value.code == code


def test_no_secret_is_in_its_environment(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://canary")
    monkeypatch.setenv("PLUMBLINE_MODEL_API_KEY", "canary")
    assert write_titled("peep /nowhere") == b"FileNotFoundError"


def test_it_loads_no_application_and_no_table_of_the_site():
    loaded = write_titled("any", path="tests.exports.writers.loaded").decode().split()
    assert "weasyprint" in loaded
    sandbox = {
        "research",
        "research.runtime",
        "research.runtime.sandbox",
        "research.runtime.sandbox.sandbox_for_exports",
    }  # no application, no table
    foreign = ("config", "research", "slides", "citations.models")
    assert [name for name in loaded if name.startswith(foreign) and name not in sandbox] == []


@pytest.mark.parametrize("name", ["BASE_DIR", "LANGUAGE_CODE", "LOCALE_PATHS", "TIME_ZONE", "USE_TZ"])
def test_its_words_are_those_of_the_site(name):
    assert getattr(export_child_settings, name) == getattr(settings, name)


def test_its_languages_are_those_of_the_site():
    assert [code for code, _name in export_child_settings.LANGUAGES] == [
        code for code, _name in settings.LANGUAGES
    ]


def test_the_data_folder_is_empty_for_it():
    secret = settings.PLUMBLINE_DATA / "secret.txt"
    secret.parent.mkdir(parents=True, exist_ok=True)
    secret.write_text("canary")
    found = write_titled(f"peep {secret}")
    if found == b"canary":
        pytest.skip("this kernel grants no namespaces")
    assert found == b"FileNotFoundError"


def test_it_reaches_no_host_and_nothing_it_starts_does():
    with socket.create_server(("127.0.0.1", 0)) as server:
        said = write_titled(f"dial {server.getsockname()[1]}")
    if said == b"connected":
        pytest.skip("this kernel grants no namespaces")
    assert said == b"OSError 1"
