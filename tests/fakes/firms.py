"""Firms of the stub world: a list of them over several pages, and pages on each that say less or more of it.

Of every firm the first page that a search finds says some things; of two in five, what is missing stands on a second
page that other words find; of one in twenty it stands nowhere.
"""

import random
from collections.abc import Iterator, Mapping
from itertools import product
from urllib.parse import parse_qs, urlsplit

ON_A_PAGE = 100
MAX_FIRMS = 2_400
_FIRST = (
    "Alder Birch Cedar Dogwood Elm Fir Ginkgo Hazel Ivy Juniper Katsura Larch Maple Nutmeg Oak Pine Quince Rowan Spruce"
    " Teak Umber Viburnum Willow Yew Ash Beech Cherry Damson Elder Fig Gorse Heather Iris Jasmine Kelp Lilac Myrtle"
    " Nettle Olive Poplar Redwood Sumac Thistle Ulmus Verbena Walnut Yarrow Zinnia"
).split()
_SECOND = (
    "Foods Motors Steel Glass Paper Textiles Energy Mining Shipping Rail Airways Foundry Chemicals Cement Timber Tools"
    " Pumps Engines Optics Ceramics Brewing Dairy Milling Sugar Salt Wire Cable Lamps Clocks Books Print Toys Boots"
    " Silk Wool Rubber Leather Carpets Tiles Bricks Ropes Sails Anchors Bells Locks Scales Pens Drums Seeds Honey"
).split()
NAMES = [f"{first} {second}" for second, first in product(_SECOND, _FIRST)][:MAX_FIRMS]
_NUMBERS = {name: number for number, name in enumerate(NAMES)}
_TOWNS = "Arden Brightsea Calder Dunmore Elmhurst Fairhaven Glenrock Highmoor Inverley Kestrel".split()
_FILLER = (
    "The firm is well known on the coast. It sells what it makes in many towns, and its letters are answered within a"
    " week. People who have worked there speak of it kindly, and its gardens are open on the first day of spring."
)


def facts_of(number: int) -> dict[str, str]:
    """The true values of a firm, as the pages say them."""
    chance = random.Random(f"firm {number}")
    return {
        "founded": str(chance.randint(1820, 2015)),
        "headquarters": f"Port {chance.choice(_TOWNS)}",
        "employees": f"{chance.randint(1_000, 99_000):,}",
    }


def find_firms(firms: int, query: str) -> Iterator[dict[str, object]]:
    """Yield paths and titles that a search for the query finds: pages of a firm, or the list of all."""
    named = next((number for name, number in _NUMBERS.items() if number < firms and name in query), None)
    if named is not None:
        yield {"path": f"/firm/{named}", "title": NAMES[named]}
        if any(word in query.casefold() for word in ("workforce", "staff", "headcount", "based")):
            yield {"path": f"/firm/{named}/more", "title": f"{NAMES[named]}: people and places"}
    elif firms and "largest firms" in query.casefold():
        yield {"path": "/firms", "title": "Largest firms of the coast by turnover"}


def page_of_firms(firms: int, path: str) -> bytes | None:
    """Return the page at a path; None if there is none."""
    url = urlsplit(path)
    parts = url.path.strip("/").split("/")
    if parts[0] == "firms":
        return _list_page(firms, int(parse_qs(url.query).get("page", ["1"])[0]))
    number = int(parts[1]) if len(parts) > 1 and parts[1].isdigit() else firms
    if parts[0] != "firm" or number >= firms:
        return None
    return _second_page(number) if len(parts) > 2 else _first_page(number)


def _list_page(firms: int, page: int) -> bytes | None:
    first, last = (page - 1) * ON_A_PAGE, min(page * ON_A_PAGE, firms)
    if first >= last:
        return None
    rows = "".join(
        f"<tr><td>{number + 1}</td><td>{NAMES[number]}</td><td>{90_000 - 7 * number:,}</td></tr>"
        for number in range(first, last)
    )
    more = f'<a href="/firms?page={page + 1}">Next ›</a>' if last < firms else ""
    return _html(
        "Largest firms of the coast by turnover",
        f"<p>{_FILLER} The list has {firms:,} firms.</p><table><tr><th>Rank</th><th>Firm</th><th>Turnover</th></tr>"
        f"{rows}</table>",
        f"<nav>{more}</nav>",
    )


def _first_page(number: int) -> bytes:
    name, facts = NAMES[number], facts_of(number)
    said = [f"{name} is a firm of the coast.", f"{name} was founded in {facts['founded']}."]
    if number % 5 not in (1,):
        said.append(f"Headquarters: {facts['headquarters']}.")
    if number % 5 not in (1, 3) and number % 20 != 7:
        said.append(f"Employees: {facts['employees']}.")
    return _html(name, _paragraphs(said))


def _second_page(number: int) -> bytes:
    name, facts = NAMES[number], facts_of(number)
    said = [f"This page is about the people of {name}."]
    if number % 20 != 7:
        said.append(f"Workforce: {facts['employees']}.")
    said.append(f"{name} is based in {facts['headquarters']}.")
    return _html(f"{name}: people and places", _paragraphs(said))


def _paragraphs(said: list[str]) -> str:
    return "".join(f"<p>{words}</p>" for words in (*said, _FILLER))


def _html(title: str, body: str, below: str = "") -> bytes:
    head = f"<html lang='en'><head><title>{title}</title></head>"
    return f"{head}<body><article><h1>{title}</h1>{body}</article>{below}</body></html>".encode()


def count_true(rows: Mapping[str, Mapping[str, object]]) -> int:
    """Return how many values of a table, by row and column, are those that the pages say."""
    return sum(
        str(value).replace(",", "") == facts_of(_NUMBERS[name])[column].replace(",", "")
        for name, row in rows.items()
        for column, value in row.items()
        if column in ("founded", "headquarters", "employees") and value is not None
    )
