"""What a run's owner does with it while it is under way, and when it has ended (spec: lifecycle.md, Steering a run)."""
