"""The home region of a site, as far as its domain shows it."""

from collections.abc import Iterator
from enum import StrEnum

from citations.credibility.hosts import host_of


class Region(StrEnum):
    """The parts of the world that a run may be narrowed to; `GLOBAL` narrows nothing."""

    GLOBAL = "global"
    US = "us"
    EU = "eu"
    CH = "ch"
    APAC = "apac"
    LATAM = "latam"


_SUFFIXES = {
    Region.US: "us gov mil edu",
    Region.CH: "ch swiss li",
    Region.EU: "eu at be bg cy cz de dk ee es fi fr gr hr hu ie it lt lu lv mt nl pl pt ro se si sk",
    Region.APAC: "au bd bn cn hk id in jp kh kr la lk mm mn mo my np nz ph pk sg th tw vn asia",
    Region.LATAM: "ar bo br cl co cr cu do ec gt hn lat mx ni pa pe pr py sv uy ve",
}
# Country codes that sites of all the world use as if they were no country's.
_SOLD_EVERYWHERE = frozenset({"co", "la"})
_BY_SUFFIX = {suffix: region for region, listed in _SUFFIXES.items() for suffix in listed.split()}


def region_of(url: str) -> Region | None:
    """None where the domain tells nothing: most sites of the world end in .com, .org or .net."""
    labels = list(_closing_labels(host_of(url)))
    if labels and labels[0] in _SOLD_EVERYWHERE and len(labels) < 2:
        return None
    return _BY_SUFFIX.get(labels[0]) if labels else None


def _closing_labels(host: str) -> Iterator[str]:
    """The last label, and the one before it where that is a kind of site: example.com.co has co, com."""
    labels = host.split(".")
    if len(labels) < 2 or labels[-1].isdigit():
        return
    yield labels[-1]
    if len(labels) > 2 and labels[-2] in ("com", "gob", "gov", "org", "edu", "net"):
        yield labels[-2]


def is_elsewhere(url: str, regions: frozenset[Region]) -> bool:
    """The site is known to be at home in another part of the world than was asked for."""
    if not regions or Region.GLOBAL in regions:
        return False
    home = region_of(url)
    return home is not None and home not in regions
