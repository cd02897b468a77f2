"""A real object of Ada's for every name that stands in an address, and every kind of visitor."""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from exports.models import Export, ShareLink
from research.accounts.api_tokens import issue_token
from research.db.tenancy import tenant_context
from research.models import ApiToken, Invitation, Membership, Role, Schedule, Scope
from slides.models import Deck, DeckFile, DeckTheme, Picture
from tests.matrix.table import Visitor
from tests.people import Person, join
from tests.web.asked import ask_about_claims
from tests.web.growing import fill_admin, grow
from tests.worlds import make_report

ROLES = {
    Visitor.VIEWER: Role.VIEWER,
    Visitor.REVIEWER: Role.REVIEWER,
    Visitor.MEMBER: Role.MEMBER,
    Visitor.OWNER: Role.OWNER,
}
SECRET_TOPIC = "heat pumps"  # of Ada's report: no stranger may read it


@dataclass(frozen=True)
class World:
    """`named` fills the gaps of addresses; `clients` are browsers, each signed in as one kind of visitor."""

    ada: Person
    named: dict[str, object]
    clients: dict[Visitor, Client]


def make_world() -> World:
    ada = join("ada")
    named = _objects(ada)
    people = {visitor: join(f"of{role}", role=role, tenant=ada.tenant) for visitor, role in ROLES.items()}
    clients = {visitor: person.sign_in() for visitor, person in people.items()}
    with tenant_context(ada.tenant.pk):
        for visitor, person in people.items():  # each has a token of their own, too
            issue_token(person.user, visitor, [Scope.READ], None)
    clients[Visitor.ANONYMOUS] = Client()
    clients[Visitor.STRANGER] = join("bob").sign_in()
    staff = User.objects.create_user("grace", is_staff=True, is_superuser=True)
    clients[Visitor.STAFF] = Client()
    clients[Visitor.STAFF].force_login(staff)
    return World(ada, named, clients)


def _objects(ada: Person) -> dict[str, object]:
    """Needs nothing that takes long: files are rows whose bytes are nowhere."""
    world = make_report(ada)
    grow(world, 1)
    fill_admin(world, 1)
    question = _ask_question(ada)
    with tenant_context(ada.tenant.pk):
        when = timezone.now() + timedelta(days=1)
        invited = Invitation.objects.create(
            email="nora@example.org",
            role=Role.VIEWER,
            token_hash="0" * 64,
            expires_at=when,
            invited_by=ada.user,
        )
        issue_token(ada.user, "nightly", [Scope.READ], None)
        return {
            "run_id": world.run.pk,
            "source_id": world.trial.pk,
            "question_id": question,
            "number": 1,
            "row": 1,
            "field": "capital",
            "suffix": "bib",
            "form": "json",
            "mark": "0",
            "token": "nothing",
            "tenant_id": ada.tenant.pk,
            "export_id": Export.objects.filter(run=world.run, state="ready").first().pk,
            "link_id": ShareLink.objects.first().pk,
            "deck_id": Deck.objects.first().pk,
            "file_id": DeckFile.objects.first().pk,
            "theme_id": DeckTheme.objects.first().pk,
            "picture_id": Picture.objects.first().pk,
            "schedule_id": Schedule.objects.first().pk,
            "document_id": _document(),
            "token_id": ApiToken.objects.get(user=ada.user).pk,
            "membership_id": Membership.objects.get(user=ada.user).pk,
            "invitation_id": invited.pk,
            "check_id": uuid4(),  # of a test that is long over
            "object_id": world.run.pk,
            "content_type_id": 1,
            "app_label": "research",
            "uidb36": "1",
            "key": "set-password",
        }


def _ask_question(ada: Person) -> UUID:
    world = make_report(ada)
    asked = ask_about_claims(world, 1)
    return asked.pk


def _document() -> UUID:
    from research.models import LibraryDocument

    return LibraryDocument.objects.create(folder="uploads", path="a.txt", raw_sha256=uuid4().hex * 2).pk
