"""A report whose parts have the shapes of answers: in short, a timeline, a comparison, positions, steps."""

from uuid import UUID

from exports.building.build_document_tables import LayoutRow, TableLayout, build_layout_table
from exports.document.document_tree import ANSWER, BlockEntry, ClaimEntry, Document, SectionEntry
from tests.exports.drafting import Draft, make_list, prose

COUNTED = "3 changes between December 2023 and April 2025, newest first:"
RELEASES = (("5.0", "2023-12-04", 720_000), ("5.1", "2024-08-07", 870_000), ("5.2", "2025-04-02", 1_000_000))


def build_answer(draft: Draft) -> Document:
    notes = [
        draft.source(
            f"Django {release} release notes",
            publisher="Django Software Foundation",
            published=day,
            url=f"https://docs.example/{release}/",
        )
        for release, day, _iterations in RELEASES
    ]
    guide = draft.source(
        "Password Storage Cheat Sheet (site as of 2026-08-17)", publisher="OWASP", published="", tier=1
    )
    raised = [
        draft.claim(f"The default iteration count for the PBKDF2 password hasher is {iterations:,}.", source)
        for source, (_release, _day, iterations) in zip(notes, RELEASES, strict=True)
    ]
    removed = draft.claim("The SHA1PasswordHasher is removed.", notes[1])
    newest = draft.claim(
        "Django 5.2 uses 1,000,000 iterations of PBKDF2 by default.", notes[2], guide, origins=2
    )
    draft.sections.append(SectionEntry(1, "In short", 1, (prose(COUNTED, newest),), ANSWER))
    timeline: TableLayout = {
        "head": "Release or date",
        "columns": ["What changed"],
        "rows": [
            row("Django 5.0, December 2023", raised[0]),
            row("Django 5.1, August 2024", [raised[1], removed]),
            row("Django 5.2, April 2025", raised[2]),
            row("Django 6.0", None),
        ],
    }
    draft.section("How has it changed?", table(timeline, *raised, removed))
    minimum = draft.claim("Passwords have at least 12 characters.", notes[0])
    maximum = draft.claim("At least 64 characters are permitted.", notes[1])
    shorter = draft.claim("A minimum of 15 characters is strongly recommended.", guide)
    comparison: TableLayout = {
        "head": "Aspect",
        "columns": ["ASVS 4.0.3", "ASVS 5.0.0"],
        "rows": [row("Minimum length", minimum, shorter), row("Maximum length", maximum, None)],
    }
    draft.section("How do they compare?", table(comparison, minimum, maximum, shorter))
    draft.section("Is a long password better?")
    draft.section("For", make_list(draft.claim("Longer passphrases are effective.", guide)), level=2)
    draft.section(
        "Against", prose(draft.claim("Phishing is equally effective on long ones.", notes[0])), level=2
    )
    steps = [draft.claim(f"Step {n} is to do what step {n} says.", notes[0]) for n in range(1, 4)]
    draft.section("How is it done?", prose(*steps, kind="steps"))
    draft.section("Who decided it?", prose("The sources do not say."))
    return draft.document("What has changed in password hashing?", summary=(COUNTED, newest.text))


def row(head: str, *cells: ClaimEntry | list[ClaimEntry] | None) -> LayoutRow:
    return LayoutRow(input=head, cells=[_ids(cell) for cell in cells])


def _ids(cell: ClaimEntry | list[ClaimEntry] | None) -> str | list[str] | None:
    if isinstance(cell, list):
        return [str(claim.id) for claim in cell]
    return str(cell.id) if cell else None


def table(layout: TableLayout, *claims: ClaimEntry) -> BlockEntry:
    known: dict[UUID, ClaimEntry] = {claim.id: claim for claim in claims}
    return BlockEntry("table", table=build_layout_table(layout, known))
