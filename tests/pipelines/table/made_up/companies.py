"""Companies: registers, yearbooks, profiles, and prose with a rival in it."""

from random import Random

from research.pipelines.table.convert_table_cell_values import Value, format_value
from research.pipelines.table.table_columns import TableField
from tests.pipelines.table.made_up.world import (
    Made,
    Rows,
    Truth,
    World,
    html_rows,
    names,
    page,
    person,
    rows,
    sentences,
)

FIELDS = (
    TableField(name="legal_name"),
    TableField(name="founded", type="date", format="year", title="Founding year"),
    TableField(name="headquarters", title="Headquarters", description="City of the head office"),
    TableField(name="ceo", title="CEO"),
    TableField(name="employees", type="number", title="Number of employees", format="integer"),
    TableField(name="revenue_eur", type="number", title="Revenue in EUR"),
    TableField(name="products", many=True),
    TableField(name="website", type="url"),
    TableField(name="listed", type="boolean", title="Is it publicly listed"),
    TableField(name="industry"),
)
_CITIES = "Bremen Lyon Graz Turin Malmö Ghent Porto Brno Aarhus Tartu Basel Utrecht".split()
_INDUSTRIES = ("optics", "logistics", "packaging", "medical devices", "textiles", "wind power")
_GOODS = "lenses conveyors pallets sensors looms rotors valves scanners pumps gaskets".split()
_LABELS = {
    "legal_name": "Legal name|Registered legal name",
    "founded": "Founded|Established|Year of foundation",
    "headquarters": "Headquarters|Head office|HQ",
    "ceo": "CEO|Chief executive officer|Chief executive",
    "employees": "Employees|Number of employees|Staff",
    "revenue_eur": "Revenue|Annual revenue|Turnover",
    "products": "Products|Main products",
    "website": "Website|Homepage",
    "listed": "Publicly listed|Listed publicly",
    "industry": "Industry|Sector",
}
_SAID = {
    "legal_name": "Its legal name is {v}.",
    "founded": "It was founded in {v}.|The company was established in {v} by two brothers.|{item} was founded in {v}.",
    "headquarters": "It is headquartered in {v}.|{item} has its headquarters in {v}.|The head office is in {v}.",
    "ceo": "{v} is the CEO.|Its chief executive is {v}.|The company is led by its CEO, {v}.",
    "employees": "It employs {v} people.|{item} has {v} employees.|The staff numbers {v}.",
    "revenue_eur": "Its annual revenue is {v}.|It reported revenue of {v}.",
    "products": "Its products include {v}.|Its main products are {v}.",
    "website": "Its website is {v}.|More is told on its website, {v}.",
    "listed=yes": "The company is publicly listed.|{item} is publicly listed in Vienna.",
    "listed=no": "The company is not publicly listed.|{item} is not publicly listed.",
    "industry": "It operates in the {v} industry.|Its industry is {v}.",
}
RIVAL = "Its rival Ostrakon Holding is headquartered in Oslo and employs 4,711 people."


def _money(random: Random, euros: Value) -> str:
    assert isinstance(euros, int)
    return random.choice(
        (f"€{euros / 1e6:.1f} million", f"EUR {euros:,}", f"{euros / 1e6:.1f} million euros")
    )


def _year(random: Random, year: Value) -> str:
    return random.choice((f"{year}", f"12 May {year}", f"March {year}"))


_FORMS = {
    "employees": lambda _, value: f"{value:,}",
    "revenue_eur": _money,
    "website": lambda _, value: format_value(value),
}


def companies(seed: int, count: int) -> World:
    random = Random(seed)
    items = tuple(
        _company(random, f"{name} {random.choice(('Works', 'Group', 'Labs', ''))}".strip(), index)
        for index, name in enumerate(names(random, count))
    )
    shown = ", ".join(item.item for item in items[:12])
    fair = (
        f"# Trade fair\n\nExhibitors: {shown}. The fair was founded in 1951 and its head office is in Oslo.\n"
    )
    return World(FIELDS, items, {"fair.md": fair})


