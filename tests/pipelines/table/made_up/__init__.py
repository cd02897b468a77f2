"""Worlds that were made up, to measure finding on: see `world`."""
