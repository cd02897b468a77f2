"""The models that a workspace calls: those of its own connection, else those in the environment.

docs/settings.md describes the environment variables; research.llm.save_model_connection saves a workspace's
connection.
"""

import ipaddress
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings

from research.db.bulk_sql import rows_of
from research.db.tenancy import NoTenant, current_tenant_id, tenant_context
from research.llm.model_check_results import calls_at_once_in, findings_in, tokens_a_second
from research.llm.model_errors import ModelError, Trouble
from research.models import AgentRole, ModelConnection
from research.storage.keys.data_encryption_keys import CannotOpen, open_sealed

OPENAI_URL = "https://api.openai.com/v1"
LOCAL_NAMES = ("localhost", "host.docker.internal")
MAX_PLACE_LENGTH = 255  # characters
KEY, FALLBACK_KEY = "model_key", "fallback_key"  # names that the sealed keys of a connection are bound to


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server and its API key; an empty key is for servers that need none.

    `is_guarded`: a workspace's owner entered the address, so the guard checks each connection.
    """

    base_url: str
    api_key: str
    regions: tuple[str, ...] = ()  # where it is located; empty if unknown
    is_guarded: bool = False
    # Calls that the server answers concurrently, as its test found; None if it did not report that. Further
    # calls would wait inside the server, where waiting counts towards their time limit.
    at_once: int | None = field(default=None, compare=False)
    # That its test measured; None: not tested.
    tokens_a_second: float | None = field(default=None, compare=False)

    @property
    def host(self) -> str:
        return urlsplit(self.base_url).hostname or ""

    @property
    def place(self) -> str:
        """Return the host and, if the URL has one, the port, as stored with calls."""
        return urlsplit(self.base_url).netloc[:MAX_PLACE_LENGTH]

    @property
    def is_local(self) -> bool:
        """Return True for a server on this machine or in this network: nobody charges for it."""
        if self.host in LOCAL_NAMES or self.host.endswith(".local"):
            return True
        try:
            address = ipaddress.ip_address(self.host)
        except ValueError:
            return False
        return address.is_loopback or address.is_private

    def __repr__(self) -> str:
        return f"Endpoint({self.base_url!r})"  # a key must not appear in logs


@dataclass(frozen=True, slots=True)
class FallbackModel:
    """The model that is called when the first one has failed past its retries."""

    endpoint: Endpoint
    model: str


@dataclass(frozen=True, slots=True)
class Models:
    """A server, the model that each role calls, and the fallback."""

    endpoint: Endpoint
    model: str
    role_models: Mapping[str, str] = field(
        default_factory=dict
    )  # by the role's value; other roles call `model`
    fallback: FallbackModel | None = None
    context_length: int | None = None  # tokens; None: unknown

    def model_for(self, role: AgentRole) -> str:
        """Return the role's own model, or the default one."""
        return self.role_models.get(role.value) or self.model


def environment_models() -> Models | None:
    """Return the models in the environment; None if there is neither a base URL nor a key."""
    if not settings.PLUMBLINE_MODEL_BASE_URL and not settings.PLUMBLINE_MODEL_API_KEY:
        return None
    return Models(_environment_endpoint(), str(settings.PLUMBLINE_MODEL), settings.PLUMBLINE_ROLE_MODELS)


def _environment_endpoint() -> Endpoint:
    base_url = settings.PLUMBLINE_MODEL_BASE_URL or OPENAI_URL
    return Endpoint(
        base_url.rstrip("/"), settings.PLUMBLINE_MODEL_API_KEY, tuple(settings.PLUMBLINE_MODEL_REGIONS)
    )


def models_of(tenant_id: UUID) -> Models | None:
    """Return the present models of a workspace; None if it has none.

    This takes one statement for each call, so that saved changes apply to the next call in every process. The
    keys are unsealed once for each saved version. Raises ModelError if they can't be.
    """
    with _within(tenant_id):
        row = load_connection()
        return environment_models() if row is None else _unseal_models(row)


def usable_models_of(tenant_id: UUID) -> Models | None:
    """Return the models of a workspace; None also if the key is lost, since no call can be made then."""
    try:
        return models_of(tenant_id)
    except ModelError:
        return None


def has_model(tenant_id: UUID | None = None) -> bool:
    """Return True if a workspace has a model: the one given, or that of the current `tenant_context`."""
    if environment_models() is not None:
        return True
    with _within(tenant_id or current_tenant_id()):
        return ModelConnection.objects.exists()


