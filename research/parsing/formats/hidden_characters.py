"""Logs invisible characters that may carry a message; cleaning removes them everywhere."""

from __future__ import annotations

from research.parsing.clean_text import carriers
from research.parsing.hidden_text import DroppedLog, HiddenReason


def note_carriers(text: str, log: DroppedLog) -> None:
    for length, said in carriers(text):
        log.count(HiddenReason.CHARACTERS, 1, length, said)
