"""Questions whose first round of searching leaves a part open: five over a small library, five in the stub world."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.fakes.stub_world import OwnPage

LIBRARY = {
    "lindholm-report.md": """# Lindholm desalination plant: annual report 2024

The Lindholm desalination plant produced 41 million cubic metres of drinking water in 2024. The plant employs 63
people. Its reverse osmosis membranes were replaced in March 2024. The chemical oxygen
demand of the water that leaves Lindholm was 31 milligrams per litre.
""",
    "lindholm-accounts.md": """# Lindholm waterworks: accounts

Each household was charged 212 euros for its water in 2024. The membranes came to 1.9 million euros.
""",
    "terms.md": """# Terms of the water trade

Chemical oxygen demand (COD) is a measure of pollution. Non-revenue water (NRW) is water that is
produced and not billed.
""",
    "losses.md": """# Losses in the Aster network

Non-revenue water fell to 11 percent in the Aster network in 2024, from 17 percent in 2019. The network has 940
kilometres of mains.
""",
    "contract.md": """# Contract for the Ortega ferry

The Ortega ferry was built by Halvorsen Yards in 2018. It carries 180 passengers and 22 cars. The warranty of the
engines runs for five years.
""",
    "ferry-log.md": """# Ortega ferry: log of the year

The ferry made 3,120 crossings. It was out of service on 14 days because of ice.
""",
    "gardening.md": """# Gardening notes

Tomatoes need at least six hours of sun a day. Mulch saves about a third of the water.
""",
}


@dataclass(frozen=True)
class OpenPartCase:
    """`answer`: words of the claim that answers the part; empty where nothing does, so that the tries are listed."""

    question: str
    answer: str = ""


IN_LIBRARY = (
    OpenPartCase(
        "How many people does the Lindholm plant employ and what is the COD of its water?", "31 milligrams"
    ),
    OpenPartCase("How long are the mains of the Aster network and what is its NRW?", "11 percent"),
    OpenPartCase("Who built the Ortega ferry and how many litres of fuel does it burn?"),
    OpenPartCase("How many crossings did the Ortega ferry make and what did its insurance cost?"),
    OpenPartCase("What share of homes in Portugal heat with district heating?"),
)


def with_words(*wanted: str, without: str = "", most: int = 99) -> Callable[[str], bool]:
    """Return True for queries that have these words, and not another; of `most` words."""

    def is_found(query: str) -> bool:
        said = re.findall(r"\w+", query.casefold())
        return (
            all(any(one.startswith(word) for one in said) for word in wanted)
            and len(said) <= most
            and (not without or without not in said)
        )

    return is_found


def first_page(title: str, *paragraphs: str) -> OwnPage:
    return OwnPage(title, paragraphs, lambda query: len(query.split()) > 4)


WORLD = {
    "bridge": first_page(
        "Veldt Bridge opens",
        "The Veldt Bridge was opened in May 2021 after four years of work. The bridge carries two lanes of traffic "
        "and a cycle path across the river Maas.",
    ),
    "bridge-traffic": OwnPage(
        "Traffic on the Veldt Bridge",
        ("On average 9,400 people cross the Veldt Bridge each day. On Sundays most of them walk or cycle.",),
        with_words("veldt", "number"),
    ),
    "reactor": first_page(
        "Orsk research reactor",
        "The Orsk research reactor reached criticality in 1979. The Orsk research reactor is used for isotopes and "
        "for the training of students.",
    ),
    "reactor-end": OwnPage(
        "Closing the Orsk research reactor",
        ("The Orsk research reactor will be shut down in 2031, when its licence ends.",),
        with_words("orsk", "date"),
    ),
    "apple": first_page(
        "The Senn apple",
        "The Senn apple was bred by Maria Senn in Thurgau in 1962. The Senn apple is red and keeps until April.",
    ),
    "apple-yield": OwnPage(
        "Orchard trials: yields",
        ("A tree of the Senn apple yields 48 kilograms a year. Its yield varies little from year to year.",),
        with_words("yield", "apple", without="bred"),
    ),
    "tram": first_page(
        "Trams of Quimby",
        "The Quimby tram carries 21,000 passengers a day. The Quimby tram runs on two lines from the harbour to the "
        "university.",
    ),
    "tram-accidents": OwnPage(
        "Safety of the Quimby tram",
        ("Seven accidents of the Quimby tram were reported in 2023, after twelve accidents in 2022.",),
        with_words("quimby", "accidents", most=3),
    ),
    "cave": first_page(
        "The cave of Ardo",
        "The cave of Ardo is 14 kilometres long. The cave of Ardo was mapped by divers between 1994 and 2003.",
    ),
}  # fmt: skip

IN_WORLD = (
    OpenPartCase("When was the Veldt Bridge opened and how many people cross it each day?", "9,400 people"),
    OpenPartCase("What is the Orsk research reactor used for and when will it be shut down?", "2031"),
    OpenPartCase("Who bred the Senn apple and what does a tree yield?", "48 kilograms"),
    OpenPartCase(
        "How many passengers does the Quimby tram carry and how many accidents were reported?",
        "Seven accidents",
    ),
    OpenPartCase("How long is the cave of Ardo and how many bats live in it?"),
)
