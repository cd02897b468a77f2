"""Slots of a provider: concurrent calls and calls per minute, shared fairly among runs and processes."""
