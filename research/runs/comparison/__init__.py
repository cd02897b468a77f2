"""Two runs of one question beside each other."""
