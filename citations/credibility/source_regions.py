"""The home region of a site, as far as its domain shows it."""

from collections.abc import Iterator
from enum import StrEnum

from citations.credibility.source_hosts import host_of


class Region(StrEnum):
    """The regions to which a run may be restricted; `GLOBAL` restricts nothing."""

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
# Country codes that sites everywhere use as generic ones.
_SOLD_EVERYWHERE = frozenset({"co", "la"})
_BY_SUFFIX = {suffix: region for region, listed in _SUFFIXES.items() for suffix in listed.split()}


def region_of(url: str) -> Region | None:
    """Return the region; None if the domain shows none, as .com, .org and .net."""
    labels = list(_last_labels(host_of(url)))
    if labels and labels[0] in _SOLD_EVERYWHERE and len(labels) < 2:
        return None
    return _BY_SUFFIX.get(labels[0]) if labels else None


def _last_labels(host: str) -> Iterator[str]:
    """Yield the last label, and the one before it if that is a generic category: example.com.co has co, com."""
    labels = host.split(".")
    if len(labels) < 2 or labels[-1].isdigit():
        return
    yield labels[-1]
    if len(labels) > 2 and labels[-2] in ("com", "gob", "gov", "org", "edu", "net"):
        yield labels[-2]


def is_elsewhere(url: str, regions: frozenset[Region]) -> bool:
    """True if the site's home is known to be outside of the requested regions."""
    if not regions or Region.GLOBAL in regions:
        return False
    home = region_of(url)
    return home is not None and home not in regions
