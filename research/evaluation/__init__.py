"""How good the answers are, measured on labelled questions (spec: grounding.md, Measuring it)."""
