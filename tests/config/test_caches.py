"""The cache: of use while its server is there, and missed by nobody when it is not."""

import pytest

from config.cache_settings import ForgetfulRedis


@pytest.fixture
def away(tmp_path):
    return ForgetfulRedis(f"unix://{tmp_path}/nobody.sock", {})


def test_what_was_kept_is_found(valkey):
    cache = ForgetfulRedis(valkey, {})
    cache.set("answer", 42)
    assert (cache.get("answer"), cache.delete("answer"), cache.get("answer")) == (42, True, None)


def test_what_is_held_cannot_be_taken_twice(valkey):
    cache = ForgetfulRedis(valkey, {})
    assert [cache.add("lock", 1), cache.add("lock", 1)] == [True, False]


def test_a_server_that_is_away_is_an_empty_cache(away):
    away.set("answer", 42)
    assert (away.get("answer"), away.get("answer", 7), away.delete("answer")) == (None, 7, False)


def test_without_a_server_a_lock_is_given(away):
    assert away.add("lock", 1)
