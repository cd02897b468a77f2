"""Every command of `manage.py` in a terminal: senseless arguments, and a reader that leaves."""

import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["bench_load", "--rate", "-1"], "--rate: a number above 0, not “-1”"),
        (["bench_load", "--rate", "nan"], "--rate: a number above 0, not “nan”"),
        (["bench_load", "--seconds", "0"], "--seconds: a number above 0"),
        (["bench_load", "--viewers", "-1"], "--viewers: a whole number of at least 0"),
        (["bench_grounding", "--claims", "0"], "--claims: a whole number of at least 1, not “0”"),
        (["bench_reports", "--repeat", "two"], "--repeat: a whole number of at least 1, not “two”"),
        (["bench_tables", "--items", "-1"], "--items: a whole number"),
        (["bench_retrieval", "--chunks", "1.5"], "--chunks: a whole number"),
        (["bench", "--sources", "20", "-1"], "--sources: a whole number"),
        (["bench", "--library", "/no/such"], "--library: a folder, and there is none “/no/such”"),
        (["soak", "--library", "manage.py"], "--library: a folder"),
        (["soak", "--minutes", "inf"], "--minutes: a number above 0"),
        (["evaluate", "table", "--folder", ".", "--items", "0"], "--items: a whole number"),
        (["serve", "web", "--port", "70000"], "--port: a whole number from 1 to 65535, not “70000”"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_makes_no_sense_is_refused_in_words(words, complaint):
    with pytest.raises(CommandError, match=complaint):
        call_command(*words)


def test_a_command_whose_reader_has_left_ends_without_a_word():
    command = [sys.executable, "manage.py", "help"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=settings.BASE_DIR, **pipes) as process:
        process.stdout.close()  # before anything is written, as `head` does after its lines
        assert process.stderr.read() == b""
    assert process.returncode == 128 + 13
