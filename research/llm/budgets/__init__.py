"""Budgets: what may be spent, by whom, and what happens beyond that (spec: governance.md, Budgets)."""
