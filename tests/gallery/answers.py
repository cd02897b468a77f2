"""Reports in the shapes that answers have: a timeline, a comparison, positions, steps; each with its short answer."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from django.utils import timezone

from citations.models import Claim, Section
from research.db.tenancy import tenant_context
from research.models import Run, Source
from tests.people import Person
from tests.worlds import add_source, cite, finish

# Title, date, publisher, tier: as libraries know their documents, some of them undated.
_SOURCES = {
    "5.0": ("Django 5.0 release notes", "2023-12-04", "Django Software Foundation", 2),
    "5.1": ("Django 5.1 release notes", "2024-08-07", "Django Software Foundation", 2),
    "5.2": ("Django 5.2 release notes", "2025-04-02", "Django Software Foundation", 2),
    "asvs4": ("Application Security Verification Standard 4.0.3: V2 Authentication", "2021-10", "OWASP", 1),
    "asvs5": ("Application Security Verification Standard 5.0.0: V6 Authentication", "2025-05", "OWASP", 1),
    "sheet": ("Password Storage Cheat Sheet (site as of 2026-08-17)", "", "OWASP", 1),
    "63b": (
        "NIST SP 800-63B Digital Identity Guidelines: Authentication and Lifecycle Management",
        "2017-06",
        "National Institute of Standards and Technology",
        1,
    ),
    "bcrypt": ("bcrypt 5.0.0 for Python: README", "", "", 3),
}
_SAID = {
    "600": "The default iteration count for the PBKDF2 password hasher is increased from 600,000 to 720,000.",
    "720": "The default iteration count for the PBKDF2 password hasher is increased from 720,000 to 870,000.",
    "870": "The default iteration count for the PBKDF2 password hasher is increased from 870,000 to 1,000,000.",
    "scrypt": "The default parallelism of the ScryptPasswordHasher is increased from 1 to 5.",
    "removed": "The SHA1PasswordHasher and the UnsaltedMD5PasswordHasher are removed.",
    "eight": (
        "Verify that user set passwords are at least 8 characters in length although a minimum of 15 characters is "
        "strongly recommended."
    ),
    "twelve": (
        "Verify that user set passwords are at least 12 characters in length after multiple spaces are combined."
    ),
    "most": (
        "Verify that passwords of at least 64 characters are permitted, and that passwords of more than 128 characters "
        "are denied."
    ),
    "permitted": "Verify that passwords of at least 64 characters are permitted.",
    "breached": (
        "Verify that passwords submitted are checked against an available set of, at least, the top 3000 passwords."
    ),
    "primary": "Password length has been found to be a primary factor in characterizing password strength.",
    "For": "Longer passphrases are effective because they resist guessing without being hard to keep in mind.",
    "Against": "The more complex the password is, the more difficult it will be for others to guess.",
    "It depends": (
        "Keystroke logging, phishing and social engineering attacks are equally effective on lengthy, complex "
        "passwords as simple ones."
    ),
    "list": "Install the argon2-cffi package and list Argon2PasswordHasher first in PASSWORD_HASHERS.",
    "install": "Install the argon2-cffi package with python -m pip install django[argon2].",
    "modify": "Modify PASSWORD_HASHERS to list Argon2PasswordHasher first.",
    "keep": "Keep BCryptSHA256PasswordHasher in this list, as Django needs it to upgrade passwords.",
    "upgrade": "When users log in, Django automatically upgrades their hashes to the preferred algorithm.",
    "never": "Bcrypt hashes that are never used to log in are not upgraded.",
}
Part = Claim | str


@dataclass
class AnswerWorld:
    """A run in the making: sources once they are cited, claims in the order in which they are numbered."""

    run: Run
    sources: dict[str, Source] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    indices: Iterator[int] = field(default_factory=lambda: count(1))

    def section(self, heading: str, level: int = 1) -> Section:
        return Section.objects.create(
            run=self.run, index=next(self.indices), heading=heading, level=level, status="cited"
        )

    def claim(self, section: Section, said: str, *names: str) -> Claim:
        number, strengths = next(self.numbers), ("limited", "moderate", "strong")
        claim = Claim.objects.create(
            run=self.run,
            section=section,
            number=number,
            position=number,
            text=_SAID[said],
            strength=strengths[min(len(names), 3) - 1],
            origins=len(names),
            confidence=0.78,
            verification_status="verified",
        )
        for place, name in enumerate(names):
            cite(claim, self.source(name), _SAID[said], citation_index=place)
        return claim

    def source(self, name: str) -> Source:
        if name not in self.sources:
            title, published, publisher, tier = _SOURCES[name]
            text = "\n\n".join((f"From {title}.", *_SAID.values()))
            columns = {"title": title, "published": published, "publisher": publisher}
            self.sources[name] = add_source(self.run, f"{name}.txt", text, **columns)
            Source.objects.filter(pk=self.sources[name].pk).update(tier=tier)
        return self.sources[name]


def make_timeline(person: Person) -> str:
    with tenant_context(person.tenant.pk):
        world = _begin(person, "What has changed in Django's password hashing in the last three years?")
        short, below = world.section("In short"), world.section("How has it changed?")
        newest, first = world.claim(short, "870", "5.2"), world.claim(below, "600", "5.0")
        second = [
            world.claim(below, "720", "5.1"),
            world.claim(below, "scrypt", "5.1"),
            world.claim(below, "removed", "5.1", "sheet"),
        ]
        counted = "3 changes between December 2023 and April 2025, newest first:"
        _write(short, _build_block(counted, newest), role="answer")
        table = _table(
            ["What changed"],
            ("Django 5.0, December 2023", first),
            ("Django 5.1, August 2024", second),
            ("Django 5.2, April 2025", newest),
            head="Release or date",
        )
        _write(below, table)
        return _report_of(world)


def make_comparison(person: Person) -> str:
    with tenant_context(person.tenant.pk):
        world = _begin(person, "How does ASVS 4.0.3 compare with ASVS 5.0.0 on passwords?")
        short, below = world.section("In short"), world.section("How do they compare?")
        eight, twelve = world.claim(short, "eight", "asvs5"), world.claim(below, "twelve", "asvs4")
        most, permitted = world.claim(below, "most", "asvs4"), world.claim(below, "permitted", "asvs5")
        breached = world.claim(below, "breached", "asvs5", "sheet")
        _write(short, _build_block("They differ in minimum length:", eight), role="answer")
        table = _table(
            ["ASVS 4.0.3 (October 2021)", "ASVS 5.0.0 (May 2025)"],
            ("Minimum length", twelve, eight),
            ("Maximum length", most, permitted),
            ("Breached passwords", None, breached),
            head="Aspect",
        )
        _write(below, table)
        return _report_of(world)


def make_positions(person: Person) -> str:
    with tenant_context(person.tenant.pk):
        world = _begin(person, "Is it true that a long password is better than a complex one?")
        short = world.section("In short")
        primary = world.claim(short, "primary", "63b", "sheet", "asvs5")
        _write(
            short, _build_block("3 independent sources say that length comes first:", primary), role="answer"
        )
        _write(world.section("Is a long password better than a complex one?"))
        for heading, source in (("For", "sheet"), ("Against", "bcrypt"), ("It depends", "63b")):
            side = world.section(heading, 2)
            _write(side, _build_block(world.claim(side, heading, source), kind="list"))
        _write(world.section("Which length do they recommend?"))
        return _report_of(world)


def make_steps(person: Person) -> str:
    with tenant_context(person.tenant.pk):
        world = _begin(person, "How do I upgrade password hashes from bcrypt to Argon2 in Django?")
        short, below = world.section("In short"), world.section("How do I upgrade the hashes?")
        others = world.section("What do others warn of?")
        _write(short, _build_block(world.claim(short, "list", "5.2", "5.1")), role="answer")
        steps = [world.claim(below, said, "5.2") for said in ("install", "modify", "keep", "upgrade")]
        _write(below, _build_block(*steps, kind="steps"))
        _write(others, _build_block(world.claim(others, "never", "bcrypt"), kind="list"))
        return _report_of(world)


def _begin(person: Person, question: str) -> AnswerWorld:
    run = Run.objects.create(
        owner=person.user,
        topic=question,
        report_version=1,
        started_at=timezone.now(),
        result={"engine": "extractive"},
    )
    return AnswerWorld(run)


def _report_of(world: AnswerWorld) -> str:
    finish(world.run, "completed")
    return f"/runs/{world.run.pk}/report/"


def _write(section: Section, *blocks: dict[str, object], role: str = "") -> None:
    section.body = {"blocks": list(blocks)} | ({"role": role} if role else {})
    section.save()


def _build_block(*parts: Part, kind: str = "paragraph") -> dict[str, object]:
    sentences = [{"text": part} if isinstance(part, str) else {"claim": str(part.pk)} for part in parts]
    return {"type": kind, "sentences": sentences}


def _table(
    columns: list[str], *rows: tuple[str | Claim | list[Claim] | None, ...], head: str
) -> dict[str, object]:
    laid = [{"input": name, "cells": [_cell(cell) for cell in cells]} for name, *cells in rows]
    return {"type": "table", "sentences": [], "layout": {"head": head, "columns": columns, "rows": laid}}


def _cell(cell: object) -> str | list[str] | None:
    if isinstance(cell, list):
        return [str(claim.pk) for claim in cell]
    return str(cell.pk) if isinstance(cell, Claim) else None
