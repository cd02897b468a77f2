"""The object store in an S3 bucket. Objects are encrypted before they get there."""

from collections.abc import Iterator
from contextlib import contextmanager

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files.base import ContentFile, File
from storages.backends.s3 import S3Storage

# Newer servers' checksums only on request: other servers do not support them.
CLIENT = Config(
    connect_timeout=5,
    read_timeout=60,
    retries={"max_attempts": 3, "mode": "standard"},
    signature_version="s3v4",
    s3={"addressing_style": "path"},
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
)


class S3Objects(S3Storage):  # type: ignore[misc]  # django-storages has no types
    """Stores whole files; errors are raised as OSError, as for a folder.

    A file of the same name is replaced.
    """

    def __init__(self, **options: object) -> None:
        super().__init__(client_config=CLIENT, default_acl=None, file_overwrite=True, **options)

    def _open(self, name: str, mode: str = "rb") -> File:  # type: ignore[type-arg]  # django-stubs: bytes or text
        """Open a file. Raises FileNotFoundError."""
        with _as_os_errors():
            return ContentFile(super()._open(name, mode).read())

    def _save(self, name: str, content: File) -> str:  # type: ignore[type-arg]  # django-stubs: bytes or text
        with _as_os_errors():
            return str(super()._save(name, content))

    def delete(self, name: str) -> None:
        with _as_os_errors():
            super().delete(name)


@contextmanager
def _as_os_errors() -> Iterator[None]:
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise OSError(f"the store said: {error}") from error
