"""Values are had for their time, by their own key."""

from research.runtime.ttl_cache import TtlCache


def test_a_value_is_had_by_its_key_alone():
    kept = TtlCache[str, int](for_s=60)
    assert kept.keep("a", 1) == 1
    assert (kept.get("a"), kept.get("b")) == (1, None)


def test_after_its_time_a_value_has_to_be_asked_for_again():
    kept = TtlCache[str, int](for_s=0)
    kept.keep("a", 1)
    assert kept.get("a") is None


def test_a_value_is_loaded_once_in_its_time():
    kept, loaded = TtlCache[str, int](for_s=60), []
    assert [kept.load("a", lambda: loaded.append(1) or 5) for _ in range(3)] == [5, 5, 5]
    assert loaded == [1]


def test_what_is_forgotten_has_to_be_asked_for_again():
    kept = TtlCache[str, int](for_s=60)
    kept.keep("a", 1)
    kept.forget()
    assert kept.get("a") is None
