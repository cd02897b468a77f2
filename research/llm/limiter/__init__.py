"""Slots of a provider: how many calls it gets at once and per minute, shared fairly among all runs and
processes.
"""
