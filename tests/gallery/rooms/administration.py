"""The admin: its first page, every list, every row, every form to add one."""

from functools import partial
from itertools import count

from django.apps import apps
from django.contrib import admin
from django.db.models import Model
from django.urls import reverse

from citations.models import DomainRule
from research.db.tenancy import tenant_context
from research.llm.call_types import Message, Speaker, ToolCall
from research.models import CreditEntry, LanguageModel, LibraryDocument, Membership, ModelCall, Run, Schedule
from tests.gallery.scene import Room
from tests.llm.kept_calls import answer, keep, log_call
from tests.people import Person
from tests.review.verdicts import make_decided_claim
from tests.web.growing import fill_admin
from tests.worlds import make_report

room = Room("admin")
TABLES = [
    model
    for app in ("research", "citations", "exports", "slides")
    for model in apps.get_app_config(app).get_models()
    if admin.site.is_registered(model)
]
ADDED = (CreditEntry, DomainRule, LanguageModel, LibraryDocument, Membership, Schedule)
NUMBERS = count(1)  # of what is filled in: names are given once a site


def fill(person: Person) -> None:
    fill_admin(make_report(person), next(NUMBERS))


def page_of(model: type[Model], page: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


@room.scene(staff=True)
def first_page(person: Person) -> str:
    fill(person)
    return "/admin/"


@room.scene(staff=True)
def installation(person: Person) -> str:
    make_report(person, state="reading")
    return "/admin/installation/"


@room.scene(staff=True)
def operations(person: Person) -> str:
    fill(person)
    return "/admin/research/budget/operations/"


@room.scene(staff=True)
def calibration(person: Person) -> str:
    with tenant_context(person.tenant.pk):
        for number in range(40):
            status = "accepted" if number % 10 > 2 else "rejected"
            make_decided_claim(person.user, number % 10 / 10 + 0.05, status)
    return "/admin/citations/claim/calibration/"


def get_call_page(call: ModelCall) -> str:
    return page_of(ModelCall, "said", call.pk)


@room.scene(staff=True)
def what_was_said_to_a_model(person: Person) -> str:
    keep(person, "encrypted")
    asked = ToolCall("c1", "search_web", '{"query": "bridge of Remagen"}')
    turns = (
        Message(Speaker.SYSTEM, "You write sections. " * 40),
        Message(Speaker.USER, "Which bridge was finished in 1918?"),
        Message(Speaker.ASSISTANT, "", (asked,)),
        Message(Speaker.TOOL, '{"hits": ["The bridge of Remagen was finished in 1918."]}', tool_call_id="c1"),
    )
    return get_call_page(log_call(person, make_report(person).run, answer("Remagen.", asked), *turns))


@room.scene(staff=True)
def a_call_that_failed(person: Person) -> str:
    keep(person, "encrypted")
    failed = {
        "error_code": "LLM_BAD_REQUEST",
        "error_message": "The model's server did not accept the request.",
    }
    return get_call_page(log_call(person, make_report(person).run, None, **failed))


@room.scene()
def a_call_whose_words_are_not_kept(person: Person) -> str:
    """Show a call whose words are not kept, for an owner who is not of the staff, too."""
    keep(person, "hashed")
    return get_call_page(log_call(person, make_report(person).run, answer()))


@room.scene(staff=True)
def list_without_a_match(person: Person) -> str:
    fill(person)
    return page_of(Run, "changelist") + "?q=nuclear"


@room.scene(staff=True)
def delete(person: Person) -> str:
    with tenant_context(person.tenant.pk):
        made = Schedule.objects.create(name="weekly", kind="report", topic="Again?", cron="0 6 * * 1")
    return page_of(Schedule, "delete", made.pk)


def list_of(model: type[Model], person: Person) -> str:
    fill(person)
    return page_of(model, "changelist")


def row_of(model: type[Model], person: Person) -> str:
    fill(person)
    with tenant_context(person.tenant.pk):
        row = model._default_manager.first()
    return page_of(model, "change", row.pk) if row else page_of(model, "changelist")


def form_of(model: type[Model], person: Person) -> str:
    return page_of(model, "add")


def _keep(make, model: type[Model], what: str) -> None:
    found = partial(make, model)
    found.__name__ = f"{what}_{model._meta.model_name}"
    room.scene(staff=True)(found)


for table in TABLES:
    _keep(list_of, table, "list")
    _keep(row_of, table, "row")
for table in ADDED:
    _keep(form_of, table, "add")
