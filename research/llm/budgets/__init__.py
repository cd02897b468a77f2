"""Budgets: what may be spent, by whom, and what happens when it is not enough (spec: governance.md,
Budgets).
"""
