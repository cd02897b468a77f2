"""Theme, language and single-key shortcuts: those of the signed-in user, otherwise those of the browser."""

from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import translation
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from research.accounts.people import settings_of
from research.models import ColorScheme, UserSettings
from research.web.account.sign_in_page import resolve_next_page
from research.web.site.view_access import person

THEME, KEYS = "theme", "keys"  # cookies, and fields of the switches
ON, OFF = "on", "off"
YEAR_S = 31_536_000


@dataclass(frozen=True, slots=True)
class Preferences:
    """The preferences that apply to a page. `language` is empty if nobody chose one: the browser's language then
    applies.
    """

    theme: ColorScheme = ColorScheme.SYSTEM
    single_keys: bool = True
    language: str = ""

    @property
    def color_scheme(self) -> str:
        """Return the color schemes that the browser may paint with before any stylesheet has loaded."""
        return "light dark" if self.theme == ColorScheme.SYSTEM else self.theme.value


def preferences_of(request: HttpRequest) -> Preferences:
    """Return the preferences from the user's row, or from the browser's cookies without one."""
    user = getattr(request, "user", None)  # unset if a request is refused before the user is known
    chosen = settings_of(user) if isinstance(user, User) else None
    if chosen is None or chosen._state.adding:
        return Preferences(_theme(request.COOKIES.get(THEME)), request.COOKIES.get(KEYS) != OFF)
    return Preferences(_theme(chosen.theme), chosen.single_keys, _validate_language(chosen.language))


def _theme(named: str | None) -> ColorScheme:
    return ColorScheme(named) if named in ColorScheme.values else ColorScheme.SYSTEM


def _validate_language(language: str) -> str:
    """Return the language; empty if it is no longer offered."""
    return language if language in dict(settings.LANGUAGES) else ""


def provide_preferences(request: HttpRequest) -> dict[str, Preferences]:
    """Provide the preferences to every template (a context processor)."""
    return {"preferences": preferences_of(request)}


class ChosenLanguage:
    """Activates the language that a user chose, after LocaleMiddleware and authentication."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if language := preferences_of(request).language:
            translation.activate(language)
            request.LANGUAGE_CODE = language
        return self.get_response(request)


@require_POST
def choose_display(request: HttpRequest) -> HttpResponse:
    """Store the value of a switch in the page's header (theme or shortcuts), and return to the page."""
    response = redirect(resolve_next_page(request))
    theme, keys = request.POST.get(THEME), request.POST.get(KEYS)
    if theme in ColorScheme.values:
        _keep(request, response, THEME, str(theme))
    elif keys in (ON, OFF):
        _keep(request, response, KEYS, str(keys))
    else:
        raise BadRequest
    return response


def _keep(request: HttpRequest, response: HttpResponse, name: str, value: str) -> None:
    if isinstance(request.user, User):
        row = load_user_settings(request)
        row.theme = value if name == THEME else row.theme
        row.single_keys = value == ON if name == KEYS else row.single_keys
        row.save()
    else:
        response.set_cookie(
            name, value, max_age=YEAR_S, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax"
        )


def load_user_settings(request: HttpRequest) -> UserSettings:
    """Return the unsaved settings of the signed-in user; new ones begin with the page's current preferences."""
    row = settings_of(person(request))
    if row._state.adding:
        now = preferences_of(request)
        row.theme, row.single_keys = now.theme, now.single_keys
    return row


@require_POST
def choose_language(request: HttpRequest) -> HttpResponseBase:
    """Set the language with Django's view, which sets a cookie, and store a user's choice.

    The cookie also keeps browsers from reusing fragments in the former language, which they cache for an hour.
    """
    response = set_language(request)
    language = request.POST.get("language", "")
    if _validate_language(language) and isinstance(request.user, User):
        row = load_user_settings(request)
        row.language = language
        row.save()
    return response
