"""The brief: what a finished Parallel.ai task came to, in a few claims that each open onto an excerpt."""
