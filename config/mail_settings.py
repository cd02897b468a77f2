"""Settings of the outgoing mail server."""

from dataclasses import dataclass

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

from config.environment import env, text

PORTS = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}
CONSOLE = "django.core.mail.backends.console.EmailBackend"


@dataclass(frozen=True, slots=True)
class MailServer:
    """The values of Django's mail settings. `password` appears in no log and in no message."""

    backend: str = CONSOLE
    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    starts_tls: bool = False
    is_tls: bool = False


def server(name: str) -> MailServer:
    """Parse the server of a URL such as smtp+tls://user:password@host:587; without one mail is printed on the
    console.
    """
    if not text(name):
        return MailServer()
    # Messages of parsers may contain the whole URL, with its password.
    complaint = f"{name} must be a URL like smtp+tls://user:password@host:587 (or smtp://, smtp+ssl://)."
    try:
        url = env.email_url(name)
        scheme, port = text(name).partition("://")[0], url["EMAIL_PORT"]
    except (ImproperlyConfigured, ValueError):
        raise ImproperlyConfigured(complaint) from None
    if scheme not in PORTS or not url["EMAIL_HOST"]:
        raise ImproperlyConfigured(complaint)
    return MailServer(
        url["EMAIL_BACKEND"],
        url["EMAIL_HOST"],
        port or PORTS[scheme],
        url["EMAIL_HOST_USER"] or "",
        url["EMAIL_HOST_PASSWORD"] or "",
        starts_tls=scheme == "smtp+tls",
        is_tls=scheme == "smtp+ssl",
    )


def sender(name: str, default: str) -> str:
    """Return the sender's address."""
    word = text(name, default)
    try:
        validate_email(word)
    except ValidationError:
        raise ImproperlyConfigured(f"{name} must be an e-mail address; it is {word!r}.") from None
    return word
