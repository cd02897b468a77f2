"""The first page, and asking."""

from decimal import Decimal

from playwright.sync_api import Page, expect

from research.db.tenancy import tenant_context
from research.library.library_folders import SAMPLE
from research.library.sample.sample_library_listing import load_suggested_questions
from research.llm.budgets import credits
from research.models import LanguageModel, LibraryDocument, Run, State, Tenant, Tier
from tests.gallery.scene import Room
from tests.people import Person
from tests.web.asked import ask_about_claims
from tests.worlds import finish, make_report, stock_library

room = Room("asking")
MODEL = {"PLUMBLINE_MODEL_BASE_URL": "https://models.example/v1", "PLUMBLINE_MODEL": "writer-1"}
SERVICES = {"PLUMBLINE_PROVIDERS": ("wikipedia", "hackernews", "arxiv")}


def price() -> None:
    cents = {"usd_per_million_input": Decimal("0.25"), "usd_per_million_output": Decimal(2)}
    LanguageModel.objects.get_or_create(name="writer-1", defaults=cents)


def stock(person: Person) -> None:
    """A sample library, of which one document is ready."""
    world = make_report(person)
    with tenant_context(person.tenant.pk):
        LibraryDocument.objects.create(
            folder=SAMPLE,
            path="trial.txt",
            title="Cold field trial",
            content=world.trial.content,
            status="ready",
        )
        Run.objects.filter(pk=world.run.pk).update(topic=load_suggested_questions()[0].question)
        other = make_report(person).run
        finish(other, State.READING)
        finish(make_report(person).run, State.FAILED)


@room.scene()
def home_empty(person: Person) -> str:
    return "/"


@room.scene()
def home_while_the_library_is_read(person: Person) -> str:
    stock(person)
    with tenant_context(person.tenant.pk):
        LibraryDocument.objects.create(folder=SAMPLE, path="b.txt")
    return "/"


@room.scene()
def home_with_samples_and_runs(person: Person) -> str:
    stock(person)
    return "/"


@room.scene(**MODEL)
def home_with_a_question_that_waits(person: Person) -> str:
    ask_about_claims(make_report(person))
    return "/"


@room.scene()
def new(person: Person) -> str:
    stock(person)
    return "/runs/new/"


def open_everything(page: Page) -> None:
    for summary in page.locator("main form summary").all():
        summary.click()


@room.scene(open_everything, **MODEL, **SERVICES)
def new_with_all_options(person: Person) -> str:
    price()
    stock(person)
    return "/runs/new/"


@room.scene(**MODEL)
def new_of_unknown_price(person: Person) -> str:
    LanguageModel.objects.filter(name="writer-1").delete()
    return "/runs/new/"


def send(page: Page) -> None:
    page.get_by_role("button", name="Start research").click()
    expect(page.locator("#error-summary")).to_be_focused()


def be_vague(page: Page) -> None:
    page.locator("#id_question").fill("Do heat pumps work in winter, and what do they cost?")
    expect(page.locator("#sharper button").first).to_be_visible()


@room.scene(be_vague)
def new_with_sharper_words(person: Person) -> str:
    return "/runs/new/"


@room.scene(send)
def new_refused(person: Person) -> str:
    return "/runs/new/"


def ask(page: Page) -> None:
    page.get_by_label("What do you want to know?").fill("What does a heat pump cost in the cold?")
    send(page)


@room.scene(ask, **MODEL)
def new_over_budget(person: Person) -> str:
    price()
    with tenant_context(person.tenant.pk):
        Tenant.objects.filter(pk=person.tenant.pk).update(tier=Tier.FREE)
        credits.grant_of_the_month()
        credits.reserve(Decimal(499), f"another of {person.user.username}")
    stock_library(person)
    return "/runs/new/"


@room.scene()
def form_with_wishes(person: Person) -> str:
    run = make_report(person).run
    stock_library(person)
    wishes = {"subtopics": ["Costs", "Noise"], "sources_per_claim": 2, "words": 800, "commentary": True}
    with tenant_context(person.tenant.pk):
        Run.objects.filter(pk=run.pk).update(config=wishes)
    return f"/runs/new/?again={run.pk}"
