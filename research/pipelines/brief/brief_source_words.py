"""Words of sources, as briefs are drafted from them."""

from dataclasses import dataclass

from research.pipelines.brief.stored_brief import DraftSpan


def with_title(title: str, text: str) -> str:
    """Put the title that says whose the words are before them, as one sentence: both are compared together."""
    return f"{' '.join(title.split())}: {text}" if title.strip() else text


@dataclass(frozen=True, slots=True)
class EvidenceWords:
    """A piece of evidence: words of a source, with what is known of where they stand."""

    source: str
    start: int
    text: str
    title: str = ""

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def titled_text(self) -> str:
        return with_title(self.title, self.text)

    def span(self) -> DraftSpan:
        return DraftSpan(source=self.source, start=self.start, end=self.end)
