"""Compute metrics of predictions if the cases have labels; they are printed beside the predictions."""

from collections.abc import Sequence
from dataclasses import asdict
from statistics import fmean

from research.evaluation.evaluation_of_digests import DigestPrediction
from research.evaluation.evaluation_scores import SupportFigures, macro_f1, support_figures
from research.evaluation.labelled_cases import Case, Prediction, read_cases

_SUPPORTED = "supported"
_STATUS_LABELS = {
    "verified": _SUPPORTED,
    "paraphrased_accurate": _SUPPORTED,
    "partially_supported": "partial",
    "unverifiable": "unsupported",
    "unverified": "unsupported",
}


def summary(what: str, lines: Sequence[str], predictions: Sequence[str]) -> dict[str, float | int | None]:
    """Return figures by name (shares 0–1); empty if the cases have no labels."""
    if what == "digest":
        return _average_figures(predictions)
    cases = list(read_cases(lines, Case))
    if not cases or not all(case.label for case in cases):
        return {}
    found = [Prediction.model_validate_json(each) for each in predictions]
    pairs = list(zip(cases, found, strict=True))
    if what == "verification":
        return asdict(_support(pairs))
    labels = [(case.label, prediction.label) for case, prediction in pairs]
    right = sum(gold == predicted for gold, predicted in labels)
    return {"cases": len(pairs), "accuracy": right / len(labels), "macro_f1": macro_f1(labels)}


def _average_figures(predictions: Sequence[str]) -> dict[str, float | int | None]:
    """Return the mean of each figure, and the mean score of each variant."""
    previews = [DigestPrediction.model_validate_json(each) for each in predictions]
    figures: dict[str, float | int | None] = {"previews": len(previews)}
    for name in ("grounded", "honest", "clear_links", "score"):
        if previews:
            figures[name] = round(fmean(getattr(prediction, name) for prediction in previews), 4)
    variants = sorted({prediction.variant for prediction in previews} - {""})
    for variant in variants:
        figures[f"score of {variant}"] = round(
            fmean(prediction.score for prediction in previews if prediction.variant == variant), 4
        )
    return figures


def _support(pairs: Sequence[tuple[Case, Prediction]]) -> SupportFigures:
    return support_figures(
        [(case.label, _STATUS_LABELS.get(found.label, found.label), found.score) for case, found in pairs]
    )
