"""Where briefs come from: what people hand in, and tasks at Parallel that are watched until they end."""
