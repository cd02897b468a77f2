"""Passages of sources from which briefs are drafted."""

from dataclasses import dataclass

from research.pipelines.brief.stored_brief import DraftSpan


def with_title(title: str, text: str) -> str:
    """Prepend the title, which names the subject of the text, so that both are compared as one sentence."""
    return f"{' '.join(title.split())}: {text}" if title.strip() else text


@dataclass(frozen=True, slots=True)
class EvidenceWords:
    """A piece of evidence: a passage of a source, with what is known of its location."""

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
