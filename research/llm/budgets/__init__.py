"""Budgets: what may be spent, by whom, and what follows when it is not enough (spec: governance.md, Budgets)."""
