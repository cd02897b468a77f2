"""Adds rows to the audit trail. Each entry point names the actor once (`act_as`); the code within calls `record`.

Acts that need nothing but their name are recorded by `research.web.site.page_audit_middleware`.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from django.contrib.auth.models import AbstractBaseUser
from django.db import models
from pydantic import JsonValue

from research.db.tenancy import NoTenant, current_tenant_id, memberships, tenant_context
from research.models import Act, AuditEntry, Outcome, SiteAuditEntry, Via

Values = Mapping[str, JsonValue]
MAX_VALUE = 200  # longer values are cut
MAX_VALUES = 20
# Values with such words in their names are never stored.
SECRET = frozenset({"password", "secret", "token", "key", "code", "codes", "hash"})


@dataclass(slots=True)
class Actor:
    """The user or program that acts: its name, role, interface (`via`) and address. `recorded`: acts so far."""

    via: Via
    user_id: int | None = None
    who: str = ""
    role: str = ""
    address: str | None = None
    recorded: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class On:
    """The target of an act that has no database row."""

    type: str
    id: str = ""
    name: str = ""


_actor: ContextVar[Actor | None] = ContextVar("actor", default=None)


@contextmanager
def act_as(actor: Actor) -> Iterator[Actor]:
    """Attribute what is recorded inside the block to this actor."""
    token = _actor.set(actor)
    try:
        yield actor
    finally:
        _actor.reset(token)


def record(
    act: Act,
    *,
    on: models.Model | On | None = None,
    before: Values | None = None,
    after: Values | None = None,
    outcome: Outcome = Outcome.DONE,
) -> None:
    """Add a row to the current workspace's trail, in its transaction; outside a workspace, to the site's.

    The actor is the one that `act_as` set, by default the command line. `before` and `after` hold small values that
    changed, by name; those whose names suggest secrets are left out.
    """
    actor = _actor.get() or Actor(Via.COMMAND)
    actor.recorded += 1
    row = _row(actor, act, on, before or {}, after or {}, outcome)
    try:
        current_tenant_id()
    except NoTenant:
        SiteAuditEntry.objects.create(**row)
    else:
        AuditEntry.objects.create(**row)


def record_for_site(act: Act, *, on: On) -> None:
    """Add a row to the site's trail, even inside a workspace, for acts that end the workspace's own trail."""
    actor = _actor.get() or Actor(Via.COMMAND)
    actor.recorded += 1
    SiteAuditEntry.objects.create(**_row(actor, act, on, {}, {}, Outcome.DONE))


def record_of_account(
    act: Act,
    user: AbstractBaseUser | None,
    actor: Actor,
    *,
    after: Values | None = None,
    outcome: Outcome = Outcome.DONE,
) -> None:
    """Record an act on an account, before a workspace is entered, in the trails of all its workspaces.

    An act on an account without a workspace, or on an unknown account, is recorded in the site's trail.
    """
    row = _row(actor, act, None, {}, after or {}, outcome)
    places = memberships(user.pk) if user is not None else []
    for place in places:
        with tenant_context(place.tenant_id):
            AuditEntry.objects.create(**{**row, "role": place.role})
    if not places:
        SiteAuditEntry.objects.create(**row)


def small(values: Values) -> dict[str, JsonValue]:
    """Return the values that may be stored: shortened, at most MAX_VALUES, without those named like secrets."""
    kept = {name: value for name, value in values.items() if not SECRET & set(name.lower().split("_"))}
    return {name: _cut(value) for name, value in list(kept.items())[:MAX_VALUES]}


def _cut(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return value[:MAX_VALUE]
    if isinstance(value, list | dict):
        return str(value)[:MAX_VALUE]
    return value


def _row(
    actor: Actor, act: Act, on: models.Model | On | None, before: Values, after: Values, outcome: Outcome
) -> dict[str, object]:
    what = _describe_target(on)
    return {
        "user_id": actor.user_id,
        "who": actor.who,
        "role": actor.role,
        "via": actor.via,
        "address": actor.address,
        "act": act,
        "outcome": outcome,
        "object_type": what.type[:40],
        "object_id": what.id[:64],
        "object_name": what.name[:200],
        "before": small(before),
        "after": small(after),
    }


def _describe_target(on: models.Model | On | None) -> On:
    if on is None:
        return On("")
    if isinstance(on, On):
        return on
    return On(on._meta.model_name or "", str(on.pk), str(on))
