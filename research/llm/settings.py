"""Which model does what: read from Django's settings, docs/settings.md describes each name."""

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

from research.models import AgentRole

OPENAI_URL = "https://api.openai.com/v1"
LOCAL_NAMES = ("localhost", "host.docker.internal")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server and the key for it; an empty key is for servers that ask for none."""

    base_url: str
    api_key: str
    regions: tuple[str, ...] = ()  # where it stands; none: nobody said

    @property
    def host(self) -> str:
        return urlsplit(self.base_url).hostname or ""

    @property
    def is_local(self) -> bool:
        """On this machine or in this network: nobody bills for it."""
        if self.host in LOCAL_NAMES or self.host.endswith(".local"):
            return True
        try:
            address = ipaddress.ip_address(self.host)
        except ValueError:
            return False
        return address.is_loopback or address.is_private

    def __repr__(self) -> str:
        return f"Endpoint({self.base_url!r})"  # a key has no place in logs


def engine() -> str:
    """`openai` with a base URL or a key, else `extractive`: no model, everything from the sources' sentences."""
    has_model = settings.PLUMBLINE_MODEL_BASE_URL or settings.PLUMBLINE_MODEL_API_KEY
    return "openai" if has_model else "extractive"


def model_endpoint() -> Endpoint:
    base_url = settings.PLUMBLINE_MODEL_BASE_URL or OPENAI_URL
    return Endpoint(
        base_url.rstrip("/"), settings.PLUMBLINE_MODEL_API_KEY, tuple(settings.PLUMBLINE_MODEL_REGIONS)
    )


def embeddings_endpoint() -> Endpoint:
    """Its own server, or that of the models."""
    if not settings.PLUMBLINE_EMBEDDINGS_BASE_URL and not settings.PLUMBLINE_EMBEDDINGS_API_KEY:
        return model_endpoint()
    base_url = settings.PLUMBLINE_EMBEDDINGS_BASE_URL or OPENAI_URL
    return Endpoint(
        base_url.rstrip("/"),
        settings.PLUMBLINE_EMBEDDINGS_API_KEY,
        tuple(settings.PLUMBLINE_EMBEDDINGS_REGIONS),
    )


def image_endpoint() -> Endpoint:
    """Its own server, or that of the models."""
    if not settings.PLUMBLINE_IMAGE_BASE_URL and not settings.PLUMBLINE_IMAGE_API_KEY:
        return model_endpoint()
    base_url = settings.PLUMBLINE_IMAGE_BASE_URL or OPENAI_URL
    return Endpoint(
        base_url.rstrip("/"), settings.PLUMBLINE_IMAGE_API_KEY, tuple(settings.PLUMBLINE_IMAGE_REGIONS)
    )


def can_draw() -> bool:
    """Whether a model for pictures is named."""
    return bool(settings.PLUMBLINE_IMAGE_MODEL)


def embeddings_model_id() -> str:
    """Stands beside each vector: what tells it from those of other models."""
    return f"openai/{settings.PLUMBLINE_EMBEDDINGS_MODEL}"


def model_for(role: AgentRole) -> str:
    """The role's own model, or everyone's."""
    return settings.PLUMBLINE_ROLE_MODELS.get(role.value) or str(settings.PLUMBLINE_MODEL)
