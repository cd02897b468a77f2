"""Evaluation of answers on labelled data (spec: grounding.md, Measuring it)."""
