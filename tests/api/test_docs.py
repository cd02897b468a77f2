"""The examples of docs/api.md, as they stand there."""

import re
import shlex
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.api.programs import token_of

pytestmark = pytest.mark.django_db
PAGE = (Path(settings.BASE_DIR) / "docs" / "api.md").read_text()
EXAMPLES = [
    one
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    for one in block.replace("\\\n", " ").strip().splitlines()
]


def sent(command: str, known: dict[str, str]):
    """A curl of the page, by Django's client."""
    for name, value in known.items():
        command = command.replace(f"${name}", value)
    words = shlex.split(command)
    assert words[:2] == ["curl", "-s"]
    headers = dict(
        value.split(": ", 1) for flag, value in zip(words, words[1:], strict=False) if flag == "-H"
    )
    bodies = [value for flag, value in zip(words, words[1:], strict=False) if flag == "-d"]
    client, kind = Client(), headers.pop("Content-Type", "")
    if bodies:
        return client.post(words[2], bodies[0], content_type=kind, headers=headers)
    return client.get(words[2], headers=headers)


def test_every_example_of_the_page_works(ada, world):
    known = {"SITE": "", "TOKEN": token_of(ada), "RUN": str(world.run.pk)}
    assert len(EXAMPLES) >= 6
    for command in EXAMPLES:
        response = sent(command, known)
        assert response.status_code in (200, 201), (command, response.content)


def test_every_code_of_a_problem_is_written_down():
    from research.api.problems import CODES

    table = PAGE.partition("## When something is wrong")[2]
    assert [code for code in CODES if f"`{code}`" not in table] == []
