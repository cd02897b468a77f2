"""Runs over given texts, and technical answers: how they start, and what they show."""

from playwright.sync_api import Page, expect

from research.db.tenancy import tenant_context
from research.models import Run
from research.pipelines.digest import start_digest as digest_room
from research.pipelines.synthesis import start_synthesis as synthesis_room
from tests.briefs.making import make_brief
from tests.gallery.scene import Room
from tests.people import Person
from tests.pipelines.digest.threads import OUTLETS, as_file
from tests.pipelines.stepping import go_on
from tests.pipelines.synthesis.test_runs import STUDIES
from tests.web.technical_world import make_technical

room = Room("given")


def digest_of(person: Person, thread: dict[str, object]) -> Run:
    with tenant_context(person.tenant.pk):
        asked = digest_room.read_file("thread.json", as_file(thread))
        run = digest_room.start_digest(owner=person.user, asked=asked, config={})
    return go_on(run)


def synthesis_of(person: Person, name: str, data: bytes) -> Run:
    with tenant_context(person.tenant.pk):
        asked = synthesis_room.read_file(name, data)
        run = synthesis_room.start_synthesis(owner=person.user, asked=asked, config={})
    return go_on(run)


@room.scene()
def digests(person: Person) -> str:
    return "/digests/"


@room.scene()
def digest(person: Person) -> str:
    return f"/runs/{digest_of(person, OUTLETS).pk}/report/"


@room.scene()
def digest_of_nothing(person: Person) -> str:
    errors = [{"status": 429, "message": "Too Many Requests", "retry_after": 60}]
    run = digest_of(person, {"query": "how to recaulk a bathtub", "posts": [], "errors": errors})
    return f"/runs/{run.pk}/report/"


@room.scene()
def syntheses(person: Person) -> str:
    return "/syntheses/"


def send_studies(page: Page) -> None:
    page.get_by_label("… or pasted").fill(STUDIES)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="The first rows")).to_be_visible()


@room.scene(send_studies)
def synthesis_columns(person: Person) -> str:
    return "/syntheses/"


def open_a_row(page: Page) -> None:
    page.locator("a.study-link").first.click()
    expect(page.locator("tr:target")).to_be_visible()


@room.scene(open_a_row)
def synthesis(person: Person) -> str:
    return f"/runs/{synthesis_of(person, 'studies.csv', STUDIES.encode()).pk}/report/"


@room.scene()
def synthesis_table(person: Person) -> str:
    run = synthesis_of(person, "studies.csv", STUDIES.encode())
    return f"/runs/{run.pk}/studies/?sort=size&find=sleep"


@room.scene()
def synthesis_of_the_older_form(person: Person) -> str:
    run = synthesis_of(
        person, "old.md", b"# What we know\n\nSleep **helps** [here](https://x.example).\n\n- one\n"
    )
    return f"/runs/{run.pk}/report/"


@room.scene()
def briefs(person: Person) -> str:
    return "/briefs/"


@room.scene()
def brief(person: Person) -> str:
    return f"/runs/{make_brief(person).run.pk}/report/"


@room.scene()
def technical_questions(person: Person) -> str:
    return "/technical/"


def unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('main details').forEach(one => { one.open = true; })")


@room.scene(unfold)
def technical(person: Person) -> str:
    return f"/runs/{make_technical(person).run.pk}/report/"


@room.scene()
def technical_diagram(person: Person) -> str:
    return f"/runs/{make_technical(person).run.pk}/diagrams/1/"
