"""Pages and sites as people paste them: which pages can be had, and why the others can't."""

from ipaddress import ip_address

from django.utils.translation import gettext as _

from research.acquisition.addresses import address_rules
from research.acquisition.urls import UrlRefused, checked_host, parse_url
from research.library.addresses import find_by_url


def pasted_address(text: str) -> str:
    """With the scheme that most people leave out."""
    return text if "://" in text else f"https://{text}"


def why_not_read(url: str, sources: str) -> str | None:
    """What keeps a page from being read, for whoever pasted it; None where nothing does.

    `sources` is what the run draws on. A copy in the library needs no web. Inside `tenant_context`.
    """
    if sources != "web" and find_by_url(url):
        return None
    if sources == "library":
        return _("The library holds no copy of “%(url)s”, and this run is to draw on nothing else.") % {
            "url": shortened(url)
        }
    try:
        refusal = _refusal(url)
    except UrlRefused as error:
        refusal = str(error)
    return refusal and _("“%(url)s” can’t be read: %(reason)s.") % {"url": shortened(url), "reason": refusal}


def _refusal(url: str) -> str | None:
    """Raises UrlRefused. A name is looked up only when the page is fetched; an address speaks for itself."""
    rules = address_rules()
    host = parse_url(url, allow_loopback=rules.allow_loopback).host
    try:
        address = ip_address(host)
    except ValueError:
        return None
    return rules.refusal(address)


def site_name(text: str) -> str:
    """The host of a site as it is typed: "www.example.org", "*.example.org" or a whole address. Raises UrlRefused."""
    host = parse_url(text).host if "://" in text else checked_host(text.partition("/")[0].removeprefix("*."))
    return host.removeprefix("www.")


def shortened(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"
