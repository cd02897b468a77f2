"""The examples of docs/api.md and of the page for people, as they stand there; and what that page tells besides."""

import re
import shlex
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.api.programs import token_of

pytestmark = pytest.mark.django_db
PAGE = (Path(settings.BASE_DIR) / "docs" / "api.md").read_text()


def commands(blocks: list[str]) -> list[str]:
    lines = [splitline for block in blocks for splitline in block.replace("\\\n", " ").strip().splitlines()]
    return [line for line in lines if line.startswith("curl")]


EXAMPLES = commands(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL))


def send_curl(command: str, known: dict[str, str]):
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
        response = send_curl(command, known)
        assert response.status_code in (200, 201), (command, response.content)


def test_every_example_of_the_page_for_people_works(client, ada, world):
    page = client.get("/help/api/").content.decode()
    blocks = re.findall(r'<pre class="api-call" tabindex="0"><code>(.*?)</code></pre>', page, re.DOTALL)
    known = {"TOKEN": token_of(ada), "RUN": str(world.run.pk)}
    found = commands([unescape(block).replace("http://testserver", "") for block in blocks])
    assert len(found) >= 6
    for command in found:
        response = send_curl(command, known)
        assert response.status_code in (200, 201, 202), (command, response.content)


def test_the_page_for_people_tells_all_operations_shapes_and_codes(client):
    from research.integrations.api.api_problems import CODES

    assert client.get("/api/v1/docs").headers["Location"] == "/help/api/"
    page = client.get("/help/api/").content.decode()
    schema = client.get("/api/v1/openapi.json").json()
    for path, method in ((path, method) for path, found in schema["paths"].items() for method in found):
        assert f'<span class="api-method">{method.upper()}</span> <code>{path}</code>' in page
    assert [one for one in schema["components"]["schemas"] if f'id="shape-{one}"' not in page] == []
    assert [one for one in set(re.findall(r'href="#([^"]+)"', page)) if f'id="{one}"' not in page] == []
    assert [code for code in CODES if f" {code}</code>" not in page] == []


def test_every_code_of_a_problem_is_written_down():
    from research.integrations.api.api_problems import CODES

    table = PAGE.partition("## Errors")[2]
    assert [code for code in CODES if f"`{code}`" not in table] == []


def test_the_page_for_people_sets_names_of_fields_as_code(client, ada):
    page = client.get("/help/api/").content.decode()
    told = re.findall(r'<span class="muted">(.*?)</span>|<p>(.*?)</p>', page)
    assert "Ask again after <code>poll_after_seconds</code>, with" in page
    assert not [words for pair in told for words in pair if words.count("`") > 1]
