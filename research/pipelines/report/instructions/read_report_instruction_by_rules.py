"""Parse an instruction to a run under way by rules, from English words. Pure.

A part that requests nothing known is `unclear`: it is reported to its author, and nothing is guessed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from math import ceil

from research.agents.tools.evidence.agent_named_sources import parse_site
from research.pipelines.report.instructions.report_publication_days import Range, range_in

MAX_TOPIC = 120  # characters
QUOTES = "\"'“”‘’"
MORE, FEWER = 1.5, 0.5  # factor on the sources wanted now, if no number is given


@dataclass(frozen=True, slots=True)
class Topic:
    """Something to look for besides. Without queries, they are made of its name and the question."""

    name: str
    is_section: bool = False  # has its own section, however little is found
    queries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wishes:
    """The requests of an instruction.

    `sources` is how many are wanted from now on; None: as many as before. Days are ISO 8601, as precise as given.
    """

    topics: tuple[Topic, ...] = ()
    excluded: tuple[str, ...] = ()  # sites
    sources: int | None = None
    published_from: str = ""
    published_to: str = ""
    unclear: tuple[str, ...] = ()

    def __add__(self, later: "Wishes") -> "Wishes":
        """Merge two sets of wishes; the later one counts where both can't hold."""
        return Wishes(
            tuple(dict.fromkeys((*self.topics, *later.topics))),
            tuple(dict.fromkeys((*self.excluded, *later.excluded))),
            self.sources if later.sources is None else later.sources,
            later.published_from or self.published_from,
            later.published_to or self.published_to,
            (*self.unclear, *later.unclear),
        )


_END = re.compile(r"[.!?;]+(?=\s|$)|[\n\r]+")
_NEW = (
    r"also|not|no|nothing|never|don['’]t|do not|add|only|use|exclude|skip|avoid|without|leave|ignore|more|fewer|less"
    r"|at most"
)
_AND = re.compile(
    rf",?\s+(?:and|but|then)\s+(?=(?:please\s+)?(?:{_NEW})\b)|,\s+(?=(?:{_NEW})\b)", re.IGNORECASE
)
_POLITE = re.compile(
    r"^(?:(?:and|but|please|kindly|then|now|so|ok|okay|can you|could you|you should)[\s,]+)+", re.IGNORECASE
)
_SITE = re.compile(
    r"(?<![\w@.-])(?:https?://)?((?:[\w-]+\.)+[a-z]{2,})(?::\d+)?(?:/\S*)?(?![\w.-]*@)", re.IGNORECASE
)
_NOT = re.compile(
    r"\b(?:not|no|nothing|never|without|exclud\w+|avoid\w*|ignor\w+|skip\w*|leav\w+ out|drop\w*|don['’]t|block\w*"
    r"|omit\w*|except|anything but)\b",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"\b(?:section|chapter|part|heading|paragraph)s?\s+(?:on|about|for|of|covering|called|named|titled|regarding"
    r"|concerning|with)\s+(?P<topic>.+)$",
    re.IGNORECASE,
)
_LOOK = re.compile(
    r"^(?:also\s+)?(?:look(?:ing)?\s+(?:at|into|for|up)|search\s+for|consider|cover|examine|investigate|explore|include"
    r"|check|address|focus\s+on|discuss|mention|deal\s+with|treat|what\s+about|how\s+about|find(?:\s+out)?(?:\s+about)?"
    r"|think\s+(?:of|about)|compare|say\s+(?:something\s+)?about|tell\s+(?:me\s+)?about|go\s+into|add|ask\s+about"
    r"|research|talk\s+about)\s+(?:also\s+(?:at\s+)?)?(?P<topic>.+)$",
    re.IGNORECASE,
)
_ALSO = re.compile(r"^(?:also|plus|additionally|as\s+well\s+as|besides)[\s,]+(?P<topic>.+)$", re.IGNORECASE)
_TAIL = re.compile(
    r"[\s,]*\b(?:too|as\s+well|also|please|in\s+addition|this\s+time)[\s.,!?]*$", re.IGNORECASE
)
_HEAD = re.compile(r"^(?:the|an?|some|any|its?|their)\s+", re.IGNORECASE)
_KINDS = r"(?:sources?|pages?|papers?|documents?|articles?|studies|references|results)"
_NUMBER = re.compile(
    rf"\b(?P<number>\d{{1,4}})\s+(?P<how>more|further|additional|other|fewer|less)?\s*{_KINDS}\b"
    rf"|\b(?P<also>more|further|additional|fewer|less)\s+{_KINDS}\b",
    re.IGNORECASE,
)
_OF_SOURCES = re.compile(
    rf"\b(?:{_KINDS}|published|publications|only|nothing|anything|older|newer|newest)\b", re.IGNORECASE
)


