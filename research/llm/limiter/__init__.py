"""Slots of a provider: how many calls it gets at once and a minute, shared fairly by all runs and processes."""
