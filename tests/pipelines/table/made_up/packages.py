"""Software packages: readmes, pages of an index, and notes."""

from random import Random

from research.pipelines.table.convert_table_cell_values import Value
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
    TableField(name="licence", title="Licence"),
    TableField(name="latest_version", pattern=r"\d+\.\d+(\.\d+)?"),
    TableField(name="first_release", type="date", title="Date of first release"),
    TableField(name="language", title="Programming language"),
    TableField(name="maintainers", many=True),
    TableField(name="stars", type="number", format="integer"),
    TableField(name="homepage", type="url"),
    TableField(name="deprecated", type="boolean", title="Is deprecated"),
    TableField(name="install_size_mb", type="number", title="Install size (MB)"),
)
_LABELS = {
    "licence": "License|Licence",
    "latest_version": "Latest version|Current version|Version",
    "first_release": "First release|First released|Initial release",
    "language": "Language|Programming language|Written in",
    "maintainers": "Maintainers|Maintained by|Maintainer",
    "stars": "Stars|GitHub stars",
    "homepage": "Homepage|Website|Home page",
    "deprecated": "Deprecated",
    "install_size_mb": "Install size|Installed size",
}
_SAID = {
    "licence": "It is licensed under {v}.|Its licence is {v}.|{item} is released under the {v} licence.",
    "latest_version": "The latest version is {v}.|The current version is {v}, out since spring.",
    "first_release": "The first release was on {v}.|Its first release dates from {v}.",
    "language": "Its programming language is {v}.|It uses the programming language {v}.|It is written in {v}.",
    "maintainers": "It is maintained by {v}.|Its maintainers are {v}.",
    "stars": "It has {v} stars.|The repository has {v} stars on its forge.",
    "homepage": "Its homepage is {v}.",
    "deprecated=yes": "The package is deprecated.",
    "deprecated=no": "The package is not deprecated.|{item} isn't deprecated.",
    "install_size_mb": "Its install size is {v}.|The install size comes to {v}.",
}
_MONTHS = "January February March April May June July August September October November December".split()


def _day(random: Random, iso: Value) -> str:
    year, month, day = str(iso).split("-")
    return f"{int(day)} {_MONTHS[int(month) - 1]} {year}"


_FORMS = {
    "first_release": _day,
    "stars": lambda _, value: f"{value:,}",
    "install_size_mb": lambda _, value: f"{value} MB",
}
_LABELLED = _FORMS | {
    "latest_version": lambda random, value: random.choice(("{}", "v{}")).format(value),
    "first_release": lambda random, value: random.choice((_day(random, value), str(value))),
    "install_size_mb": lambda random, value: random.choice(
        (f"{value} MB", f"{float(str(value)) * 1000:.0f} kB")
    ),
}


def packages(seed: int, count: int) -> World:
    random = Random(seed)
    return World(
        FIELDS,
        tuple(_package(random, name.lower(), index) for index, name in enumerate(names(random, count))),
        {},
    )


def _package(random: Random, item: str, index: int) -> Made:
    truth: Truth = {
        "licence": random.choice(("MIT", "Apache-2.0", "BSD-3-Clause", "MPL-2.0", "GPL-3.0")),
        "latest_version": f"{random.randint(0, 12)}.{random.randint(0, 30)}.{random.randint(0, 9)}",
        "first_release": f"{random.randint(2001, 2022)}-{random.randint(1, 12):02}-{random.randint(1, 28):02}",
        "language": random.choice(("Rust", "Python", "Go", "Kotlin", "Haskell")),
        "maintainers": tuple(dict.fromkeys(person(random) for _ in range(random.randint(1, 3)))),
        "stars": random.randint(3, 80_000),
        "homepage": f"https://{item}.example/docs",
        "deprecated": random.random() < 0.3,
        "install_size_mb": round(random.uniform(0.2, 90), 1),
    }
    if index % 12 == 11:
        return Made(item, dict.fromkeys(truth), {})
    truth |= dict.fromkeys(random.sample(sorted(truth), random.choice((0, 1, 1, 2))))
    return Made(item, truth, dict([(_readme, _index_page, _notes)[index % 3](random, item, truth)]))


def _build_rows(random: Random, truth: Truth) -> Rows:
    return rows(random, truth, _LABELS, _LABELLED)


def _readme(random: Random, item: str, truth: Truth) -> tuple[str, str]:
    told = "\n".join(f"| {label} | {value} |" for label, value in _build_rows(random, truth))
    old = "Version 0.0.1 was an experiment of 1999."
    head = f"# {item}\n\n{item} is a library for people who count things."
    return "readme.md", f"{head}\n\n| Property | Value |\n|---|---|\n{told}\n\n{old}\n"


def _index_page(random: Random, item: str, truth: Truth) -> tuple[str, str]:
    told = html_rows(_build_rows(random, truth), "<li><b>{0}:</b> {1}</li>")
    body = f"<h1>{item}</h1><ul>{told}</ul><h2>See also</h2><ul><li>ostrakon, version 9.9.9</li></ul>"
    return "index.html", page(f"{item} · Package index", body, "A package that everybody can look up here.")


def _notes(random: Random, item: str, truth: Truth) -> tuple[str, str]:
    return "notes.md", f"# {item}\n\nNotes on a package.\n\n{sentences(random, item, truth, _SAID, _FORMS)}\n"
