"""Durable execution of runs: states, steps, leases and messages, stored so that the death of any process loses no
work.
"""
