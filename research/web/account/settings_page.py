"""Settings of the signed-in user: appearance, mail, password."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import PasswordChangeView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import get_language_info, override
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.http import require_http_methods
from pydantic import JsonValue

from research.accounts.audit.write_audit_trail import record
from research.accounts.notification_mail import address_of
from research.models import Act, ColorScheme, UserSettings
from research.web.site.display_preferences import load_user_settings
from research.web.site.view_access import members_only, person

if TYPE_CHECKING:
    ModelForm = forms.ModelForm[UserSettings]
else:
    ModelForm = forms.ModelForm  # takes no parameters when it runs

DISPLAY = ("theme", "language", "single_keys")
MAIL = ("mail_asked", "mail_failures", "mail_schedules")


class SettingsForm(ModelForm):
    theme = forms.ChoiceField(
        label=lazy("Theme"),
        choices=[
            (ColorScheme.SYSTEM, lazy("Same as system")),
            (ColorScheme.LIGHT, lazy("Light")),
            (ColorScheme.DARK, lazy("Dark")),
        ],
        widget=forms.RadioSelect,
    )
    language = forms.ChoiceField(
        label=lazy("Language"),
        required=False,
        help_text=lazy(
            "Used for this site and the mail it sends you. A report keeps the language it was written in."
        ),
    )
    single_keys = forms.BooleanField(
        label=lazy("Single-key shortcuts"),
        required=False,
        help_text=lazy(
            "Letters such as j, k and ? move through reports. They never act while you type in a field."
        ),
    )
    mail_asked = forms.BooleanField(
        label=lazy("One of my runs needs a decision"),
        required=False,
        help_text=lazy("One mail for each question, with its deadline and what happens without an answer."),
    )
    mail_failures = forms.BooleanField(
        label=lazy("One of my runs failed or continues with reduced scope"),
        required=False,
        help_text=lazy("One mail for each run and reason, saying what went wrong and what is kept."),
    )
    mail_schedules = forms.BooleanField(
        label=lazy("One of my schedules has run"),
        required=False,
        help_text=lazy(
            "What is new, changed or gone since the previous run. Only for schedules that are set to send mail."
        ),
    )

    class Meta:
        model = UserSettings
        fields = (*DISPLAY, *MAIL)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # passes Django's own arguments through
        language = self.fields["language"]
        if isinstance(language, forms.ChoiceField):
            names = [(code, _native(code)) for code, _name in settings.LANGUAGES]
            language.choices = [("", _("Same as browser")), *names]


def _native(code: str) -> str:
    """Return a language's name in that language."""
    name = str(get_language_info(code)["name_local"])
    return name[:1].upper() + name[1:]


@members_only
@require_http_methods(["GET", "HEAD", "POST"])
def edit_settings(request: HttpRequest) -> HttpResponse:
    row = load_user_settings(request)
    if request.method != "POST":
        return _page(request, SettingsForm(instance=row))
    form = SettingsForm(request.POST, instance=row)
    if not form.is_valid():
        return _page(request, form, status=422)
    saved = form.save()
    record(
        Act.SETTINGS,
        before=_select_changed_values(form, form.initial),
        after=_select_changed_values(form, form.cleaned_data),
    )
    response = redirect("research:settings")
    _tell_browser(response, saved.language)
    with override(saved.language or None):
        messages.success(request, _("Saved."))
    return response


def _select_changed_values(form: SettingsForm, values: Mapping[str, object]) -> dict[str, JsonValue]:
    """Return the fields that were changed, with their values (old or new) as strings."""
    return {name: str(values.get(name, "")) for name in form.changed_data}


def _tell_browser(response: HttpResponse, language: str) -> None:
    """Set the cookie that LocaleMiddleware reads, so that the choice also applies after signing out."""
    name = settings.LANGUAGE_COOKIE_NAME
    if not language:
        response.delete_cookie(name, samesite="Lax")
        return
    response.set_cookie(
        name,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )


def _page(request: HttpRequest, form: SettingsForm, *, status: int = 200) -> HttpResponse:
    user = person(request)
    shown = {
        "form": form,
        "display": [form[name] for name in DISPLAY],
        "mail": [form[name] for name in MAIL],
        "address": address_of(user),
        "has_password": user.has_usable_password(),
    }
    return render(request, "research/account/settings.html", shown, status=status)


class PasswordForm(PasswordChangeForm):
    """Django's form. Wrong old passwords are counted like those of the sign-in page."""

    request: HttpRequest

    def clean_old_password(self) -> str:
        old = str(self.cleaned_data["old_password"])
        if authenticate(self.request, username=self.user.get_username(), password=old) != self.user:
            wrong = self.error_messages["password_incorrect"]
            raise forms.ValidationError(wrong, code="password_incorrect")
        return old


class ChangePassword(PasswordChangeView):
    """Django's page in our layout. It ends the user's other sessions."""

    form_class = PasswordForm
    template_name = "research/account/password.html"
    success_url = reverse_lazy("research:settings")

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if request.user.is_authenticated and not person(request).has_usable_password():
            raise PermissionDenied(_("This account has no password, so there is none to change."))
        return super().dispatch(request, *args, **kwargs)

    def get_form(self, form_class: type[forms.BaseForm] | None = None) -> PasswordForm:
        form = PasswordForm(**self.get_form_kwargs())
        form.request = self.request
        return form

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        messages.success(
            self.request,
            _("Your password has been changed. You will have to sign in again on other devices."),
        )
        return super().form_valid(form)

    def form_invalid(self, form: PasswordChangeForm) -> HttpResponse:
        response = super().form_invalid(form)
        response.status_code = 422
        return response
