"""The page that asks for the code of the second factor, and the limit on wrong codes.

Codes have only six digits. Someone who knows the password gets as many tries at the code of an account as at a
password, whatever their address. Tries are stored as rows, since a cache may lose its contents, and no code is
accepted twice.
"""

import time
from datetime import UTC, datetime

from allauth.account.adapter import get_adapter as of_accounts
from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.models import Authenticator
from axes.models import AccessAttempt
from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.http import HttpResponse
from django.utils import timezone

from research.web.account.sign_in_page import too_many_tries
from research.web.site.page_audit_signals import second_step_failed, second_step_locked

PLACE = "second step"  # distinguishes these rows from those of password tries, whose value is a path


def take_try(user: User) -> bool:
    """Count a try at the second factor and return True if the code may be checked.

    The try is counted before the check, so that many requests at once get no more tries.
    """
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        since = timezone.now() - settings.AXES_COOLOFF_TIME
        tried = _tries(user).filter(attempt_time__gt=since).first()
        if tried is None:
            _tries(user).delete()
            AccessAttempt.objects.create(username=_name(user), path_info=PLACE, failures_since_start=1)
            return True
        _tries(user).update(failures_since_start=F("failures_since_start") + 1)
        return bool(tried.failures_since_start < settings.AXES_FAILURE_LIMIT)


def forget_tries(user: User) -> None:
    _tries(user).delete()


def _tries(user: User) -> QuerySet[AccessAttempt]:
    rows: QuerySet[AccessAttempt] = AccessAttempt.objects.filter(username=_name(user), path_info=PLACE)
    return rows


def _name(user: User) -> str:
    return f"account {user.pk}"


def is_first_use(authenticator: Authenticator) -> bool:
    """Return True if no code was accepted in the current TOTP period, and record that one is now."""
    began = int(time.time()) // app_settings.TOTP_PERIOD * app_settings.TOTP_PERIOD
    unused = Q(last_used_at=None) | Q(last_used_at__lt=datetime.fromtimestamp(began, UTC))
    rows = Authenticator.objects.filter(unused, pk=authenticator.pk)
    return bool(rows.update(last_used_at=timezone.now()))


class AttemptLimitedForm:
    """A form with a code, whose tries are counted. `is_shut` is true after too many tries."""

    user: User
    authenticator: Authenticator
    is_shut = False

    def clean_code(self) -> str:
        if not take_try(self.user):
            self.is_shut = True
            raise of_accounts().validation_error("too_many_login_attempts")
        code: str = super().clean_code()  # type: ignore[misc]  # allauth's form has it
        is_totp = self.authenticator.type == Authenticator.Type.TOTP
        if is_totp and not is_first_use(self.authenticator):
            raise get_adapter().validation_error("incorrect_code")
        forget_tries(self.user)
        return code


class CodeForm(AttemptLimitedForm, AuthenticateForm):  # type: ignore[misc]  # has no types
    pass


class CodeAgainForm(AttemptLimitedForm, ReauthenticateForm):  # type: ignore[misc]  # has no types
    pass


class SecondStep(AuthenticateView):  # type: ignore[misc]  # has no types
    """allauth's page; a wrong code is recorded in the audit trail."""

    def _build_forms(self) -> forms.Form | None:
        """Return the form for codes only: allauth takes a request without a code for the answer of a security key."""
        is_sent = self.request.method == "POST"
        user = self.stage.login.user
        self.webauthn_form = None
        self.auth_form = self.get_form_class()(user=user, data=self.request.POST if is_sent else None)
        return self.auth_form if is_sent else None

    def form_invalid(self, form: CodeForm) -> HttpResponse:
        user = self.stage.login.user
        if form.is_shut:
            second_step_locked(self.request, user)
            return too_many_tries(self.request)
        second_step_failed(self.request, user)
        response: HttpResponse = super().form_invalid(form)
        return response
