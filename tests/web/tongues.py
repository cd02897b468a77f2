"""Every page with something on it, and the languages that nobody speaks but tests."""

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from pytest_django import Settings

from research.db.tenancy import tenant_context
from research.models import LibraryDocument, State
from tests.people import Person
from tests.pseudo import PSEUDO, RIGHT_TO_LEFT, write_pseudo
from tests.web.asked import ask_about_claims, ask_about_pair, ask_about_plan
from tests.web.growing import grow
from tests.worlds import ReportWorld, make_report

OPEN = ("/help/", "/help/api/", "/help/shortcuts/", "/accessibility/", "/login/", "/nothing/")
OF_A_PERSON = (
    "/", "/runs/", "/runs/new/", "/library/", "/schedules/", "/schedules/new/", "/review/", "/account/",
    "/account/settings/",
)  # fmt: skip
OF_A_RUN = " plan/ log/ report/ claims/1/ sources/ changes/ evidence/ contradictions/ warnings/".split(" ")


def speak_pseudo(settings: Settings, folder: Path) -> None:
    """Both languages, beside those that we ship; Django forgets them with the settings."""
    german = settings.BASE_DIR / "locale/de/LC_MESSAGES/django.po"
    write_pseudo(german, folder)
    settings.LOCALE_PATHS = [folder, *settings.LOCALE_PATHS]
    settings.LANGUAGES = [*settings.LANGUAGES, (PSEUDO, "Pseudo"), (RIGHT_TO_LEFT, "Right to left")]


def worlds(person: Person) -> Iterator[ReportWorld]:
    """A finished report with much on it; runs at work, cancelled and failed; one for each way of asking people."""
    full = make_report(person)
    grow(full, 2)
    yield full
    yield from (make_report(person, state=state) for state in (State.READING, State.CANCELLED, State.FAILED))
    for ask in (ask_about_claims, ask_about_pair, ask_about_plan):
        world = make_report(person)
        ask(world)
        yield world


def addresses(found: list[ReportWorld]) -> list[str]:
    """The pages without an object, those of the first world's run, and what is different in the others."""
    full, *others = found
    run = [f"/runs/{full.run.pk}/{page}" for page in OF_A_RUN]
    sources = [f"/sources/{one.pk}/" for one in (full.trial, full.study, full.failed)]
    rest = [f"/runs/{world.run.pk}/{page}" for world in others for page in ("", "report/", "plan/")]
    with tenant_context(full.person.tenant.pk):
        documents = [
            f"/library/documents/{librarydocument.pk}/"
            for librarydocument in LibraryDocument.objects.all()[:2]
        ]
    return [*OPEN, *OF_A_PERSON, *run, *sources, *documents, *rest]


def session_cookie(person: Person, url: str) -> dict[str, str]:
    name = settings.SESSION_COOKIE_NAME
    return {"name": name, "value": person.sign_in().cookies[name].value, "url": url}
