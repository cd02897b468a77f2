"""One terminal for many processes."""

import io
import os

from config.services.service_console import Console


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class FullDisk(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")


def follow(console: Console, data: bytes) -> None:
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    console.follow("web", os.fdopen(reading, "rb"))


def test_each_line_carries_the_name_of_its_process():
    output = io.StringIO()
    follow(Console.on(output), b"one\ntwo\n")
    assert output.getvalue() == "web      │ one\nweb      │ two\n"


def test_a_terminal_gets_colours_and_a_file_does_not(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    terminal, file = Terminal(), io.StringIO()
    for output in (terminal, file):
        Console.on(output).write("web", "hello")
    assert "\x1b[" in terminal.getvalue()
    assert "\x1b[" not in file.getvalue()


def test_no_color_is_respected(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    terminal = Terminal()
    Console.on(terminal).write("web", "hello")
    assert "\x1b[" not in terminal.getvalue()


def test_control_characters_of_a_process_cannot_steer_the_terminal():
    output = io.StringIO()
    follow(Console.on(output), b"\x1b[2Jgone\xff\n")
    assert output.getvalue() == "web      │ �[2Jgone�\n"


def test_a_full_disk_behind_the_log_stops_nothing():
    follow(Console.on(FullDisk()), b"one\ntwo\n")
