"""A cache that tolerates a missing server; its values are then computed again."""

import logging
from typing import TypeVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

T = TypeVar("T")
logger = logging.getLogger(__name__)


class ForgetfulRedis(RedisCache):
    """Redis or Valkey; an unreachable server counts as empty, so that no page fails because of the cache."""

    def add(
        self, key: str, value: object, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        """Return True also if nothing could be stored: the caller then counts as the one who added the key."""
        try:
            return bool(super().add(key, value, timeout, version))
        except RedisError as error:
            return _log_unreachable(error, True)

    def get(self, key: str, default: object = None, version: int | None = None) -> object:
        try:
            found: object = super().get(key, default, version)
        except RedisError as error:
            return _log_unreachable(error, default)
        return found

    def set(
        self, key: str, value: object, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        try:
            super().set(key, value, timeout, version)
        except RedisError as error:
            _log_unreachable(error, None)

    def delete(self, key: str, version: int | None = None) -> bool:
        try:
            return bool(super().delete(key, version))
        except RedisError as error:
            return _log_unreachable(error, False)


def _log_unreachable(error: RedisError, answer: T) -> T:
    logger.warning("cache_unreachable kind=%s", type(error).__name__)
    return answer
