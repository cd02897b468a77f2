"""Fence source text in prompts with delimiters that nobody can guess and that the text cannot imitate.

Fencing lowers the rate at which instructions inside a text are followed, but not to zero (security.md, Prompt
injection). The guarantee is that an agent that reads source text has no tool with an outside effect, and that ids and
quotes are resolved against the run's rows.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.crypto import salted_hmac

from research.llm.call_types import CallerIds

NONCE_LENGTH = 20  # hexadecimal digits: 80 bits
MAX_LABEL_LENGTH = 200  # characters

# Characters that are invisible to readers but not to models: controls, soft hyphens, zero-width and bidirectional
# marks, tags, variation selectors beyond one, private and non-characters, lone surrogates.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
# Joiners shape words of some scripts and emoji; after Latin letters, or repeated, they hide text.
_JOINERS = re.compile("(?<![\u0300-\U0010ffff])[\u200c\u200d]|(?<=[\u200c\u200d])[\u200c\u200d]")
_SELECTORS = re.compile("[\ufe00-\ufe0f]{2,}")
_OPENERS = "<＜‹〈⟨﹤《«≺❮❬⟪⧼˂ᐸ"
# Letters that look like those of the delimiter to people and models: Cyrillic, Greek, Armenian, wide, mathematical.
_ALIKE = {"s": "ѕꜱ", "o": "оοօ0", "u": "υս", "r": "гᴦ", "c": "сϲ", "e": "еҽ℮ε", "t": "тτ", "x": "хχ×"}


def _build_lookalike_pattern(word: str) -> str:
    wide = {letter: chr(ord(letter) + 0xFEE0) for letter in word}
    return "".join(
        f"[{character}{_ALIKE[character]}{wide[character]}{wide[character].upper()}\U0001d400-\U0001d7ff]"
        for character in word
    )


_IMITATION = re.compile(
    rf"[{_OPENERS}](?=\s*[/／⁄∕⧸]?\s*{_build_lookalike_pattern('source')}[\s_\-‐-―－﹣−]*{_build_lookalike_pattern('text')})",
    re.IGNORECASE,
)
# Special tokens that local servers may interpret as turns of the conversation anywhere in a text.
_TURN_MARKS = re.compile(
    r"<(?=[|｜][^<>\n]{1,40}[|｜]>)|<(?=/?(?:s|start_of_turn|end_of_turn|bos|eos|system|assistant|user|think"
    r"|tools?|tool_calls?|tool_responses?|function_calls?)>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|THINK)\])|<(?=</?SYS>>)",
    re.IGNORECASE,
)
_MARK = re.compile(rf"[\[{_OPENERS}]")  # the first character of every such token; most texts have none


class SourceText:
    """Text of a source, which may enter a prompt only in a data block: `str()` raises TypeError.

    It is neutralised only once, although it may be used in several prompts with different delimiters.
    """

    __slots__ = ("_neutral", "_words")

    def __init__(self, words: str) -> None:
        self._words = words
        self._neutral: str | None = None

    def __str__(self) -> str:
        raise TypeError("source text belongs in a data block: {% data text %}")

    def __repr__(self) -> str:
        return f"SourceText({len(self._words)} characters)"

    def in_block(self, fence: "Fence") -> str:
        if self._neutral is None:
            self._neutral = neutral(self._words, "")
        return neutral(self._words, fence.nonce) if fence.is_in(self._neutral) else self._neutral


@dataclass(slots=True)
class Fence:
    """The delimiter of one prompt's data blocks; records whether it was used."""

    nonce: str
    is_used: bool = field(default=False)

    def is_in(self, text: str) -> bool:
        return _has(self.nonce, text)

    def block(self, text: SourceText, labels: Mapping[str, str] | None = None) -> str:
        """Return the text in a data block, with labels such as the id of its source."""
        self.is_used = True
        facts = "".join(f' {name}="{_label(value, self.nonce)}"' for name, value in (labels or {}).items())
        return f"<source-text-{self.nonce}{facts}>\n{text.in_block(self)}\n</source-text-{self.nonce}>"


def fence_for(step: CallerIds, purpose: str) -> Fence:
    """Return the fence of a call, which no text can predict and which a repeated step gets again.

    Its nonce is derived from the installation's secret key and not random, because a stored answer is found by its
    request.
    """
    subject = f"{step.tenant_id} {step.run_id} {step.key} {purpose}"
    digest = salted_hmac("research.agents.prompt_data_blocks", subject, algorithm="sha256").hexdigest()
    return Fence(digest[:NONCE_LENGTH])


def neutral(text: str, nonce: str) -> str:
    """Return the text without invisible characters and without anything that looks like the delimiters."""
    seen = _INVISIBLE.sub("", text)
    if not seen.isascii():
        joined = _JOINERS.sub("", seen) if "\u200c" in seen or "\u200d" in seen else seen
        seen = _SELECTORS.sub("", joined)
    if _has(nonce, seen):
        seen = re.sub(re.escape(nonce), "·", seen, flags=re.IGNORECASE)
    if _MARK.search(seen):
        seen = _TURN_MARKS.sub(lambda found: f"{found.group()} ", _IMITATION.sub("(", seen))
    return seen


def _has(nonce: str, text: str) -> bool:
    return bool(nonce) and nonce.casefold() in text.casefold()


def _label(value: str, nonce: str) -> str:
    flat = " ".join(neutral(value, nonce).split())
    return re.sub('[<>"]', "'", flat)[:MAX_LABEL_LENGTH]