def _company(random: Random, item: str, index: int) -> Made:
    truth: Truth = {
        "legal_name": f"{item} {random.choice(('AG', 'GmbH', 'S.A.', 'Ltd'))}",
        "founded": str(random.randint(1890, 2020)),
        "headquarters": random.choice(_CITIES),
        "ceo": person(random),
        "employees": random.randint(12, 90_000),
        "revenue_eur": random.randint(11, 990) * 100_000,
        "products": tuple(random.sample(_GOODS, random.randint(2, 4))),
        "website": f"https://www.{item.split()[0].lower()}.example",
        "listed": random.random() < 0.5,
        "industry": random.choice(_INDUSTRIES),
    }
    if index % 10 == 9:
        return Made(item, dict.fromkeys(truth), {})
    truth |= dict.fromkeys(random.sample(sorted(truth), random.choice((0, 0, 1, 2))))
    write = (_infobox, _definitions, _bullets, _prose, _among_others, _yearbook)[index % 6]
    pages = dict([write(random, item, truth)])
    if index % 7 == 3 and isinstance(staff := truth["employees"], int):
        pages["profile.md"] = (
            f"# {item}: company profile\n\nA note for investors.\n\n- Employees: {staff + 1_000:,}\n"
        )
        return Made(item, truth, pages, ("employees",))
    return Made(item, truth, pages)


def _build_rows(random: Random, truth: Truth) -> Rows:
    return rows(random, truth, _LABELS, {**_FORMS, "founded": _year})


def _infobox(random: Random, item: str, truth: Truth) -> tuple[str, str]:
    told = html_rows(_build_rows(random, truth), "<tr><th>{0}</th><td>{1}</td></tr>")
    rival = "<p>Its rival Kralcorp is in another entry, with 77 employees and headquarters in Oslo.</p>"
    body = f"<h1>{item}</h1><table class='infobox'><caption>{item}</caption>{told}</table>{rival}"
    return "infobox.html", page(f"{item} - Company register", body, "An entry of the register.")


def _definitions(random: Random, item: str, truth: Truth) -> tuple[str, str]:
    told = html_rows(_build_rows(random, truth), "<dt>{0}</dt><dd>{1}</dd>")
    return "definitions.html", page(item, f"<h1>About {item}</h1><dl>{told}</dl>", "Key facts on the firm.")


def _bullets(random: Random, item: str, truth: Truth) -> tuple[str, str]:
    form = random.choice(("- **{}:** {}", "- {}: {}", "* *{}*: {}"))
    told = "\n".join(form.format(*row) for row in _build_rows(random, truth))
    older = "" if truth["employees"] is None else "\n\nAn earlier report counted 123 employees."
    return "facts.md", f"# {item}\n\nKey facts on the company.\n\n{told}{older}\n"


def _prose(random: Random, item: str, truth: Truth) -> tuple[str, str]:
    told = sentences(random, item, truth, _SAID, _FORMS)
    return "prose.md", f"# {item}\n\n{item} is a company with a long history. {told}\n\n{RIVAL}\n"


def _among_others(random: Random, item: str, truth: Truth) -> tuple[str, str]:
    """A wide table with a row for the company, after one for another."""
    told = _build_rows(random, truth)
    heads = "".join(f"<th>{label}</th>" for label, _ in told)
    cells = "".join(f"<td>{value}</td>" for _, value in told)
    noise = "".join(f"<td>{random.choice(('Oslo', '9', 'none', 'steel'))}</td>" for _ in told)
    body = (
        f"<h1>Companies of the region</h1><table><tr><th>Company</th>{heads}</tr>"
        f"<tr><td>Ostrakon Holding</td>{noise}</tr><tr><td>{item}</td>{cells}</tr></table>"
    )
    return "members.html", page("Companies of the region", body, "The chamber lists its members here.")


def _yearbook(random: Random, item: str, truth: Truth) -> tuple[str, str]:
    """A section for the company, with a section for another one after it."""
    told = "\n\n".join(
        f"### {label}\n\n{_beneath(label, value)}" for label, value in _build_rows(random, truth)
    )
    other = "## Ostrakon Holding\n\n### CEO\n\nNobody Else\n\n### Employees\n\n4,711\n"
    return (
        "yearbook.md",
        f"# Yearbook\n\nThe yearbook presents firms one by one.\n\n## {item}\n\n{told}\n\n{other}",
    )


def _beneath(label: str, value: str) -> str:
    return "\n".join(f"- {one}" for one in value.split(", ")) if "roducts" in label else value