def _within(tenant_id: UUID) -> AbstractContextManager[None]:
    """Return the tenant's context, or a null context if it is active already.

    The latter saves the savepoint of a read-only statement.
    """
    try:
        is_here = current_tenant_id() == tenant_id
    except NoTenant:
        is_here = False
    return nullcontext() if is_here else tenant_context(tenant_id)


def engine(tenant_id: UUID | None = None) -> str:
    """Return `openai` for a workspace with a model, else `extractive`: all text comes from the sources' own
    sentences.

    Without an id it is the workspace of the current `tenant_context`.
    """
    return "openai" if has_model(tenant_id) else "extractive"


def load_connection() -> ModelConnection | None:
    """Return the connection saved for the current `tenant_context`, or None."""
    return next(iter(rows_of(ModelConnection, "", {})), None)


def _unseal_models(row: ModelConnection) -> Models:
    try:
        return _models_in(_Version(row.pk, row.updated_at, row.checked_at, row))
    except CannotOpen:
        raise ModelError(Trouble.ACCESS_DENIED, KEY_LOST) from None


KEY_LOST = "The key of the workspace's model can no longer be decrypted: an owner has to enter it again."


@dataclass(frozen=True, slots=True)
class _Version:
    """A saved state of a connection; two are compared without their rows."""

    id: UUID
    saved_at: datetime
    checked_at: datetime | None  # a test stores its findings without changing `updated_at`
    row: ModelConnection = field(compare=False)


@lru_cache(maxsize=256)
def _models_in(version: _Version) -> Models:
    """Return the models in a saved version. Raises CannotOpen, which is not cached."""
    row = version.row
    findings = findings_in(row.findings)
    endpoint = Endpoint(
        row.base_url,
        unseal_key(row.sealed_key, f"{KEY}:{row.pk}"),
        tuple(row.regions),
        is_guarded=True,
        at_once=calls_at_once_in(findings),
        tokens_a_second=tokens_a_second(findings),
    )
    return Models(endpoint, row.model, row.role_models, _fallback_in(row, endpoint), row.context_length)


def _fallback_in(row: ModelConnection, first: Endpoint) -> FallbackModel | None:
    if not row.fallback_model:
        return None
    if not row.fallback_url:
        return FallbackModel(first, row.fallback_model)
    key = unseal_key(row.sealed_fallback_key, f"{FALLBACK_KEY}:{row.pk}")
    return FallbackModel(Endpoint(row.fallback_url, key, first.regions, is_guarded=True), row.fallback_model)


def unseal_key(sealed: bytes | memoryview | None, belongs_to: str) -> str:
    """Return the unsealed key; empty if there is none. Raises CannotOpen. Needs `tenant_context`."""
    return open_sealed(bytes(sealed), belongs_to).decode() if sealed else ""


def embeddings_endpoint() -> Endpoint:
    """Return the embeddings server in the settings, or else that of the environment's models."""
    if not settings.PLUMBLINE_EMBEDDINGS_BASE_URL and not settings.PLUMBLINE_EMBEDDINGS_API_KEY:
        return _environment_endpoint()
    base_url = settings.PLUMBLINE_EMBEDDINGS_BASE_URL or OPENAI_URL
    return Endpoint(
        base_url.rstrip("/"),
        settings.PLUMBLINE_EMBEDDINGS_API_KEY,
        tuple(settings.PLUMBLINE_EMBEDDINGS_REGIONS),
    )


def image_endpoint() -> Endpoint:
    """Return the image server in the settings, or else that of the environment's models."""
    if not settings.PLUMBLINE_IMAGE_BASE_URL and not settings.PLUMBLINE_IMAGE_API_KEY:
        return _environment_endpoint()
    base_url = settings.PLUMBLINE_IMAGE_BASE_URL or OPENAI_URL
    return Endpoint(
        base_url.rstrip("/"), settings.PLUMBLINE_IMAGE_API_KEY, tuple(settings.PLUMBLINE_IMAGE_REGIONS)
    )


def can_draw() -> bool:
    """Return True if the settings name an image model."""
    return bool(settings.PLUMBLINE_IMAGE_MODEL)


def embeddings_model_id() -> str:
    """Return the identifier stored with each vector, which distinguishes it from those of other models."""
    return f"openai/{settings.PLUMBLINE_EMBEDDINGS_MODEL}"
