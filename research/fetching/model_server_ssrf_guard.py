"""The connection guard for model servers of workspaces: any port, but only allowed addresses.

Loopback and private addresses are allowed if the operator permits it (PLUMBLINE_MODEL_PRIVATE_ADDRESSES);
addresses that hand out a cloud's credentials, and the operator's denied networks, never are.
"""

from django.conf import settings

from research.fetching.denied_addresses import Address, AddressRules
from research.fetching.ssrf_guard import BlockedConnection, GuardedBackend, NoSuchHost
from research.fetching.strict_urls import DialTarget, parse_url
from research.llm.model_errors import ModelError, Trouble

HOW_TO_ALLOW = (
    "The operator can allow addresses in the site's own network with PLUMBLINE_MODEL_PRIVATE_ADDRESSES."
)


def model_server_rules() -> AddressRules:
    """Return the rules in the settings."""
    return AddressRules(
        settings.PLUMBLINE_ALLOW_LOOPBACK,
        settings.PLUMBLINE_DENIED_NETWORKS,
        allow_own=settings.PLUMBLINE_MODEL_PRIVATE_ADDRESSES,
        any_port=True,
    )


def parse_server_url(text: str) -> DialTarget:
    """Parse the URL of a model server; its host is resolved when it is connected to. Raises UrlRefused."""
    rules = model_server_rules()
    return parse_url(
        text, allow_loopback=rules.allow_loopback, allow_own=rules.allow_own, any_port=rules.any_port
    )


class ModelServerBackend(GuardedBackend):
    """Opens sockets to allowed addresses only.

    Raises ModelError for others, and for names that don't exist.
    """

    def __init__(self) -> None:
        super().__init__(model_server_rules())

    async def resolve_allowed_addresses(self, host: str, port: int) -> list[Address]:
        """Return at least one address that may be connected to. Raises ModelError."""
        try:
            return await super().resolve_allowed_addresses(host, port)
        except BlockedConnection as refused:
            hint = "" if settings.PLUMBLINE_MODEL_PRIVATE_ADDRESSES else f" {HOW_TO_ALLOW}"
            words = f"The address of the model's server cannot be used: {refused}.{hint}"
            raise ModelError(Trouble.NOT_FOUND, words) from None
        except NoSuchHost:
            words = f"The model's server was not found: there is no host {host}."
            raise ModelError(Trouble.UNAVAILABLE, words) from None
