"""The IP address that a request comes from."""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest

# Headers that proxies add and browsers never send.
_OF_PROXIES = ("HTTP_X_FORWARDED_FOR", "HTTP_X_REAL_IP", "HTTP_FORWARDED", "HTTP_VIA")


def address_of_visitor(request: HttpRequest) -> str:
    """Return the address that the outermost trusted proxy saw; a visitor can forge the ones before it."""
    peer = str(request.META.get("REMOTE_ADDR") or "")
    hops = [hop.strip() for hop in str(request.META.get("HTTP_X_FORWARDED_FOR", "")).split(",")]
    proxies = settings.PLUMBLINE_PROXIES
    told = hops[-proxies] if 0 < proxies <= len(hops) else peer
    return told if _is_address(told) else peer


def is_same_machine(request: HttpRequest) -> bool:
    """Return True if the browser runs on this machine: the request came over loopback and no proxy forwarded it."""
    peer = str(request.META.get("REMOTE_ADDR") or "")
    is_passed_on = any(name in request.META for name in _OF_PROXIES)
    return not is_passed_on and _is_address(peer) and ip_address(peer).is_loopback


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
