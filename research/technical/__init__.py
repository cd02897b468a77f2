"""Technical runs from outside: how one is started, and what its answer is written as."""
