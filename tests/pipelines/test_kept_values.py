"""Values that are costly to load are loaded once, and do not delay who needs others."""

from collections.abc import Mapping, Sequence
from threading import Event, Thread

from research.pipelines.common.pipeline_kept_values import KeptValues

PATIENCE_S = 30


def load(keys: Sequence[str]) -> Mapping[str, str]:
    return {key: key.upper() for key in keys if key != "unknown"}


def refuse(keys: Sequence[str]) -> Mapping[str, str]:
    raise AssertionError(f"{keys} are kept")


def test_what_is_kept_is_not_loaded_again_and_what_is_unknown_is_left_out() -> None:
    kept = KeptValues[str, str](100, len)
    assert kept.get(["a", "unknown", "b"], load) == {"a": "A", "b": "B"}
    assert kept.get(["b", "a"], refuse) == {"b": "B", "a": "A"}


def test_the_values_used_last_stay_within_the_size() -> None:
    kept = KeptValues[str, str](2, len)
    kept.get(["a", "b"], load)
    kept.get(["a"], refuse)
    kept.get(["c"], load)
    assert kept.get(["a", "c"], refuse) == {"a": "A", "c": "C"}
    asked: list[str] = []
    kept.get(["b"], lambda keys: asked.extend(keys) or load(keys))
    assert asked == ["b"]


def test_while_one_is_loaded_another_that_is_kept_can_be_read() -> None:
    kept = KeptValues[str, str](100, len)
    kept.get(["a"], load)
    begun, may_end = Event(), Event()

    def load_slowly(keys: Sequence[str]) -> Mapping[str, str]:
        begun.set()
        assert may_end.wait(PATIENCE_S)
        return load(keys)

    found: list[dict[str, str]] = []
    slow = Thread(target=lambda: found.append(kept.get(["b"], load_slowly)))
    slow.start()
    assert begun.wait(PATIENCE_S)
    assert kept.get(["a"], refuse) == {"a": "A"}
    may_end.set()
    slow.join()
    assert found == [{"b": "B"}]


def test_who_needs_what_is_being_loaded_waits_for_it() -> None:
    kept = KeptValues[str, str](100, len)
    begun, may_end = Event(), Event()

    def load_slowly(keys: Sequence[str]) -> Mapping[str, str]:
        begun.set()
        assert may_end.wait(PATIENCE_S)
        return load(keys)

    found: list[dict[str, str]] = []
    first = Thread(target=lambda: found.append(kept.get(["b"], load_slowly)))
    first.start()
    assert begun.wait(PATIENCE_S)
    second = Thread(target=lambda: found.append(kept.get(["b"], refuse)))
    second.start()
    may_end.set()
    first.join()
    second.join()
    assert found == [{"b": "B"}, {"b": "B"}]
