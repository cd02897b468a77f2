"""Verifies and makes signatures of Standard Webhooks (https://www.standardwebhooks.com). Pure but for the clock."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

ID, TIMESTAMP, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"
MAX_ID_LENGTH = 200  # characters
MAX_SIGNATURES = 20  # of one message


def has_valid_signature(body: bytes, headers: Mapping[str, str], keys: Sequence[bytes]) -> bool:
    """Return True if one of the keys signed these exact bytes, dated at most five minutes before or after now.

    `headers` has lower-case names. A signature that cannot be read is not valid.
    """
    message_id = headers.get(ID, "")
    is_sound = 0 < len(message_id) <= MAX_ID_LENGTH and message_id.isprintable()
    if not is_sound or not _timestamp(headers).isdecimal() or not _timestamp(headers).isascii():
        return False
    signatures = [
        signature
        for signature in headers.get(SIGNATURE, "").split(" ")[:MAX_SIGNATURES]
        if _is_signature(signature)
    ]
    sound = {ID: message_id, TIMESTAMP: _timestamp(headers), SIGNATURE: " ".join(signatures)}
    return bool(signatures) and any(_is_signed(body, sound, key) for key in keys if key)


def _timestamp(headers: Mapping[str, str]) -> str:
    return headers.get(TIMESTAMP, "")


def _is_signature(text: str) -> bool:
    """Return True for version, comma, base64. The library raises an error of its own for anything else."""
    version, comma, signature = text.partition(",")
    allowed = all(
        character.isascii() and (character.isalnum() or character in "+/=") for character in signature
    )
    return (
        bool(version and comma and signature) and allowed and "," not in signature and len(signature) % 4 == 0
    )


def _is_signed(body: bytes, headers: Mapping[str, str], key: bytes) -> bool:
    try:
        Webhook(key).verify(body, dict(headers), json_parse=False)
    except (WebhookVerificationError, ValueError):  # includes UnicodeDecodeError and base64's errors
        return False
    return True


def build_signature_headers(
    message_id: str, moment: datetime, body: str, keys: Sequence[bytes]
) -> dict[str, str]:
    """Return the headers of an outgoing message, with a signature for each key: its receiver may hold any of them."""
    signatures = [Webhook(key).sign(message_id, moment, body) for key in keys]
    return {ID: message_id, TIMESTAMP: str(int(moment.timestamp())), SIGNATURE: " ".join(signatures)}
