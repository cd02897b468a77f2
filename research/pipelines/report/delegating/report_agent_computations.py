"""Turn a figure that an agent computed into a claim if it follows from figures that sources state.

Each input is looked up in its source, and the formula is computed again. The claim says how it was computed.
"""

import re
from collections.abc import Mapping, Sequence

from citations.anchoring import AnchorMatchType, QuotableText, anchor
from citations.claim_formulas import (
    FormulaValue,
    InvalidFormula,
    evaluate,
    find_figure,
    is_stated,
    show_formula,
)
from citations.find_quantities import find_quantities
from citations.text.claim_words_and_stems import content_stems
from citations.text.quote_span import Span
from research.agents.agent_findings import ComputedFigure, FigureInput
from research.library.library_frozen_text import blocks_of
from research.models import Source
from research.models.schemas import LeftOut, StoredComputation, StoredInput
from research.parsing.parse_sentences import sentences

NO_INPUT = "An agent computed it from “{}”, which its source does not say."
NO_FIGURE = "An agent computed it from “{}”, which is no figure of the passage that it quotes."
NO_FORMULA = "An agent computed it by “{}”, which cannot be worked out from the figures that it quotes."
OTHER_RESULT = "An agent computed it by “{}”, which has another result."
OTHER_SUBJECT = "An agent computed it from passages that do not speak of it."


def build_computation(
    figure: ComputedFigure, sources: Mapping[str, Source]
) -> StoredComputation | LeftOut:  # fmt: skip
    """Return the computation with the places of its inputs, or the reason why it was left out.

    `sources` by their handles. Pure.
    """
    claimed = f"{figure.field.strip()}: {figure.value.strip()}"
    places: dict[str, StoredInput] = {}
    figures: dict[str, FormulaValue] = {}
    said: set[str] = set()
    numbers: set[str] = set()
    for given in figure.inputs:
        source = sources.get(given.source)
        span = None if source is None else _find_span(given, source)
        if source is None or span is None or given.name in places:
            return LeftOut(text=claimed, reason=NO_INPUT.format(given.quote or given.figure))
        words = span.cut(source.text)
        found = find_figure(given.figure, words)
        if found is None:
            return LeftOut(text=claimed, reason=NO_FIGURE.format(given.figure))
        said |= content_stems(words)
        numbers |= _find_numbers(words)
        figures[given.name] = found
        places[given.name] = StoredInput(
            name=given.name,
            figure=given.figure.strip(),
            source=source.pk,
            start=span.start,
            end=span.end,
        )
    if not content_stems(figure.field) & said or _find_numbers(figure.field) - numbers:
        return LeftOut(text=claimed, reason=OTHER_SUBJECT)
    shown = show_formula(figure.formula, {name: place.figure for name, place in places.items()})
    try:
        result = evaluate(figure.formula, figures)
    except InvalidFormula:
        return LeftOut(text=claimed, reason=NO_FORMULA.format(shown))
    if not is_stated(figure.value, result):
        return LeftOut(text=claimed, reason=OTHER_RESULT.format(shown))
    return StoredComputation(
        text=f"{claimed} (= {shown}).",
        value=figure.value.strip(),
        formula=figure.formula.strip(),
        shown=shown,
        inputs=list(places.values()),
    )


def _find_numbers(text: str) -> set[str]:
    """Return the numbers and years of the text; a figure's label may name none that its sources do not."""
    return {f"{found.low:.6g}" for found in find_quantities(text)} | set(re.findall(r"\d{4}", text))


def _find_span(given: FigureInput, source: Source) -> Span | None:
    """Return the span of the whole sentence that contains the quote; for a longer quote its own span."""
    text = QuotableText(source.text)
    quote_anchor = anchor(given.quote, text, closely=False)
    if quote_anchor is None or quote_anchor.match_type is AnchorMatchType.ELIDED or source.content is None:
        return None
    spans: Sequence[Span] = [
        Span(sentence.start, sentence.end) for sentence in sentences(source.text, blocks_of(source.content))
    ]
    return next(
        (
            span
            for span in spans
            if span.start <= quote_anchor.span.start and quote_anchor.span.end <= span.end
        ),
        quote_anchor.span,
    )
