"""The measured speed of servers, and the time that a request may take by it. Lives as long as the process."""

from dataclasses import dataclass

READING_FACTOR = 8  # how much faster a local model reads a prompt than it writes
NEWEST_WEIGHT = 0.3  # of the newest measurement in the average


@dataclass(slots=True)
class ServerSpeed:
    """The tokens that a model writes in a second at a server, averaged over its answers. None: not measured."""

    tokens_a_second: float | None = None
    fastest: float | None = None  # a bound from an answer that never came, used until the speed is measured

    def note(self, tokens_input: int, tokens_output: int, seconds: float) -> None:
        """Take an answer into the average."""
        if tokens_output <= 0 or seconds <= 0:
            return
        rate = _work(tokens_input, tokens_output) / seconds
        before = self.tokens_a_second
        self.tokens_a_second = rate if before is None else before + NEWEST_WEIGHT * (rate - before)

    def note_late(self, tokens_input: int, most_output: int, seconds: float) -> None:
        """Take an answer that did not come into account: the server writes less than this in the time.

        Short answers say little of how fast it writes long ones, with a long prompt and others beside them.
        """
        if seconds <= 0:
            return
        bound = _work(tokens_input, most_output) / seconds
        if self.tokens_a_second is None:
            self.fastest = bound
        else:
            self.tokens_a_second = min(self.tokens_a_second, bound)

    def longest_s(self, tokens_input: int, most_output: int) -> float | None:
        """Return the seconds that the longest possible answer takes; None if the speed is not known."""
        rate = self.tokens_a_second
        return None if rate is None else _work(tokens_input, most_output) / rate

    def most_output(self, tokens_input: int, seconds: float) -> int | None:
        """Return the tokens that can be written in the time, with the prompt read; None if nothing is known of the
        speed.
        """
        rate = self.fastest if self.tokens_a_second is None else self.tokens_a_second
        return None if rate is None else int(rate * seconds - _work(tokens_input, 0))


def _work(tokens_input: int, tokens_output: int) -> float:
    """Return the tokens written, with those read converted to them."""
    return tokens_output + tokens_input / READING_FACTOR
