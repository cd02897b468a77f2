"""Prompts: one versioned file each, `prompts/<role>/<name>.v1.md`, rendered by Django's templates.

A file holds the turns of a conversation, each below a line that names its speaker:

    <!-- system -->
    You plan research. …
    <!-- user -->
    The question: {{ question }}
    {% for chunk in chunks %}{% data chunk.text id=chunk.id %}
    {% endfor %}

    rendered = render("planner/plan", {"question": topic, "chunks": chunks}, fence_for(work, "draft"))
    await complete(Call(work, AgentRole.PLANNER, rendered.prompt, Plan, "draft", 4000))

Values are texts of the product and of the user; a source's text is wrapped in `SourceText`, which only `{% data %}`
accepts. A missing variable is an error. If there is a data block, the rule for data blocks is appended to the system
turn.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from pathlib import Path
from uuid import UUID

from django.template import Context, Engine, Template
from django.template.base import Node
from pydantic import BaseModel

from research.agents.agent_prompt_data_blocks import Fence, SourceText, neutral
from research.agents.agent_prompt_tags import FENCE
from research.llm.call_types import Message, Prompt, Speaker

FOLDER = Path(__file__).parent / "prompts"
RULE = "data_rule"
_FILE = re.compile(r"(?P<name>[a-z_]+(?:/[a-z_]+)?)\.(?P<version>v[1-9]\d*)\.md")
_TURN = re.compile(r"^<!-- (system|user) -->\n", re.MULTILINE)
_SHORT_SHA = 8


class PromptError(Exception):
    """A prompt file or its values are invalid: a bug in the program."""


class _StrictValues(dict[str, object]):
    """Values of a template. A missing one is an error, even where Django would treat it as empty."""

    def __missing__(self, name: str) -> object:
        raise PromptError(f"the prompt wants “{name}”, which was not given")


class _StrictContext(Context):
    """A context that remembers missing names, because operators of `{% if %}` swallow their operands' errors."""

    missing = ""

    def __getitem__(self, key: str | int | Node) -> object:
        if key in self:
            return super().__getitem__(key)
        self.missing = str(key)
        raise PromptError(f"the prompt wants “{key}”, which was not given")


@dataclass(frozen=True, slots=True)
class PromptFile:
    """A prompt as written in its file. `sha` is the SHA-256 of the file and of the rule for data blocks."""

    name: str
    version: str
    sha: str
    turns: tuple[tuple[Speaker, Template], ...]


@dataclass(frozen=True, slots=True)
class RenderedPrompt:
    """A prompt with its values filled in."""

    name: str
    version: str
    sha: str
    messages: tuple[Message, ...]

    @property
    def prompt(self) -> Prompt:
        """Return the prompt for a model call; its version changes with the file."""
        return Prompt(self.name, f"{self.version}+{self.sha[:_SHORT_SHA]}", self.messages)


@lru_cache(maxsize=1)
def _engine() -> Engine:
    return Engine(
        autoescape=False,
        builtins=["research.agents.agent_prompt_tags"],
        string_if_invalid="",
        loaders=[],
    )


@lru_cache(maxsize=1)
def _files() -> Mapping[str, tuple[str, Path]]:
    """Return version and path by name. Raises PromptError for two versions of a name and for an invalid name."""
    files: dict[str, tuple[str, Path]] = {}
    for path in sorted(FOLDER.rglob("*.md")):
        match = _FILE.fullmatch(path.relative_to(FOLDER).as_posix())
        if match is None or match["name"] in files:
            raise PromptError(f"{path.name} is no prompt's name, or one of two versions")
        files[match["name"]] = match["version"], path
    return files


@lru_cache(maxsize=64)
def load(name: str) -> PromptFile:
    """Load a prompt file. Raises PromptError."""
    version, text = _read(name)
    sha = hashlib.sha256(f"{text}\0{_read(RULE)[1]}".encode()).hexdigest()
    parts = _TURN.split(text)
    if parts[0].strip() or len(parts) < 3:
        raise PromptError(f"{name} does not begin with a speaker")
    speakers = [Speaker(speaker) for speaker in parts[1::2]]
    templates = [Template(part.strip(), engine=_engine()) for part in parts[2::2]]
    return PromptFile(name, version, sha, tuple(zip(speakers, templates, strict=True)))


def _read(name: str) -> tuple[str, str]:
    if name not in _files():
        raise PromptError(f"there is no prompt {name}")
    version, path = _files()[name]
    return version, path.read_text(encoding="utf-8")


def render(name: str, values: Mapping[str, object], fence: Fence) -> RenderedPrompt:
    """Render a prompt. Raises PromptError for a missing value, TypeError for an unsupported one."""
    file = load(name)
    safe = {key: _safe(value, fence) for key, value in values.items()}
    turns = [Message(speaker, _fill_template(template, safe, fence)) for speaker, template in file.turns]
    messages = with_data_rule(turns) if fence.is_used else tuple(turns)
    return RenderedPrompt(file.name, file.version, file.sha, messages)


def with_data_rule(turns: Sequence[Message]) -> tuple[Message, ...]:
    """Return the conversation with the rule for data blocks at the end of its system turn."""
    first, *others = turns
    if first.speaker is not Speaker.SYSTEM:
        return (Message(Speaker.SYSTEM, _rule()), *turns)
    if _rule() in first.content:
        return tuple(turns)
    return (Message(Speaker.SYSTEM, f"{first.content}\n\n{_rule()}"), *others)


@lru_cache(maxsize=1)
def _rule() -> str:
    return _read(RULE)[1].strip()


def _fill_template(template: Template, values: Mapping[str, object], fence: Fence) -> str:
    context = _StrictContext({**values, FENCE: fence}, autoescape=False, use_l10n=False)
    text = str(template.render(context))
    if context.missing:
        raise PromptError(f"the prompt wants “{context.missing}”, which was not given")
    return text


def _safe(value: object, fence: Fence) -> object:
    """Return the value for templates, with all texts neutralised so that none can imitate a data block."""
    match value:
        case str() if not isinstance(value, Enum):
            return neutral(value, fence.nonce)
        case None | bool() | int() | float() | Decimal() | UUID() | SourceText():
            return value
        case Enum():
            return value.value
        case Mapping():
            return _StrictValues({str(key): _safe(item, fence) for key, item in value.items()})
        case Sequence() | frozenset():
            return tuple(_safe(item, fence) for item in value)
    return _StrictValues({name: _safe(field_value, fence) for name, field_value in _fields(value)})


def _fields(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, BaseModel):
        yield from value
    elif is_dataclass(value) and not isinstance(value, type):
        yield from ((field.name, getattr(value, field.name)) for field in fields(value))
    else:
        raise TypeError(f"a prompt holds no {type(value).__name__}")
