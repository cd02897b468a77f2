"""What agents may do: each tool has a typed input and output, limits, and named failures."""
