"""Servers on the loopback interface that answer as the real ones do, with the faults that real ones have."""
