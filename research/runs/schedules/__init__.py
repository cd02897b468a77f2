"""Runs that come again by themselves (spec: lifecycle.md, Steering a run)."""
