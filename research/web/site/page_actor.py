"""The actor of a request, as the audit trail records it."""

from django.contrib.auth.models import User
from django.http import HttpRequest

from research.accounts.api_tokens import ApiCaller
from research.accounts.audit.write_audit_trail import Actor
from research.db.tenancy import access_in
from research.models import Via
from research.web.site.page_client_ip import address_of_visitor

ADMIN = "admin"


def actor_of(request: HttpRequest) -> Actor:
    """Return the person, the address, and the channel of the request: the API, the admin site or the pages."""
    address = address_of_visitor(request) or None
    caller: ApiCaller | None = getattr(request, "caller", None)
    if caller is not None:
        return Actor(Via.API, caller.user_id, caller.user().username, caller.role, address)
    is_admin = request.path_info.startswith(f"/{ADMIN}/")
    access, user = access_in(request), getattr(request, "user", None)
    actor = Actor(Via.ADMIN if is_admin else Via.PAGES, address=address, role=access.role if access else "")
    if isinstance(user, User):
        actor.user_id, actor.who = user.pk, user.username
    return actor
