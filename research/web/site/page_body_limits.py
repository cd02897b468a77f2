"""Size limits of request bodies, by path. Checked before any part of a request is read."""

from research.integrations.webhooks.incoming_webhooks import MAX_BODY
from research.library.store_uploads import MAX_FILE, MAX_FILES

ROOM_FOR_A_FORM = 100_000  # bytes allowed for a form besides its files
LIBRARY, HOOKS = "/library/", "/hooks/"


def most_bytes(path: str) -> int:
    """Return the maximum size in bytes of a request body; what a page accepts of it may be less."""
    if path == LIBRARY:
        return MAX_FILES * (MAX_FILE + ROOM_FOR_A_FORM)
    return MAX_BODY if path.startswith(HOOKS) else MAX_FILE + ROOM_FOR_A_FORM
