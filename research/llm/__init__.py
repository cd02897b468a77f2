"""Model calls; nothing outside this package calls a model (spec: agents-and-tools.md, The model gateway)."""
