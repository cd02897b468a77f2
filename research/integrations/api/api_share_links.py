"""Links with which people without an account can read one report."""

from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from ninja import Router, Status
from pydantic import Field

from exports.export_share_links import MAX_DAYS, ShareRefused, make_link, revoke
from exports.models import ShareLink
from research.accounts.api_tokens import ApiCaller
from research.accounts.audit.write_audit_trail import record
from research.accounts.notification_mail import link
from research.integrations.api.api_auth import NEEDS, caller_of
from research.integrations.api.api_json_bodies import Sent
from research.integrations.api.api_lookup import find, find_run
from research.integrations.api.api_paging import ListOf, Paged, rows_after
from research.integrations.api.api_problems import Problem
from research.integrations.api.api_schemas import Out
from research.models import Act, Scope

router = Router(tags=["share links"])
WRITE = NEEDS[Scope.WRITE]


class ShareIn(Sent):
    days: int = Field(30, ge=1, le=MAX_DAYS)
    note: str = Field("", max_length=100, description="The person it is for.")


class ShareLinkOut(Out):
    id: UUID
    note: str
    expires_at: datetime
    revoked_at: datetime | None
    view_count: int
    address: str | None = None  # only in the response that creates the link


@router.post(
    "/runs/{uuid:run_id}/links",
    response={201: ShareLinkOut},
    auth=WRITE,
    summary="Share a report with a link",
)
def create_link(request: HttpRequest, run_id: UUID, asked: ShareIn) -> Status[ShareLinkOut]:
    """Create a link. Anyone with its `address`, which is shown once, can read the report until the link expires."""
    return Status(201, share(caller_of(request), run_id, asked))


def share(caller: ApiCaller, run_id: UUID, asked: ShareIn) -> ShareLinkOut:
    """Create a link. Raises Problem."""
    run = find_run(run_id)
    if not settings.PLUMBLINE_SHARE_LINKS:
        raise Problem("refused", _("Reports can’t be shared by links on this site."))
    try:
        made, token = make_link(run, caller.user(), asked.days, asked.note.strip())
    except ShareRefused as refusal:
        raise Problem("conflict", str(refusal)) from refusal
    record(Act.SHARE_MAKE, on=run)
    made_out = ShareLinkOut.model_validate(made)
    return made_out.model_copy(update={"address": link(reverse("research:shared", args=[token]))})


@router.get(
    "/runs/{uuid:run_id}/links", response=ListOf[ShareLinkOut], auth=NEEDS[Scope.READ], summary="List links"
)
def list_links(request: HttpRequest, run_id: UUID, page: Paged) -> ListOf[ShareLinkOut]:
    """List links, newest first, including expired ones, without their addresses."""
    find_run(run_id)
    found, following = rows_after(ShareLink.objects.filter(run=run_id), page, newest_first=True)
    return ListOf[ShareLinkOut](items=list(map(ShareLinkOut.model_validate, found)), next=following)


@router.delete(
    "/runs/{uuid:run_id}/links/{uuid:link_id}", response={204: None}, auth=WRITE, summary="Revoke a link"
)
def remove_link(request: HttpRequest, run_id: UUID, link_id: UUID) -> Status[None]:
    """Revoke a link."""
    found = find(ShareLink.objects.filter(run=run_id), link_id)
    revoke(found)
    record(Act.SHARE_REVOKE, on=found.run)
    return Status(204, None)
