"""URLs of signing in: allauth's pages in our layout, without sign-up."""

from allauth.account import views as account
from allauth.mfa.base import views as second_factor
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from allauth.usersessions import views as sessions
from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, path, re_path

from research.web.account.second_factor_page import SecondStep
from research.web.account.sign_in_page import SignIn

RESET = "password/reset/"
STEP = "account/second-step/"

urlpatterns: list[URLPattern] = [
    path("login/", SignIn.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("login/closed/", account.account_inactive, name="account_inactive"),
    path("login/second-step/", SecondStep.as_view(), name="mfa_authenticate"),
    # Reuse allauth's names for the pages that replace its own.
    path("login/", SignIn.as_view(), name="account_login"),
    path("logout/", LogoutView.as_view(), name="account_logout"),
    path(RESET, account.password_reset, name="account_reset_password"),
    path(f"{RESET}sent/", account.password_reset_done, name="account_reset_password_done"),
    re_path(
        rf"^{RESET}(?P<uidb36>[0-9A-Za-z]+)-(?P<key>[^/]+)/$",
        account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(f"{RESET}done/", account.password_reset_from_key_done, name="account_reset_password_from_key_done"),
    path("account/confirm/", account.reauthenticate, name="account_reauthenticate"),
    path("account/confirm/code/", second_factor.reauthenticate, name="mfa_reauthenticate"),
    path("account/sessions/", sessions.list_usersessions, name="usersessions_list"),
    path(STEP, second_factor.index, name="mfa_index"),
    path(f"{STEP}on/", totp.activate_totp, name="mfa_activate_totp"),
    path(f"{STEP}off/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path(f"{STEP}codes/", recovery_codes.view_recovery_codes, name="mfa_view_recovery_codes"),
    path(f"{STEP}codes/new/", recovery_codes.generate_recovery_codes, name="mfa_generate_recovery_codes"),
]
