"""Encrypts the secrets of second factors, since whoever can read them can generate the codes."""

from base64 import b64decode, b64encode

from allauth.mfa.adapter import DefaultMFAAdapter

from research.storage.keys.data_encryption_keys import open_own, seal_own
from research.storage.keys.key_rotation import SECOND_FACTOR


class SecondFactor(DefaultMFAAdapter):  # type: ignore[misc]  # has no types
    def encrypt(self, text: str) -> str:
        return b64encode(seal_own(text.encode(), SECOND_FACTOR)).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt a secret. Raises CannotOpen."""
        return open_own(b64decode(encrypted_text), SECOND_FACTOR).decode()
