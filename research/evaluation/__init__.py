"""The quality of answers, measured on labelled questions (spec: grounding.md, Measuring it)."""
