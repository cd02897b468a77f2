"""The durable runner: what state a run is in, what it does next, and how it survives the death of any
process.
"""
