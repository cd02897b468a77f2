"""robots.txt by RFC 9309: the group that names our agent, the longest matching rule, `*` and `$` in paths."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote

LONGEST = 500 * 1024  # bytes that are parsed (RFC 9309, 2.5)
MAX_DELAY_S = 10.0  # the longest crawl delay that we observe


@dataclass(frozen=True, slots=True)
class Robots:
    """The robots.txt of a site.

    `rules` are pairs of a path pattern and whether it is allowed; `unread` is the reason why the file could
    not be read.
    """

    rules: tuple[tuple[str, bool], ...] = ()
    delay_s: float = 0.0
    unread: str = ""

    def allows(self, path: str) -> bool:
        """Return True if the path (with its query) may be read.

        The longest rule decides; if two are equally long, the one that allows.
        """
        if path == "/robots.txt":
            return True
        asked = _plain(path)
        fitting = [(len(pattern), allowed) for pattern, allowed in self.rules if _fits(pattern, asked)]
        return max(fitting, default=(0, True))[1]


ALLOW_ALL = Robots()


def forbid_all(why: str) -> Robots:
    """Return rules that forbid everything until the file can be read (RFC 9309, 2.3.1.4)."""
    return Robots((("/", False),), unread=why)


def parse_robots(data: bytes, agent: str) -> Robots:
    """Parse the rules for `agent`, or else those for all agents. Unknown lines are ignored."""
    groups = list(_groups(_lines(data[:LONGEST].decode("utf-8", "replace"))))
    own = [group for group in groups if agent.lower() in group.agents]
    chosen = own or [group for group in groups if "*" in group.agents]
    rules = tuple((_plain(path), allowed) for group in chosen for path, allowed in group.rules if path)
    delays = [group.delay_s for group in chosen]
    return Robots(rules, min(max(delays, default=0.0), MAX_DELAY_S))


@dataclass(slots=True)
class _RobotsGroup:
    agents: set[str]
    rules: list[tuple[str, bool]]
    delay_s: float = 0.0


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in text.removeprefix("\ufeff").splitlines():
        name, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield name.strip().lower(), value.strip()


def _groups(lines: Iterable[tuple[str, str]]) -> Iterator[_RobotsGroup]:
    group = _RobotsGroup(set(), [])
    for name, value in lines:
        if name == "user-agent":
            if group.rules or group.delay_s:
                yield group
                group = _RobotsGroup(set(), [])
            group.agents.add(value.split("/")[0].strip().lower())
        elif group.agents and name in ("allow", "disallow"):
            group.rules.append((value, name == "allow"))
        elif group.agents and name == "crawl-delay":
            group.delay_s = _seconds(value)
    if group.agents:
        yield group


def _seconds(text: str) -> float:
    return float(text) if re.fullmatch(r"[0-9]{1,6}(\.[0-9]+)?", text) else 0.0


def _plain(path: str) -> str:
    """Normalise percent-encoding, so that %7E equals ~, while %2F stays distinct from a slash."""
    kept = path.replace("%2F", "%252F").replace("%2f", "%252F")
    return quote(unquote(kept), "/*$?&=;:@!'()+,~%-._")


def _fits(pattern: str, path: str) -> bool:
    """Return True if the pattern matches.

    Each part is matched at its first occurrence: a regular expression would backtrack over a stranger's
    stars.
    """
    first, *parts = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    at, last = len(first), parts.pop() if parts and pattern.endswith("$") else None
    for part in parts:
        found = path.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    if last is not None:
        return path.endswith(last) and len(path) - len(last) >= at
    return at == len(path) or not pattern.endswith("$")
