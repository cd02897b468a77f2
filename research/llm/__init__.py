"""The only door to a model (spec: agents-and-tools.md, The model gateway)."""
