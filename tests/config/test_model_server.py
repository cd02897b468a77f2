"""The script behind `make model-server`: its settings, and what it refuses before a model is loaded."""

import runpy
import socket
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from django.conf import settings

SCRIPT = settings.BASE_DIR / ".ci/model"


@pytest.fixture(scope="module")
def script() -> Mapping[str, Any]:
    return runpy.run_path(str(SCRIPT))


def run_script(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), *options], capture_output=True, text=True)


def test_settings_point_plumbline_at_the_server():
    printed = run_script("--settings", "--port", "9000").stdout
    assert "export PLUMBLINE_MODEL_BASE_URL=http://127.0.0.1:9000/v1" in printed
    assert "export PLUMBLINE_MODEL=SmolLM2-135M-Instruct" in printed
    assert 'make model-server ARGS="--port 9000"' in printed


@pytest.mark.parametrize(
    "options", [("--port", "x"), ("--port", "0"), ("--context", "12"), ("--threads", "-1")]
)
def test_a_senseless_option_is_refused_in_words(options):
    refused = run_script(*options)
    assert refused.returncode == 2
    assert "a whole number from" in refused.stderr


def test_one_processor_is_left_free(script):
    assert [script["usual_threads"](processors) for processors in (1, 2, 8)] == [1, 1, 7]


def test_the_model_is_found_in_an_installed_wheel(script, tmp_path, monkeypatch):
    (tmp_path / "some_model").mkdir()
    (tmp_path / "some_model" / "tiny.Q4_1.gguf").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert script["model_file"]("some_model").name == "tiny.Q4_1.gguf"
    assert script["model_file"]("no_such_model") is None


def test_without_the_model_it_says_how_to_get_it():
    refused = run_script()  # the product's environment has none
    assert (refused.returncode, "run make model" in refused.stderr) == (1, True)


def test_a_taken_port_is_noticed(script):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        assert script["is_taken"](listener.getsockname()[1])
