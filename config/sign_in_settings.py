"""Settings of signing in: passwords, limits of tries, the second factor, sessions."""

from datetime import timedelta

from config import environment

ACCOUNT_BACKEND = "research.accounts.people.AccountBackend"  # stored in sessions
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", ACCOUNT_BACKEND]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "/"
PASSWORD_HASHERS = [
    f"django.contrib.auth.hashers.{name}PasswordHasher" for name in ("Argon2", "PBKDF2")
]  # the second hashes passwords of older installations, which are rehashed by the first at the next sign-in
_VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS: list[dict[str, object]] = [
    {"NAME": f"{_VALIDATION}.UserAttributeSimilarityValidator"},
    {"NAME": f"{_VALIDATION}.CommonPasswordValidator"},
    {"NAME": f"{_VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "research.web.account.pwned_passwords.BreachedPasswordValidator"},
]
# A service that knows leaked passwords by a prefix of their hash; empty: only the offline list is used.
PLUMBLINE_BREACHED_PASSWORDS_URL = environment.address("PLUMBLINE_BREACHED_PASSWORDS_URL")
# Five wrong passwords for one account from one address, then a lockout of a quarter of an hour. Attempts are
# stored as rows, since a cache may lose its contents.
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_CALLABLE = "research.web.account.sign_in_page.too_many_tries"
AXES_CLIENT_IP_CALLABLE = "research.web.site.page_client_ip.address_of_visitor"
AXES_USERNAME_CALLABLE = "research.web.account.sign_in_page.name_that_was_tried"
AXES_HTTP_RESPONSE_CODE = 429
AXES_VERBOSE = False
# The number of trusted proxies that add to X-Forwarded-For before a request arrives here.
PLUMBLINE_PROXIES = environment.number("PLUMBLINE_PROXIES", default=0, lowest=0, highest=9)

PASSWORD_RESET_TIMEOUT = 86_400  # s
ACCOUNT_ADAPTER = "research.web.account.sign_in_page.Accounts"
ACCOUNT_FORMS = {"login": "research.web.account.sign_in_page.SignInForm"}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"  # accounts are created by invitation, which was mailed
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # no mail to people without an account
ACCOUNT_EMAIL_NOTIFICATIONS = True  # about a changed password, a removed second factor
ACCOUNT_SESSION_REMEMBER = True
# Wrong passwords and codes are counted in rows: see above, and research.web.account.second_factor_page.
ACCOUNT_RATE_LIMITS = {"login_failed": None, "reset_password": "20/m/ip,5/h/key"}
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # before the second factor is changed
MFA_TOTP_ISSUER = "Plumbline"
MFA_FORMS = {
    "authenticate": "research.web.account.second_factor_page.CodeForm",
    "reauthenticate": "research.web.account.second_factor_page.CodeAgainForm",
}
MFA_ADAPTER = "research.web.account.second_factor_page_secrets.SecondFactor"
MFA_RECOVERY_CODES_SHOW_ONCE = True
USERSESSIONS_TRACK_ACTIVITY = False
SESSION_COOKIE_AGE = 3600 * environment.number("PLUMBLINE_SESSION_HOURS", default=336, lowest=1, highest=8760)
