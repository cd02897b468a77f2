"""How long things are kept, and how a finished run goes with all that hangs on it."""