def read_wishes(text: str, wanted_now: int) -> Wishes:
    """Parse the wishes. `wanted_now` is the number of sources that the run wants so far."""
    found = (_read(clause, wanted_now) for clause in _clauses(text))
    return reduce(Wishes.__add__, found, Wishes())


def _clauses(text: str) -> Iterator[str]:
    for sentence in _END.split(text):
        for part in _AND.split(sentence):
            clause = _POLITE.sub("", " ".join(part.split())).strip(" ,.:")
            if clause:
                yield clause


def _read(clause: str, wanted_now: int) -> Wishes:
    """Parse one wish; of a clause with several, the first in this order."""
    if sites := _SITE.findall(clause):
        return _parse_exclusion(clause, sites)
    if found := _SECTION.search(clause):
        return _parse_topic(clause, found["topic"], is_section=True)
    if _OF_SOURCES.search(clause) and (about := _about_sources(clause, wanted_now)):
        return about
    if found := _LOOK.search(clause) or _ALSO.search(clause):
        return _parse_topic(clause, found["topic"])
    days = range_in(clause)
    return Wishes(published_from=days.first, published_to=days.last) if days else Wishes(unclear=(clause,))


def _parse_exclusion(clause: str, sites: list[str]) -> Wishes:
    """Parse an exclusion: a site can be excluded; that one is searched first can't be requested any more."""
    if not _NOT.search(clause):
        return Wishes(unclear=(clause,))
    try:
        return Wishes(excluded=tuple(map(parse_site, sites)))
    except ValueError:
        return Wishes(unclear=(clause,))


def _parse_topic(clause: str, words: str, *, is_section: bool = False) -> Wishes:
    name = topic_name(words)
    if not name or _NOT.match(clause):
        return Wishes(unclear=(clause,))
    return Wishes(topics=(Topic(name, is_section),))


def topic_name(words: str) -> str:
    """Return the topic as the name of a subtopic and a section: without words that only address the reader."""
    plain = _HEAD.sub("", _TAIL.sub("", words).strip(" ,.:;!?"))
    plain = plain.strip(QUOTES) if plain[:1] in QUOTES else plain
    cut = plain if len(plain) <= MAX_TOPIC else plain[:MAX_TOPIC].rpartition(" ")[0]
    return cut[:1].upper() + cut[1:] if any(map(str.isalnum, cut)) else ""


def _about_sources(clause: str, wanted_now: int) -> Wishes | None:
    days = range_in(clause) or Range()
    wishes = Wishes(published_from=days.first, published_to=days.last)
    if found := _NUMBER.search(clause):
        wishes = replace(wishes, sources=_parse_source_count(found, wanted_now))
    return None if wishes == Wishes() else wishes


def _parse_source_count(found: re.Match[str], wanted_now: int) -> int:
    how = (found["how"] or found["also"] or "").casefold()
    is_less = how in ("fewer", "less")
    if found["number"] is None:
        return max(1, ceil(wanted_now * (FEWER if is_less else MORE)))
    number = int(found["number"])
    if not how or how == "other":
        return max(1, number)
    return max(1, wanted_now - number if is_less else wanted_now + number)
