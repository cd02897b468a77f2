"""Sources from elsewhere: the one guarded door to them, searching for them, fetching them."""
