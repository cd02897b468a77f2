"""The rights needed to open each page and to submit its form, in one table; a page that is not in it is refused.

`RightsMiddleware` checks this table before any view is called; the decorators of `web.site.view_access` check again.
tests/matrix compares this table with what each kind of visitor gets.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from research.accounts.workspace_roles import Right
from research.db.tenancy import access_in
from research.web.site.view_access import REASONS, has_right
from research.web.site.workspace_switch_view import check_form_workspace

NAMESPACE = "research"
READING = ("GET", "HEAD", "OPTIONS")

# Public pages: help, styles, signing in, share links, services that sign their messages.
OPEN = frozenset(
    (
        "sign_in_locally display styles mermaid shared shared_claim parallel_hook invitation help api shortcuts"
        " accessibility"
    ).split()
)
# Pages for signed-in users, even without a workspace.
OF_ONESELF = frozenset({"password", "first_workspace"})


@dataclass(frozen=True, slots=True)
class RequiredRights:
    """The rights to see a page and to change something on it."""

    see: Right
    act: Right


def _each(names: str, see: Right, act: Right) -> Iterator[tuple[str, RequiredRights]]:
    return ((name, RequiredRights(see, act)) for name in names.split())


TABLE: Mapping[str, RequiredRights] = dict(
    [
        *_each(
            "home account runs run progress log log_json report brief_json claim evidence_table studies table"
            " table_rows contradictions warnings changes changes_json sources reference_file export export_files"
            " download technical_output technical_diagram deck deck_state slide_preview deck_picture deck_files"
            " deck_file decks themes theme_preview picture source page_image source_picture recheck_status"
            " schedules library document table_cell cancel pause resume instruct follow_up extend rerun"
            " change_table export_again"
            " share revoke_share technical_follow_up deck_again delete_deck change_deck make_deck_files"
            " deck_file_again delete_theme recheck pause_schedule resume_schedule run_schedule delete_schedule"
            " knowledge"
            " delete_run add_pages rename_folder reread move_document tokens briefs digests syntheses technical",
            Right.READ,
            Right.STEER,
        ),
        *_each("new_run new_table new_theme edit_theme", Right.STEER, Right.STEER),
        *_each("new_schedule edit_schedule delete_document", Right.STEER, Right.STEER),
        *_each("plan answer mark_claims review_doubts", Right.READ, Right.REVIEW),
        *_each("review", Right.REVIEW, Right.REVIEW),
        *_each(
            "settings revoke_token switch_workspace leave_workspace new_workspace", Right.READ, Right.READ
        ),
        *_each(
            "workspace rename_workspace erase_workspace change_role remove_member invite resend_invitation"
            " revoke_invitation",
            Right.READ,
            Right.OWN,
        ),
        *_each("webhooks audit audit_file retention", Right.OWN, Right.OWN),
        *_each("model model_list check_model model_check", Right.OWN, Right.OWN),
    ]
)


class RightsMiddleware:
    """Middleware that refuses visitors who lack the right in the table, and every page of ours that is not in it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponseBase],
        args: tuple[object, ...],
        kwargs: dict[str, object],
    ) -> HttpResponseBase | None:
        match = request.resolver_match
        if match is None or match.namespace not in (NAMESPACE, "admin"):
            return None
        if match.namespace == NAMESPACE:
            name = match.url_name or ""
            if name in OPEN:
                return None
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if name in OF_ONESELF:
                return None
            # The first person of an installation has just signed in.
            if name == "home" and access_in(request) is None:
                return redirect("research:first_workspace")
            # The form was sent from another workspace's page, so the rights in this one do not matter.
            if (meant_elsewhere := check_form_workspace(request)) is not None:
                return meant_elsewhere
            check(request, name)
            return None
        return check_form_workspace(request)


def check(request: HttpRequest, name: str) -> None:
    """Raise PermissionDenied with the reason if the right is missing."""
    needed = TABLE.get(name)
    if needed is None:
        raise PermissionDenied(_("Nobody has said yet who may open this page."))
    right = needed.see if request.method in READING else needed.act
    if access_in(request) is None:
        raise PermissionDenied(str(REASONS[Right.READ]))
    if not has_right(request, right):
        raise PermissionDenied(str(REASONS[right]))
