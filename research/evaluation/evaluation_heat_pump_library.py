"""A small fictional library about ten heat pumps, with questions, for `manage.py evaluate model`.

The texts are short, so that a model of any size can handle them, and contain all that is asked for.
"""

from collections.abc import Mapping
from pathlib import Path
from uuid import UUID

from research.pipelines.table.table_columns import FieldType, TableField

PUMPS = (
    ("Lumen 9", "Nordwarm", 2019, 6.1),
    ("Aria 12", "Calor", 2021, 8.4),
    ("Boreal S", "Fjell", 2017, 5.2),
    ("Tern 7", "Nordwarm", 2022, 7.3),
    ("Vela 10", "Sonnen & Kamp", 2020, 6.9),
    ("Heron 5", "Fjell", 2016, 4.1),
    ("Sirius 14", "Calor", 2023, 9.6),
    ("Polar 8", "Aurinko", 2018, 5.8),
    ("Mistral X", "Aurinko", 2024, 7.7),
    ("Kestrel 6", "Sonnen & Kamp", 2015, 4.6),
)
COLUMNS = (
    TableField(name="maker", description="The company that makes it"),
    TableField(
        name="introduced",
        type=FieldType.NUMBER,
        format="integer",
        description="The year in which it came out",
    ),
    TableField(
        name="heat",
        type=FieldType.NUMBER,
        format="kW",
        description="Heat that it delivers at minus 15 degrees",
    ),
)
PROMPT = (
    "Who makes each heat pump, when did it come out, and how much heat does it deliver at minus 15 degrees?"
)
QUESTIONS = (
    "How much heat does the Lumen 9 deliver at minus 15 degrees?",
    "Which heat pumps deliver more than 7 kilowatts at minus 15 degrees?",
)
LOOK_UP = "Find out from the library how loud the Boreal S is and who measured it."


def write_library(folder: Path) -> None:
    """Write one text per heat pump; create the folder if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, maker, year, heat in PUMPS:
        (folder / f"{name.lower().replace(' ', '-')}.md").write_text(
            _text(name, maker, year, heat), encoding="utf-8"
        )


def _text(name: str, maker: str, year: int, heat: float) -> str:
    return "\n\n".join(
        (
            f"# {name}: field test",
            f"The {name} is an air-source heat pump made by {maker}. It was introduced in {year}.",
            f"At minus 15 degrees the {name} delivered {heat} kilowatts of heat."
            f" Its seasonal coefficient of performance was {2 + heat / 5:.1f}.",
            f"The institute in Lund measured {round(40 + heat)} decibels at a distance of one metre from the {name}.",
            f"Two of three owners were content with the {name} after its second winter.",
        )
    )


def right_cells(cells: Mapping[tuple[str, str], object]) -> int:
    """Count the values of a table, by item and column, that match the texts."""
    return sum(_is_right(cells.get(place), wanted) for place, wanted in build_expected_cells().items())


def build_expected_cells() -> dict[tuple[str, str], str | float]:
    return {
        (name, column): value
        for name, maker, year, heat in PUMPS
        for column, value in (("maker", maker), ("introduced", year), ("heat", heat))
    }


def _is_right(found: object, wanted: str | float) -> bool:
    if isinstance(wanted, str):
        return isinstance(found, str) and found.casefold() == wanted.casefold()
    return isinstance(found, int | float) and float(found) == float(wanted)


def brief_result(task: UUID) -> dict[str, object]:
    """Return the result of a finished task in the flat form of docs/briefs.md, quoting three of the texts."""
    chosen = PUMPS[:3]
    words = [
        f"At minus 15 degrees the {name} delivered {heat} kilowatts of heat." for name, _, _, heat in chosen
    ]
    pages = [f"https://example.org/{name.lower().replace(' ', '-')}" for name, *_ in chosen]
    return {
        "run_id": f"trun_{task.hex}",
        "status": "completed",
        "confidence": 0.8,
        "reasoning": f"Three field tests were read ({task.hex[:8]}).",
        "answer": " ".join(words),
        "citations": [
            {"url": page, "title": f"{name}: field test", "snippet": said}
            for page, said, (name, *_) in zip(pages, words, chosen, strict=True)
        ],
        "excerpts": [{"text": words[0], "source_url": pages[0], "context": "Results"}],
    }
