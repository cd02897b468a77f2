"""The signing key of an embedded installation, generated once and stored in the data directory."""

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from config.services.service_paths import UnsafeFolder, private_folder

MIN_KEY = 32


def load_secret_key(path: Path) -> str:
    """Read the key at `path`, generating it if necessary. Several processes may start at once."""
    try:
        if not path.exists():
            _create(path)
        key = path.read_text(encoding="ascii").strip()
    except (OSError, UnsafeFolder, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(
            f"Cannot keep the secret key in {path}: {error}. Make the folder writable, or set PLUMBLINE_DATA."
        ) from error
    if len(key) < MIN_KEY:
        raise ImproperlyConfigured(f"{path} holds no usable key; delete it to have a new one made.")
    return key


def _create(path: Path) -> None:
    """Write to a temporary file and link it into place: the first process wins, and no one reads half a key."""
    private_folder(path.parent)
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(50))
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass  # another process was first; its key is used
    finally:
        draft.unlink()
