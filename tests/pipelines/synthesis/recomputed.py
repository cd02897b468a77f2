"""Tables of studies drawn at random, and what follows from them computed again, in another way."""

import random
from itertools import combinations

OUTCOMES = ("mortality at one year", "pain score", "sleep quality", "blood pressure", "")
DESIGNS = (
    "randomised trial",
    "RCT",
    "cohort",
    "non-randomized trial",
    "meta-analysis of RCTs",
    "case series",
    "",
)
POPULATIONS = ("women in Oslo", "pregnant women", "adults", "children in Peru", "older men", "")
DIRECTIONS = ("benefit", "harm", "null", "higher", "lower", "mixed", "descriptive", "unclear")
DEFINITE = ("benefit", "harm", "null", "higher", "lower")


def draw_rows(seed: int) -> list[dict[str, object]]:
    """Rows of one table, each with a finding of its own."""
    dice = random.Random(seed)
    outcomes = dice.sample(OUTCOMES, dice.randint(1, len(OUTCOMES)))
    one_journal, one_author = dice.random() < 0.15, dice.random() < 0.15
    rows = []
    for place in range(dice.randint(1, 12)):
        rows.append(
            {
                "title": f"Study number {place} of table {seed}",
                "authors": "Lind, Anna" if one_author else f"Writer{place}, Bo; Second{place}, Cy",
                "year": dice.choice((1999, 2010, 2020, None)),
                "journal": "One Journal" if one_journal else f"Journal {place % 3}",
                "design": dice.choice(DESIGNS),
                "population": dice.choice(POPULATIONS[: dice.randint(1, len(POPULATIONS))]),
                "sample_size": dice.choice((12, 80, 100, 2_500, None)),
                "outcome": dice.choice(outcomes),
                "finding": f"Measurement {place} of table {seed} came out as reported here.",
                "direction": dice.choice(DIRECTIONS),
                "preprint": dice.random() < 0.25,
            }
        )
    return rows


def recompute_claims(rows: list[dict[str, object]]) -> dict[str, int]:
    """Outcome → number of studies, for each outcome on which two or more tell something, and one of them points
    somewhere.
    """
    found: dict[str, int] = {}
    for outcome in {str(row["outcome"]) for row in rows} - {""}:
        told = [row["direction"] for row in rows if row["outcome"] == outcome]
        count = sum(1 for direction in told if direction in (*DEFINITE, "mixed"))
        if count >= 2 and set(told) & set(DEFINITE):
            found[outcome] = count
    return found


def strength_by_hand(studies: int) -> str:
    return {1: "limited", 2: "moderate"}.get(studies, "strong")


def recompute_codes(rows: list[dict[str, object]]) -> set[str]:
    told = {
        "W040": any(row["preprint"] for row in rows),
        **_by_design([str(row["design"]) for row in rows]),
        **_by_origin(list(combinations(rows, 2))),
        **_by_size([row["sample_size"] for row in rows]),
        **_by_people([str(row["population"]) for row in rows if row["population"]]),
    }
    return {code for code, holds in told.items() if holds}


def _by_design(designs: list[str]) -> dict[str, bool]:
    are_named = 2 * sum(map(bool, designs)) >= len(designs)
    trials = {"randomised trial", "RCT", "meta-analysis of RCTs"} & set(designs)
    return {
        "G040": are_named and not trials,
        "G041": are_named and "meta-analysis of RCTs" not in designs,
    }


def _by_origin(pairs: list[tuple[dict[str, object], dict[str, object]]]) -> dict[str, bool]:
    same = [all(a[name] == b[name] for a, b in pairs) for name in ("journal", "authors")]
    return {"W041": bool(pairs) and any(same)}


def _by_size(given: list[object]) -> dict[str, bool]:
    sizes = [int(str(size)) for size in given if size is not None]
    small = [size for size in sizes if size < 100]
    return {"W042": bool(sizes) and 2 * len(small) >= len(sizes), "W043": len(sizes) < len(given)}


def _by_people(people: list[str]) -> dict[str, bool]:
    women = set(people) <= {"women in Oslo", "pregnant women"}
    return {"W044": len(people) >= 2 and (len(set(people)) == 1 or women)}
